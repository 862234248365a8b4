/** Formats a time for responses (contract, field notation): UTC with milliseconds. @param at milliseconds since 1970 */
export const iso = (at: number): string => new Date(at).toISOString();

export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

const UNITS = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

/** A duration in its two largest units: `15 min 1 s`, `76 ms`. */
export const formatDuration = (ms: number): string => {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  let left = ms;
  const words: string[] = [];
  for (const [size, unit] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) words.push(`${count} ${unit}`);
    if (words.length === 2) break;
  }
  return words.join(" ");
};
