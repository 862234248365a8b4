const DAY_MS = 86_400_000;

/** Milliseconds since the first moment of the day in a time zone, as its clocks show them. */
const timeOfDay = (at: number, timeZone: string): number => {
  const shown = new Intl.DateTimeFormat("en", { timeZone, timeStyle: "medium", hourCycle: "h23" }).format(at);
  const [hours = 0, minutes = 0, seconds = 0] = shown.split(":").map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000 + (((at % 1_000) + 1_000) % 1_000);
};

/**
 * First moment of the day in a time zone. Allows for a change of its clocks on that day.
 *
 * @throws RangeError if the time zone is unknown
 */
export const startOfDay = (at: number, timeZone: string): number => {
  const about = at - timeOfDay(at, timeZone);
  const off = timeOfDay(about, timeZone);
  return off < DAY_MS / 2 ? about - off : about + DAY_MS - off;
};
