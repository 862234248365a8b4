/** Formats words and numbers for people. Pure: the current moment is always passed in. */

const number = new Intl.NumberFormat("en", { useGrouping: true });

/** 1204 → "1,204". */
export const formatCount = (value: number): string => number.format(value);

/** "1 event", "2 events". The plural is the noun with an s unless given. */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : nouns}`;

const list = new Intl.ListFormat("en-GB");

/** "Meridian, Tarn & Rowe and Harbour". */
export const formatList = (words: readonly string[]): string => list.format(words);

/** A total, which is a minimum where the service stops counting. */
export interface Total {
  readonly total: number;
  readonly total_is_minimum: boolean;
}

/** "46"; "500+" when there are more than were counted. */
export const formatTotal = ({ total, total_is_minimum }: Total): string =>
  `${formatCount(total)}${total_is_minimum ? "+" : ""}`;

/** "1 event", "46 events", "500+ events". */
export const pluralTotal = (of: Total, noun: string, nouns = `${noun}s`): string =>
  `${formatTotal(of)} ${of.total === 1 ? noun : nouns}`;

/**
 * A decimal string with thousands separators and its digits unchanged: "2044.35" → "2,044.35". Never goes through a
 * float.
 */
export const formatAmount = (amount: string): string => {
  const match = /^(-?)(\d+)(\.\d+)?$/.exec(amount);
  if (!match) return amount;
  const [, sign = "", whole = "", fraction = ""] = match;
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ",") + fraction;
};

/** A duration: "0.7 ms", "204 ms", "1.2 s", "1 min 7 s". A value that rounds up to the next unit uses that unit. */
export const formatMs = (ms: number): string => {
  if (ms < 99.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${ms.toFixed(0)} ms`;
  return ms < 59_950 ? `${(ms / 1000).toFixed(1)} s` : formatSpan(ms);
};

/** In seconds. */
const units = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
] as const;

/** A span in its two largest units: 8100000 → "2 h 15 min", 42000 → "42 s". */
export const formatSpan = (ms: number): string => {
  const exact = Math.max(0, Math.round(ms / 1000));
  // Round to the smaller unit: 29 d 23 h 59 min becomes 30 d.
  const to = exact >= 86_400 ? 3600 : exact >= 3600 ? 60 : 1;
  const seconds = Math.round(exact / to) * to;
  const parts: string[] = [];
  let rest = seconds;
  for (const [unit, size] of units) {
    const whole = Math.floor(rest / size);
    rest -= whole * size;
    if (whole > 0) parts.push(`${whole} ${unit}`);
    if (parts.length === 2) break;
  }
  return parts.join(" ") || "0 s";
};

/** A clock's offset from real time: 3600 → "1 h ahead", -720 → "12 min behind"; null below a second. */
export const formatOffset = (seconds: number): string | null => {
  const span = formatSpan(Math.abs(seconds) * 1000);
  if (span === "0 s") return null;
  return `${span} ${seconds > 0 ? "ahead" : "behind"}`;
};

/** Time left as a clock: 521000 → "8:41". */
export const formatCountdown = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/** "430 bytes", "1.2 KB", "3.4 MB", "1.3 GB". */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1000) return plural(bytes, "byte");
  const [size, unit] = bytes < 999_950 ? [1e3, "KB"] : bytes < 999_950_000 ? [1e6, "MB"] : [1e9, "GB"];
  return `${(bytes / size).toFixed(1)} ${unit}`;
};

const two = (value: number) => String(value).padStart(2, "0");
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

/** "11:04:22" in local time, optionally with milliseconds. */
export const formatClock = (iso: string, milliseconds = false): string => {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  return milliseconds ? `${clock}.${String(at.getMilliseconds()).padStart(3, "0")}` : clock;
};

/** "Tue 17 Mar", with the year when it isn't the current one. */
export const formatDay = (iso: string, nowMs: number): string => {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const year = at.getFullYear() === new Date(nowMs).getFullYear() ? "" : ` ${at.getFullYear()}`;
  return `${days[at.getDay()]} ${at.getDate()} ${months[at.getMonth()]}${year}`;
};

/** Local and UTC time, for titles and copying: "Tue 17 Mar 2026 11:04:22.118 (2026-03-17T10:04:22.118Z)". */
export const formatExact = (iso: string): string => {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  return `${days[at.getDay()]} ${at.getDate()} ${months[at.getMonth()]} ${at.getFullYear()} ${formatClock(iso, true)} (${at.toISOString()})`;
};

/** "now", "6 min ago", "2 h ago", "in 12 s", and a day beyond a week. */
export const formatRelative = (iso: string, nowMs: number): string => {
  const at = new Date(iso).getTime();
  if (Number.isNaN(at)) return iso;
  const distance = Math.abs(nowMs - at);
  if (distance >= 7 * 86_400_000) return formatDay(iso, nowMs);
  const future = at > nowMs;
  if (distance < (future ? 1000 : 10_000)) return "now";
  const [unit, size] = units.find(([, seconds]) => distance >= seconds * 1000) ?? ["s", 1];
  const count = distance / (size * 1000);
  const value = future ? Math.ceil(count) : Math.floor(count);
  return future ? `in ${value} ${unit}` : `${value} ${unit} ago`;
};
