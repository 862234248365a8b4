import type { Drill } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { Origin } from "../../../components/origin.tsx";
import { State } from "../../../components/state.tsx";
import { Answers } from "./answers.tsx";
import type { Line } from "./score.ts";

/** The rule a right answer follows from: the contract asks for the 200 and the refusal, D78 for which refusal. */
const Must = ({ expected }: { expected: Drill["expected"] }) =>
  expected.answer === "acknowledge" ? (
    <>
      <b className="m">200</b> <span className="t2">acknowledges it</span> <Origin of="contract" />
    </>
  ) : (
    <>
      <b className="m">{expected.status}</b> <span className="m11">{expected.reason}</span>{" "}
      <span className="t2">refuses it; any 4xx does</span> <Origin of="assumption" id="D78" tight />
    </>
  );

/** What a correct consumer answers beside what this one answered, and the verdict. */
export const DrillComparison = ({ line, running }: { line: Line; running: boolean }) => {
  const { expected, latest } = line;
  return (
    <dl className="webhooks-comparison">
      <dt>A correct consumer</dt>
      <dd>
        <Must expected={expected} />
      </dd>
      <dt>This one</dt>
      <dd>
        {running ? (
          <State of="running" />
        ) : latest === null ? (
          <span className="t3">not run yet</span>
        ) : (
          <>
            <Answers line={line} />{" "}
            <span className={latest.verdict === "failed" ? "webhooks-failed" : "t2"}>{latest.sentence}</span>
          </>
        )}
      </dd>
    </dl>
  );
};
