import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Azure's internal service address: reachable only inside virtual machines, although the registry lists it as public.
 */
const CLOUD = ["168.63.129.16"];

/** ISATAP interface identifier (RFC 5214, 6.1): traffic goes to the embedded IPv4 address, under any prefix. */
const isIsatap = ([, , , , flags, marker]: readonly number[]): boolean =>
  marker === 0x5efe && (flags === 0 || flags === 0x200);

/** 2000::/3 is IPv6's global unicast space; everything else is special or unassigned. */
const isGlobalUnicast = ([first = 0]: readonly number[]): boolean => first >>> 13 === 1;

/**
 * Checks whether a deployed sandbox may send to an address without brackets (D77). Excludes IANA's special-purpose
 * registry and addresses with an embedded IPv4 address. False for anything that isn't an address.
 */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 0 || CLOUD.includes(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return !(parsed instanceof ipaddr.IPv6) || (isGlobalUnicast(parsed.parts) && !isIsatap(parsed.parts));
};

/** Checks whether a text is an address or a CIDR range such as `10.1.0.0/16`. */
export const isAddressRange = (text: string): boolean => isIP(text) !== 0 || ipaddr.isValidCIDR(text);

/** Builds a check for addresses in any of the ranges, in any notation of IPv4. */
export const inRanges = (ranges: readonly string[]): ((address: string) => boolean) => {
  const parsed = ranges.map((range) => {
    const [network, bits] = ipaddr.parseCIDR(isIP(range) === 0 ? range : `${range}/${isIP(range) === 4 ? 32 : 128}`);
    return { network, bits };
  });
  return (address) => {
    if (isIP(address) === 0) return false;
    const plain = ipaddr.process(address);
    return parsed.some(({ network, bits }) => network.kind() === plain.kind() && plain.match(network, bits));
  };
};
