/** Units with their length in seconds. */
const units: ReadonlyArray<readonly [RegExp, number]> = [
  [/^(?:s|sec|secs|second|seconds)$/, 1],
  [/^(?:m|min|mins|minute|minutes)$/, 60],
  [/^(?:h|hr|hrs|hour|hours)$/, 3600],
  [/^(?:d|day|days)$/, 86_400],
  [/^(?:w|week|weeks)$/, 604_800],
];

/** Longest move of a world's clock: a hundred years. */
export const MAX_SECONDS = 3_155_760_000;

/**
 * Parses a span in seconds: "90 min", "2h 30m", "1.5 days"; a bare number is minutes. Null when invalid, zero, or
 * longer than the longest move.
 */
export const parseSpan = (text: string): number | null => {
  const wanted = text.trim().toLowerCase();
  if (!/^(?:\d+(?:\.\d+)?\s*[a-z]*[\s,]*)+$/.test(wanted)) return null;
  let seconds = 0;
  for (const [, amount = "", unit = ""] of wanted.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]*)/g)) {
    const size = unit === "" ? 60 : units.find(([name]) => name.test(unit))?.[1];
    if (size === undefined) return null;
    seconds += Number(amount) * size;
  }
  const whole = Math.round(seconds);
  return whole > 0 && whole <= MAX_SECONDS ? whole : null;
};
