import { statusIn } from "../../../domain/procurement/words.ts";
import { useLive } from "../../../kernel/live/use-live.ts";
import { announceArrival } from "./arrivals.ts";

/** Tells screen readers when another program moves what is on the screen: one order, or any of them. */
export const useSpokenMoves = (of: string | null): void =>
  useLive("state", (entries) => {
    for (const { data } of entries)
      if (data.entity === "procurement" && (of === "any" || data.id === of))
        announceArrival(`${data.label} is now ${statusIn(data.after) ?? "changed"}`);
  });
