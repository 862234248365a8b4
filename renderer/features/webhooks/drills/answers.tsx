import { useQuery } from "@tanstack/react-query";
import type { Drill } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { useWorld } from "../../../app/world.ts";
import { drillQuery } from "./queries.ts";
import { answersOf, type Line, lineWords, markOf } from "./score.ts";

/** The bytes of a line's latest result, once they are read. */
const useLatest = ({ latest }: Pick<Line, "latest">): Drill | undefined =>
  useQuery({ ...drillQuery(useWorld(), latest?.id ?? ""), enabled: latest !== null }).data;

const tones = { passed: "ok", failed: "bad", unproven: "off", not_run: "off" } as const;

/** What this consumer answered to a drill's requests. A 401 is right where one is due: the colour is the verdict's. */
export const Answers = ({ line }: { line: Pick<Line, "latest" | "proves"> }) => {
  const drill = useLatest(line);
  if (!drill) return null;
  const answers = answersOf(drill);
  const [first] = answers;
  const same = answers.every((answer) => answer === first);
  return (
    <span className={`webhooks-answers ${tones[markOf(line)]}`}>
      <span className="sr">answered </span>
      {same ? first : answers.join(", ")}
      {same && answers.length > 1 && <span className="t3"> ×{answers.length}</span>}
    </span>
  );
};

/** How a drill stands, in a few words. */
export const LineWords = ({ line, running }: { line: Line; running: boolean }) => {
  const drill = useLatest(line);
  return <span title={line.latest?.sentence}>{running ? "running" : lineWords(line, drill)}</span>;
};
