import { useQueryClient } from "@tanstack/react-query";
import { notify } from "../../kernel/notices/notices.tsx";
import { serviceKeys } from "../../kernel/queries/query-keys.ts";
import { useAct } from "../../kernel/queries/use-act.ts";
import { announce } from "../../lib/announce.ts";
import { formatOffset } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";

export const clockSteps = [
  { id: "quarter", label: "15 min", words: "minutes quarter", seconds: 900 },
  { id: "hour", label: "1 h", words: "hour", seconds: 3600 },
  { id: "day", label: "1 day", words: "24 hours", seconds: 86_400 },
] as const;

/** "1 h ahead of real time", "12 min behind real time" or "at real time". */
export const offsetText = (seconds: number): string => {
  const offset = formatOffset(seconds);
  if (offset === null) return "at real time";
  return seconds > 0 ? `${offset} of real time` : `${offset} real time`;
};

/**
 * Advances the world's clock by seconds, or returns it to real time with null (D84). `showsNotice` shows a notice, for
 * screens without the clock.
 */
export const useMoveClock = ({ showsNotice }: { readonly showsNotice: boolean }) => {
  const client = useQueryClient();
  return useAct(
    (world, seconds: number | null) =>
      seconds === null ? callControl("clock.reset", { world }) : callControl("clock.advance", { world, seconds }),
    {
      ...{ changes: ["clock"], failed: "Move the world’s clock" },
      onDone: (clock) => {
        void client.invalidateQueries({ queryKey: serviceKeys.worlds });
        const title = `The world’s clock is ${offsetText(clock.offset_seconds)}`;
        if (showsNotice) notify.done({ title });
        else announce(title);
      },
    },
  );
};
