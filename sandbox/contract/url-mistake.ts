/** Nothing can listen on port 0, so such an address is invalid, like one with a port above 65535. */
export const hasNoPort = ({ port }: URL): boolean => port === "0";

/** Returns the mistake in a URL's notation, as a sentence for the record; null when it has none. */
export const urlMistake = (url: string): string | null => {
  if (url.length > 2_048) return "The `url` is longer than 2,048 characters.";
  if (url !== url.trim()) return "The `url` begins or ends with a space or a line break.";
  if (!URL.canParse(url))
    return /^[a-z][a-z\d+.-]*:\/\//i.test(url)
      ? "The `url` is not a valid address."
      : "The `url` has no scheme. It begins with `http://` or `https://`.";
  const parsed = new URL(url);
  if (!["http:", "https:"].includes(parsed.protocol))
    return `The \`url\` begins with \`${parsed.protocol}\`, not with \`http://\` or \`https://\`.`;
  if (parsed.username || parsed.password) return "The `url` has a user name or a password in it, which is not allowed.";
  return hasNoPort(parsed) ? "The `url` names port 0, where nothing listens." : null;
};
