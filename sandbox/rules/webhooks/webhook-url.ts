import { isIP } from "node:net";
import { hasNoPort } from "../../contract/url-mistake.ts";
import { isPublicAddress } from "./public-address.ts";

/** Contract, "Subscription": the reasons a url is refused. */
export type UrlRefusal = "url_not_loopback" | "https_required" | "private_or_reserved_host";

const parse = (url: string): URL | null => {
  if (url.length > 2048 || url !== url.trim() || !URL.canParse(url)) return null;
  return new URL(url);
};

/** A host as `URL` normalises it: decimal, octal and hex spellings of an IPv4 address are already dotted here. */
export const isLoopbackHost = (hostname: string): boolean => {
  const host = hostname.replace(/\.$/, "");
  if (host === "localhost") return true;
  if (host === "[::1]" || host === "0.0.0.0") return true;
  if (/^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)) return true;
  return /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(host);
};

/** Whether an address (no brackets) is one of this machine's loopback. */
export const isLoopbackAddress = (address: string): boolean =>
  isLoopbackHost(address.includes(":") ? `[${address}]` : address);

/**
 * Judges a subscription url on a local server: http or https to a loopback address and a port, no credentials (D76, D77).
 *
 * @param hosts names beside loopback that the operator allows (D95)
 */
export const refuseLocalUrl = (url: string, hosts: readonly string[] = []): UrlRefusal | null => {
  const parsed = parse(url);
  if (!parsed || !["http:", "https:"].includes(parsed.protocol)) return "url_not_loopback";
  if (parsed.username || parsed.password || hasNoPort(parsed)) return "url_not_loopback";
  return isLoopbackHost(parsed.hostname) || hosts.includes(parsed.hostname) ? null : "url_not_loopback";
};

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");

/** Host names that never leave the machine or its network, and those of laptops, which are subscribed by listening. */
const PRIVATE_NAME =
  /(^|\.)(localhost|local|internal|lan|home|home\.arpa|localdomain|intranet|corp|listen\.invalid)\.?$/;

/**
 * Judges a subscription url on a deployed sandbox: a public `https` url (contract, "Subscription"; D76, D77). A host that
 * is spelled as an address is judged by the address; a name is judged by what it resolves to, when it is connected to.
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
