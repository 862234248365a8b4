/** How alike two names must be, of 1, for one to be meant by the other. */
const ALIKE = 0.4;
const MOST = 3;

/** The name an address ends in. */
const nameIn = (address: string): string => {
  const [path = ""] = address.split("?", 1);
  return path.replace(/\/+$/, "").split("/").at(-1)?.toLowerCase() ?? "";
};

const pairsOf = (name: string): string[] =>
  Array.from({ length: Math.max(0, name.length - 1) }, (_, index) => name.slice(index, index + 2));

/** How many of the pairs of characters of both names they share: 1 for the same, 0 for nothing in common. */
export const likeness = (one: string, other: string): number => {
  if (one === other) return 1;
  const [ours, theirs] = [pairsOf(one), pairsOf(other)];
  const left = [...theirs];
  const shared = ours.filter((pair) => {
    const at = left.indexOf(pair);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return (2 * shared.length) / Math.max(1, ours.length + theirs.length);
};

/**
 * The addresses that are likely meant by one at which there is nothing, the likeliest first, by the names they end in.
 *
 * @param addresses those that there are, each of them once
 */
export const nearestNames = (asked: string, addresses: readonly string[]): string[] => {
  // No name is longer; an address may be, and costs its square.
  const name = nameIn(asked).slice(0, 100);
  return addresses
    .map((address) => ({ address, alike: likeness(name, nameIn(address)) }))
    .filter(({ alike }) => alike >= ALIKE)
    .toSorted((one, other) => other.alike - one.alike)
    .slice(0, MOST)
    .map(({ address }) => address);
};
