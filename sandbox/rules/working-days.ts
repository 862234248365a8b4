const DAY = 86_400_000;

/** The same time of day so many working days (Monday to Friday, UTC) later; milliseconds since 1970. */
export const workingDaysAhead = (from: number, days: number): number => {
  let at = from;
  for (let left = days; left > 0; ) {
    at += DAY;
    const weekday = new Date(at).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return at;
};
