/** Minimum similarity, from 0 to 1, for one name to be proposed for another. */
const MIN_SIMILARITY = 0.4;
const MAX_NAMES = 3;

/** The last segment of an address. */
const lastSegment = (address: string): string => {
  const [path = ""] = address.split("?", 1);
  return path.replace(/\/+$/, "").split("/").at(-1)?.toLowerCase() ?? "";
};

/** Longer names are compared by their beginnings. */
const MAX_COMPARED_LENGTH = 100;

/** Share of the character pairs that two names have in common, from 0 to 1. */
export const similarity = (one: string, other: string): number => {
  if (one === other) return 1;
  const [ours, theirs] = [one.slice(0, MAX_COMPARED_LENGTH), other.slice(0, MAX_COMPARED_LENGTH)];
  const left = new Map<string, number>();
  for (let at = 1; at < theirs.length; at += 1) {
    const pair = theirs.slice(at - 1, at + 1);
    left.set(pair, (left.get(pair) ?? 0) + 1);
  }
  let shared = 0;
  for (let at = 1; at < ours.length; at += 1) {
    const pair = ours.slice(at - 1, at + 1);
    const count = left.get(pair) ?? 0;
    if (count > 0) shared += 1;
    left.set(pair, count - 1);
  }
  return (2 * shared) / Math.max(1, ours.length + theirs.length - 2);
};

/**
 * Returns the addresses with the most similar last segments, best first.
 *
 * @param addresses all known addresses, without duplicates
 */
export const nearestNames = (address: string, addresses: readonly string[]): string[] => {
  const name = lastSegment(address);
  return addresses
    .map((address) => ({ address, alike: similarity(name, lastSegment(address)) }))
    .filter(({ alike }) => alike >= MIN_SIMILARITY)
    .toSorted((one, other) => other.alike - one.alike)
    .slice(0, MAX_NAMES)
    .map(({ address }) => address);
};
