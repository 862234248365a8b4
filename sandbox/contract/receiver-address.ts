/** A receiver's address as it may be handed on, without what may be a secret in it: a name and password, and its query. */
export const receiverAddress = (url: string): string => {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}${pathname}${search === "" ? "" : "?…"}`;
};
