import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { partnerOperations } from "../../../sandbox/contract/operations/partner.ts";

const reads = new Set<string>(
  partnerOperations.filter((operation) => operation.effect === "read").map((operation) => operation.id),
);

/** Whether a call only asked: a known read, or what hands out a secret. */
export const isRead = ({ operation }: Pick<RequestRow, "operation">): boolean =>
  operation === null || reads.has(operation) || operation === "webhooks.secret";

/** The middle of some numbers; null of none. */
export const medianOf = (numbers: readonly number[]): number | null => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const [below, middle] = [sorted[half - 1], sorted[half]];
  if (middle === undefined) return null;
  return sorted.length % 2 === 0 && below !== undefined ? (below + middle) / 2 : middle;
};
