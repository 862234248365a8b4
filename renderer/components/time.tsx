import { formatClock, formatDay, formatExact, formatOffset, formatRelative } from "../lib/formatting.ts";
import { type Clock, useNowValue, useWorldAhead } from "../lib/world-clock.ts";

interface TimeProps {
  /** RFC 3339, as the service sends it. */
  readonly at: string;
  /** relative: "6 min ago"; clock: "11:04:22"; precise: with milliseconds; day: "Tue 17 Mar". */
  readonly as?: "relative" | "clock" | "precise" | "day";
  /**
   * The clock that wrote the time. Attempts and stamps use the real clock (D84); times of day are marked while the
   * world's differs.
   */
  readonly on?: Clock;
}

/** A moment; the exact time is in its title. */
export const Time = ({ at, as = "relative", on = "world" }: TimeProps) => {
  const text = useNowValue(on, (now) => {
    if (as === "clock" || as === "precise") return formatClock(at, as === "precise");
    return as === "day" ? formatDay(at, now) : formatRelative(at, now);
  });
  const offset = formatOffset(useWorldAhead() / 1000);
  // A time of day doesn't show which clock it is from.
  const isApart = on === "world" && offset !== null;
  const marked = isApart && (as === "clock" || as === "precise");
  return (
    <time dateTime={at} title={isApart ? `${formatExact(at)}, on the world’s clock (${offset})` : formatExact(at)}>
      {text}
      {marked && (
        <small>
          {" "}
          world<span className="sr">’s clock</span>
        </small>
      )}
    </time>
  );
};
