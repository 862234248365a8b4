/** The middle value, or the mean of the two in the middle. @throws for no values */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error("There is no median of nothing.");
  return (lower + upper) / 2;
};

/** The value that a share of all lies at or below: 0.95 for the 95th percentile. @throws for no values */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error("There is no quantile of nothing.");
  return value;
};

/** The median of one divided by the median of the other: what two runs in the same minutes have to say of each other. */
export const ratioOfMedians = (values: readonly number[], reference: readonly number[]): number =>
  median(values) / median(reference);

/** Each value divided by the one that was measured beside it. */
export const ratiosOf = (values: readonly number[], reference: readonly number[]): number[] =>
  values.flatMap((value, index) => {
    const beside = reference[index];
    return beside === undefined ? [] : [value / beside];
  });

export interface Range {
  readonly least: number;
  readonly greatest: number;
}

/** Between what the values lie; null when there are too few for that to say anything. */
export const rangeOf = (values: readonly number[]): Range | null =>
  values.length < 2 ? null : { least: Math.min(...values), greatest: Math.max(...values) };
