import type { Attempt } from "../../../../sandbox/contract/control/rows.ts";
import { formatMs, formatSpan } from "../../../lib/formatting.ts";

/** D72: how long one try may take. */
const LONGEST_TRY_MS = 10_000;

export type Outcome = "acknowledged" | "broken" | "refused" | "unanswered";

type Answer = Pick<Attempt, "response_status" | "error">;

/** Only 200 acknowledges, and only where the whole answer came or was cut by the service (D72). */
export const outcomeOf = ({ response_status, error }: Answer): Outcome => {
  if (response_status === null) return "unanswered";
  if (response_status !== 200) return "refused";
  return error === null ? "acknowledged" : "broken";
};

/** As the status' mark beside it: amber for what the receiver refused, red for what it failed at. */
export const toneOf = (answer: Answer): "ok" | "wait" | "bad" => {
  const outcome = outcomeOf(answer);
  if (outcome === "acknowledged") return "ok";
  return outcome === "refused" && (answer.response_status ?? 0) < 500 ? "wait" : "bad";
};

/** Room of a try on the axis, in fractions: long ones get more, but the axis is no ruler. */
export const roomOf = ({ duration_ms }: Pick<Attempt, "duration_ms">): number =>
  1 + 1.4 * Math.min(1, Math.max(0, Math.log10(duration_ms / 1000)));

/** Length of a try's bar within its room, in percent. */
export const barOf = ({ duration_ms }: Pick<Attempt, "duration_ms">): number =>
  Math.round(Math.max(6, Math.min(94, 94 * (duration_ms / LONGEST_TRY_MS) ** 0.4)));

/** Milliseconds between the end of a try and the start of the next. */
export const gapBetween = (before: Attempt, after: Attempt): number =>
  Math.max(0, new Date(after.started_at).getTime() - new Date(before.started_at).getTime() - before.duration_ms);

/** "+0.2 s", "+5 s", "+2 min": the wait between two tries. */
export const formatGap = (ms: number): string => {
  if (ms < 950) return `+${(ms / 1000).toFixed(1)} s`;
  if (ms < 59_500) return `+${Math.round(ms / 1000)} s`;
  if (ms < 3_570_000) return `+${Math.round(ms / 60_000)} min`;
  return `+${(ms / 3_600_000).toFixed(1).replace(/\.0$/, "")} h`;
};

/** "0.6 ms", "9.4 s", "1 min 7 s": how long something took. */
export const formatTook = (ms: number): string => {
  if (ms < 1000) return formatMs(ms);
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : formatSpan(ms);
};
