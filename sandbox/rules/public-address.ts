import { BlockList, isIP } from "node:net";

/**
 * IPv4 ranges no notification may be sent to from a deployed sandbox (D77): IANA's special-purpose registry, those that
 * are reached from everywhere too, because what answers there is whatever is nearest and nobody's receiver.
 */
const reserved4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** All of IPv6 that is given out to be reached from everywhere; the rest is special, or nobody's yet. */
const globalUnicast6 = ["2000::/3"];
/**
 * What is set aside within it, by the same measure. The ranges that carry an IPv4 address inside are among it (2001::/32,
 * 2002::/16; others lie outside), because what they reach is decided by somebody else's translator.
 */
const reserved6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"];

/** An interface identifier of ISATAP (RFC 5214, 6.1), under whichever prefix: the IPv4 address in it is what is reached. */
const isIsatap = (address: string): boolean => {
  // Written out in eight groups, without zeros in front, and an IPv4 address at the end as two of them.
  const [before = "", after = ""] = new URL(`http://[${address.replace(/%.*/, "")}]/`).hostname
    .slice(1, -1)
    .split("::");
  const [first, last] = [before, after].map((part) => (part === "" ? [] : part.split(":"))) as [string[], string[]];
  const groups = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => "0"), ...last];
  return (groups[4] === "0" || groups[4] === "200") && groups[5] === "5efe";
};

const listOf = (family: "ipv4" | "ipv6", ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", prefix = "0"] = range.split("/");
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
};

// A list a family: in one list Node would read the mapped range as every IPv4 address.
const reserved = { 4: listOf("ipv4", reserved4), 6: listOf("ipv6", reserved6) } as const;
const globalUnicast = listOf("ipv6", globalUnicast6);

/** Whether an address (no brackets) is one of the public internet. Anything that is no address is not. */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address);
  if (family === 4) return !reserved[4].check(address, "ipv4");
  if (family !== 6 || !globalUnicast.check(address, "ipv6") || reserved[6].check(address, "ipv6")) return false;
  return !isIsatap(address);
};
