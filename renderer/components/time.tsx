import { formatClock, formatCountdown, formatDay, formatExact, formatRelative, formatSpan } from "../lib/formatting.ts";
import { type Clock, useNowText } from "../lib/world-clock.ts";

interface TimeProps {
  /** RFC 3339, as the service sends it. */
  readonly at: string;
  /** relative: "6 min ago"; clock: "11:04:22"; precise: with milliseconds; day: "Tue 17 Mar". */
  readonly as?: "relative" | "clock" | "precise" | "day";
  /** Which clock wrote it; only relative times care. Attempts and stamps are on the real one (D84). */
  readonly on?: Clock;
}

/** A moment; the exact one is in its title. */
export const Time = ({ at, as = "relative", on = "world" }: TimeProps) => {
  const text = useNowText(on, (now) => {
    if (as === "clock" || as === "precise") return formatClock(at, as === "precise");
    return as === "day" ? formatDay(at, now) : formatRelative(at, now);
  });
  return (
    <time dateTime={at} title={formatExact(at)} className="nw">
      {text}
    </time>
  );
};

/** Time left until a moment: "8:41" as a clock, or "12 s" as a span. Not announced: ticking text is noise to a screen reader. */
export const Countdown = ({ to, as = "clock", on = "world" }: { to: string; as?: "clock" | "span"; on?: Clock }) => {
  const text = useNowText(on, (now) => {
    const left = new Date(to).getTime() - now;
    return as === "clock" ? formatCountdown(left) : formatSpan(left);
  });
  return (
    <time dateTime={to} title={formatExact(to)} className="nw">
      {text}
    </time>
  );
};
