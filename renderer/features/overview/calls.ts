/** The middle of some numbers; null of none. */
export const medianOf = (numbers: readonly number[]): number | null => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const [below, middle] = [sorted[half - 1], sorted[half]];
  if (middle === undefined) return null;
  return sorted.length % 2 === 0 && below !== undefined ? (below + middle) / 2 : middle;
};
