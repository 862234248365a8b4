import type { ByteRange } from "../../../lib/bytes.ts";

/** Where two bodies differ: what lies between what they begin with alike and what they end with alike. */
export interface Difference {
  /** In the first of the two. */
  readonly mine: ByteRange;
  /** In the second. */
  readonly theirs: ByteRange;
}

/** The stretch in which two bodies differ, as short as it can be; null when they are the same. */
export const differenceOf = (mine: Uint8Array, theirs: Uint8Array): Difference | null => {
  const shorter = Math.min(mine.length, theirs.length);
  let start = 0;
  while (start < shorter && mine[start] === theirs[start]) start += 1;
  if (start === mine.length && start === theirs.length) return null;
  let end = 0;
  while (end < shorter - start && mine[mine.length - 1 - end] === theirs[theirs.length - 1 - end]) end += 1;
  return { mine: { start, end: mine.length - end }, theirs: { start, end: theirs.length - end } };
};

/** A part of a body around a stretch, with where the stretch lies in it. */
export const around = (
  bytes: Uint8Array,
  { start, end }: ByteRange,
  context = 24,
): { bytes: Uint8Array; range: ByteRange } => {
  const from = Math.max(0, start - context);
  return {
    bytes: bytes.subarray(from, Math.min(bytes.length, end + context)),
    range: { start: start - from, end: end - from },
  };
};
