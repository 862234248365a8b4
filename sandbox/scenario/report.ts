import { decisionOf } from "../contract/openapi/decisions.ts";
import type { Scenario } from "../contract/scenario.ts";
import type { StepResult } from "./run-scenario.ts";

/** An answer is shown up to here. */
const SHOWN = 2_000;
const WIDTH = 44;

const json = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

const titleOf = ({ step, verdict }: StepResult): string =>
  step.name ?? (verdict.detail || (step.call?.operation ?? step.control?.operation ?? "step"));

/** The lines of a step's verdict. */
export const stepLines = (result: StepResult, steps: number): string[] => {
  const { number, verdict, step } = result;
  const mark = verdict.held ? "ok  " : "FAIL";
  const detail = step.name === undefined ? "" : `  ${verdict.detail}`;
  const title = detail === "" ? titleOf(result) : titleOf(result).padEnd(WIDTH);
  const line = `${mark} ${String(number).padStart(String(steps).length)}  ${title}${detail}`.trimEnd();
  if (verdict.held) return [line];
  const { path, expected, got } = verdict.difference;
  const { answer } = verdict;
  return [
    line,
    ...(path === "" ? [] : [`       path      ${path}`]),
    `       expected  ${json(expected)}`,
    `       got       ${json(got)}`,
    ...(step.call && step.decision
      ? [`       rests on  assumption ${step.decision}: ${decisionOf(step.decision).meaning}`]
      : []),
    ...(answer === undefined || answer === ""
      ? []
      : [`       answer    ${answer.length > SHOWN ? `${answer.slice(0, SHOWN)}…` : answer}`]),
  ];
};

/** The last line. @param failedAt the number of the step that did not hold, or null */
export const sumLine = ({ name, steps }: Scenario, failedAt: number | null): string => {
  const all = `${steps.length} ${steps.length === 1 ? "step" : "steps"}`;
  return failedAt === null
    ? `${name}: all ${all} held.`
    : `${name}: step ${failedAt} of ${steps.length} did not hold; what comes after it was not run.`;
};
