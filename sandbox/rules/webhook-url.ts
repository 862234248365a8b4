/** Contract, "Subscription": the reasons a url is refused. */
export type UrlRefusal = "url_not_loopback" | "https_required" | "private_or_reserved_host";

const parse = (url: string): URL | null => {
  if (url.length > 2048 || !URL.canParse(url)) return null;
  return new URL(url);
};

/** A host as `URL` normalises it: decimal, octal and hex spellings of an IPv4 address are already dotted here. */
export const isLoopbackHost = (hostname: string): boolean => {
  const host = hostname.replace(/\.$/, "");
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  if (host === "[::1]" || host === "0.0.0.0") return true;
  if (/^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)) return true;
  return /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(host);
};

/** Judges a subscription url on a local server: http or https to a loopback address, no embedded credentials (D76, D77). */
export const refuseLocalUrl = (url: string): UrlRefusal | null => {
  const parsed = parse(url);
  if (!parsed || !["http:", "https:"].includes(parsed.protocol)) return "url_not_loopback";
  if (parsed.username || parsed.password) return "url_not_loopback";
  return isLoopbackHost(parsed.hostname) ? null : "url_not_loopback";
};
