import { isIP } from "node:net";
import { hasNoPort } from "../../contract/url-mistake.ts";
import { isPublicAddress } from "./public-address.ts";

/** Contract, "Subscription": reasons to refuse a URL. */
export type UrlRefusal = "url_not_loopback" | "https_required" | "private_or_reserved_host";

const parse = (url: string): URL | null => {
  if (url.length > 2048 || url !== url.trim() || !URL.canParse(url)) return null;
  return new URL(url);
};

/** Expects a host normalized by `URL`, where decimal, octal and hex IPv4 spellings are already dotted. */
export const isLoopbackHost = (hostname: string): boolean => {
  const host = hostname.replace(/\.$/, "");
  if (host === "localhost") return true;
  if (host === "[::1]" || host === "0.0.0.0") return true;
  if (/^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)) return true;
  return /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(host);
};

/** Checks whether an address without brackets is a loopback address. */
export const isLoopbackAddress = (address: string): boolean =>
  isLoopbackHost(address.includes(":") ? `[${address}]` : address);

/**
 * Checks a subscription URL on a local server: http or https to loopback with a port, without credentials (D76, D77).
 *
 * @param hosts additional names that the operator allows (D95)
 */
export const refuseLocalUrl = (url: string, hosts: readonly string[] = []): UrlRefusal | null => {
  const parsed = parse(url);
  if (!parsed || !["http:", "https:"].includes(parsed.protocol)) return "url_not_loopback";
  if (parsed.username || parsed.password || hasNoPort(parsed)) return "url_not_loopback";
  return isLoopbackHost(parsed.hostname) || hosts.includes(parsed.hostname) ? null : "url_not_loopback";
};

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");

/** Names that never leave the machine or its network, and those of developer machines, which subscribe by listening. */
const PRIVATE_NAME =
  /(^|\.)(localhost|local|internal|lan|home|home\.arpa|localdomain|intranet|corp|listen\.invalid)\.?$/;

/**
 * Checks a subscription URL on a deployed sandbox: public `https` only (contract, "Subscription"; D76, D77). Addresses
 * are checked here; names are checked by their resolved address on connection.
 */
export const refuseDeployedUrl = (url: string): UrlRefusal | null => {
  const parsed = parse(url);
  if (!parsed || !["http:", "https:"].includes(parsed.protocol)) return "https_required";
  const host = withoutBrackets(parsed.hostname).replace(/\.$/, "");
  const isAddress = isIP(host) !== 0;
  if (isAddress ? !isPublicAddress(host) : PRIVATE_NAME.test(host) || !host.includes("."))
    return "private_or_reserved_host";
  if (parsed.protocol !== "https:" || parsed.username || parsed.password || hasNoPort(parsed)) return "https_required";
  return null;
};
