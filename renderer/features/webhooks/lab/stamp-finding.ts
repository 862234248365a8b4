import { formatSpan } from "../../../lib/formatting.ts";
import type { Finding } from "./finding.ts";
import { halfHoursOff, isWithinWindow, type Stamp } from "./stamp.ts";

const inHours = (halfHours: number): string => {
  const hours = Math.abs(halfHours) / 2;
  return `${hours} ${hours === 1 ? "hour" : "hours"}`;
};

/** What is wrong with the stamp at a moment; null when nothing is. */
export const stampFinding = (stamp: Stamp, now: number): Finding | null => {
  const mend = "Refuse what cannot be read as a time: it must not pass for now. Look at the bytes that were sent.";
  switch (stamp.kind) {
    case "missing":
      return {
        code: "no_stamp",
        title: "No stamp",
        sentence:
          stamp.near === null
            ? "The body has no webhook_timestamp."
            : `The body has no webhook_timestamp; ${stamp.near} is not its name.`,
        mend,
      };
    case "number":
      return {
        code: "stamp_number",
        title: "The stamp is a number",
        sentence: `webhook_timestamp is ${stamp.value}, not a string.`,
        mend: "It is text in ISO 8601, for example 2026-03-11T22:05:07.204Z.",
      };
    case "without_zone":
      return {
        code: "stamp_zone",
        title: "The stamp has no zone",
        sentence: `“${stamp.text}” is a time somewhere, and nobody can tell where.`,
        mend: "It ends in Z or in an offset such as +02:00.",
      };
    case "no_time":
      return {
        code: "stamp_unreadable",
        title: "The stamp is no time",
        sentence: `“${stamp.text}” cannot be read.`,
        mend,
      };
    default: {
      if (isWithinWindow(stamp.at, now)) return null;
      const apart = now - stamp.at;
      const zone = halfHoursOff(stamp.at, now);
      const old = apart > 0;
      return {
        code: old ? "stale" : "future",
        title: old ? "Too old" : "From the future",
        sentence: `It was stamped ${formatSpan(Math.abs(apart))} ${old ? "before" : "after"} the moment it is judged at; five minutes are allowed.`,
        mend:
          zone === null
            ? old
              ? "Somebody sends a recorded notification again, or a queue of yours held it back: verify on arrival. Or a clock is off."
              : "A clock is off: compare yours with a time server."
            : `That is ${inHours(zone)} almost exactly: a zone was lost. Read the stamp with its Z, and compare it with UTC.`,
      };
    }
  }
};
