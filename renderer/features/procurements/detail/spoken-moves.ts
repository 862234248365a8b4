import { readStatus } from "../../../domain/procurement/words.ts";
import { useLive } from "../../../kernel/live/use-live.ts";
import { announce } from "../../../lib/announce.ts";

const EVERY_MS = 5_000;

/**
 * Announces events: the first immediately, then at most one announcement every few seconds, with the number of events
 * and the last.
 */
export const createGathering = (say: (sentence: string) => void): ((sentence: string) => void) => {
  let waiting: readonly string[] | null = null;
  const speak = () => {
    const [first] = waiting ?? [];
    if (waiting === null || first === undefined) {
      waiting = null;
      return;
    }
    say(waiting.length === 1 ? first : `${waiting.length} changes, the last: ${waiting.at(-1)}`);
    waiting = [];
    setTimeout(speak, EVERY_MS);
  };
  return (sentence) => {
    if (waiting !== null) waiting = [...waiting, sentence];
    else {
      waiting = [sentence];
      speak();
    }
  };
};

/** Groups announcements about others' changes, which may be frequent. */
const announceArrival = createGathering(announce);

/** Announces transitions by other programs to screen readers: of one order, or of any. */
export const useSpokenMoves = (of: string | null): void =>
  useLive("state", (entries) => {
    for (const { data } of entries)
      if (data.entity === "procurement" && (of === "any" || data.id === of))
        announceArrival(`${data.label} is now ${readStatus(data.after) ?? "changed"}`);
  });
