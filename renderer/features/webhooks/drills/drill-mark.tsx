import { IconCheck, IconCircleDashed, IconClock, IconMinus, IconX } from "@tabler/icons-react";
import { Icon } from "../../../components/icon.tsx";
import { type Line, markOf } from "./score.ts";

const marks = {
  passed: ["ok", IconCheck],
  failed: ["bad", IconX],
  not_run: ["off", IconCircleDashed],
  unproven: ["off", IconMinus],
  running: ["wait", IconClock],
} as const;
const words = {
  passed: "passed",
  failed: "failed",
  not_run: "not run",
  unproven: "proves nothing",
  running: "running",
} as const;

/** How a drill stands, as an icon in its colour; the word is for screen readers, the line beside it says more. */
export const DrillMark = ({ line, running }: { line: Pick<Line, "latest" | "proves">; running: boolean }) => {
  const state = running ? "running" : markOf(line);
  const [tone, icon] = marks[state];
  return (
    <span className={`webhooks-mark ${tone}`}>
      <Icon of={icon} size={14} />
      <span className="sr">{words[state]}: </span>
    </span>
  );
};
