/** The address of a database as it may be shown: without user, password and parameters. */
export const shownDatabase = (url: string): string => {
  if (!URL.canParse(url)) return "the address";
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
};
