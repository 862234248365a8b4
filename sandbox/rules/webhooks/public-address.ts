import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Reached from inside a cloud's virtual machines only, although the registry calls them public: Azure's own services. */
const CLOUD = ["168.63.129.16"];

/** An interface identifier of ISATAP (RFC 5214, 6.1), under whichever prefix: the IPv4 address in it is what is reached. */
const isIsatap = ([, , , , flags, marker]: readonly number[]): boolean =>
  marker === 0x5efe && (flags === 0 || flags === 0x200);

/** 2000::/3 is all of IPv6 that is given out to be reached from everywhere; the rest is special, or nobody's yet. */
const isGivenOut = ([first = 0]: readonly number[]): boolean => first >>> 13 === 1;

/**
 * Whether an address (no brackets) is one of the public internet, and may be sent to from a deployed sandbox (D77): none
 * of IANA's special-purpose registry, and none that carries an IPv4 address inside. Anything that is no address is not.
 */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 0 || CLOUD.includes(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return !(parsed instanceof ipaddr.IPv6) || (isGivenOut(parsed.parts) && !isIsatap(parsed.parts));
};

/** Whether a text is a range of addresses, as in `10.1.0.0/16`; a bare address is a range of one. */
export const isAddressRange = (text: string): boolean => isIP(text) !== 0 || ipaddr.isValidCIDR(text);

/** Judges whether an address is in one of the ranges, however the address or the range spells an IPv4 address. */
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
