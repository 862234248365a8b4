import { BlockList, isIP } from "node:net";

/**
 * Ranges no notification may be sent to from a deployed sandbox (D77): IANA's special-purpose registries, and the
 * IPv6 ranges that carry an IPv4 address inside, because what they reach is decided by somebody else's translator.
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
const reserved6 = [
  "::/128",
  "::1/128",
  "::/96",
  "::ffff:0:0/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
];

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

/** Whether an address (no brackets) is one of the public internet. Anything that is no address is not. */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address);
  if (family === 4) return !reserved[4].check(address, "ipv4");
  return family === 6 && !reserved[6].check(address, "ipv6");
};
