import { Flex } from "@mantine/core";
import type { Step } from "../../../sandbox/contract/scenario.ts";
import { HttpStatus } from "../../components/http-status.tsx";
import { Side } from "../../components/side.tsx";
import { plural } from "../../lib/formatting.ts";
import { calledBy, checkedWords, statusWanted, stepTitle } from "./step-words.ts";
import styles from "./steps.module.css";

const MOST_SHOWN = 50;

/** Whose key the call of a step is made with; nothing where the step makes none. */
export const StepCaller = ({ step: { call } }: { step: Step }) => {
  if (!call) return null;
  if (call.as === "repairer" || call.as === "supplier") return <Side side={call.as} />;
  return (
    <span className="t12 t3 nw" title={call.credentials && "Uses the credentials set in the step"}>
      {call.credentials ? "own key" : "no key"}
    </span>
  );
};

/** What must come of a step. */
export const StepWanted = ({ step }: { step: Step }) => {
  const status = statusWanted(step);
  return (
    <>
      {status !== null && <HttpStatus status={status} />}
      <span className="t12 t2">{checkedWords(step)}</span>
    </>
  );
};

/** The steps of what is not kept yet: each with who calls, what, and the answer that is expected. */
export const StepList = ({ steps }: { steps: readonly Step[] }) => (
  <>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard */}
    <ol className={styles.list} tabIndex={0} aria-label="Steps">
      {steps.slice(0, MOST_SHOWN).map((step, index) => {
        const [title, operation] = [stepTitle(step), calledBy(step)];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its number
          <li key={index}>
            <div>
              <span className={styles.what}>
                {title} {operation !== null && operation !== title && <span className="m11 t3">{operation}</span>}
              </span>
              <span>
                <StepCaller step={step} />
              </span>
              <Flex component="span" columnGap="sm" rowGap={0} align="stretch" wrap="wrap" miw={0}>
                <span className="sr">expected:</span>
                <StepWanted step={step} />
              </Flex>
            </div>
          </li>
        );
      })}
    </ol>
    {steps.length > MOST_SHOWN && <p className="t12 t2">and {plural(steps.length - MOST_SHOWN, "more step")}</p>}
  </>
);
