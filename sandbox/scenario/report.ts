import { explainedLine, RESTS_ON } from "../contract/explained-words.ts";
import { decisionOf } from "../contract/openapi/decisions.ts";
import { plural } from "../contract/plural.ts";
import type { Came, Scenario, Step } from "../contract/scenario.ts";
import { notRun, type Verdict } from "./verdict.ts";

/** A step that was run. */
export interface StepResult {
  /** From 1. */
  readonly number: number;
  readonly step: Step;
  readonly verdict: Verdict;
  readonly seconds: number;
}

/** A policy that a run changed: what the file says, and what it ran with. */
export interface ChangedPolicy {
  readonly name: string;
  readonly file: string;
  readonly run: string;
}

/** In words, for every report. */
export const changedPolicyLine = ({ name, file, run }: ChangedPolicy): string =>
  `run with another policy than the file's: ${name} = ${run} (the file: ${file})`;

/** A scenario that was run, up to its end or to the first step that does not hold. */
export interface ScenarioResult {
  readonly file: string;
  readonly scenario: Scenario;
  readonly steps: readonly StepResult[];
  readonly changed: readonly ChangedPolicy[];
}

/** An answer is shown up to here. */
const SHOWN = 2_000;
const WIDTH = 44;
const marks = { held: "ok  ", differs: "FAIL", not_run: "-   " } as const;

const json = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

export const titleOf = ({ step, verdict }: Pick<StepResult, "step" | "verdict">): string =>
  step.name ?? step.call?.operation ?? step.call?.route ?? step.control?.operation ?? (verdict.detail || "step");

/** Every step of a scenario, those as well that were not come to. */
export const everyStep = ({ scenario, steps }: ScenarioResult): StepResult[] =>
  scenario.steps.map(
    (step, index) =>
      steps[index] ?? { number: index + 1, step, verdict: notRun("an earlier step did not hold"), seconds: 0 },
  );

export const failed = ({ steps }: ScenarioResult): boolean =>
  steps.some(({ verdict }) => verdict.outcome === "differs");

/** What came at a path when a step was recorded. @param path a JSON Pointer; undefined: nothing */
export const thenAt = (came: Came, path: string): unknown => {
  let value: unknown = came;
  for (const key of path.split("/").slice(1)) {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
};

/** What a step that does not hold came to; nothing where it holds. */
export const differenceLines = ({ step, verdict }: StepResult): string[] => {
  if (verdict.outcome !== "differs") return [];
  const { answer, difference, explained = [] } = verdict;
  const { path, expected, got } = difference;
  const then = step.came && thenAt(step.came, path);
  const asThen = step.came !== undefined && json(then) === json(got);
  const values =
    step.came && !asThen
      ? [`then      ${json(then ?? expected)}`, `now       ${json(got)}`]
      : [`expected  ${json(expected)}`, `got       ${json(got)}${asThen ? ", as when it was recorded" : ""}`];
  return [
    ...(path === "" ? [] : [`path      ${path}`]),
    ...values,
    ...explained.filter((one) => !asThen || one.startsWith(RESTS_ON)).map(explainedLine),
    ...(step.call && step.decision && !explained.some((one) => one.startsWith(RESTS_ON))
      ? [`rests on  assumption ${step.decision}: ${decisionOf(step.decision).meaning}`]
      : []),
    ...(answer === undefined || answer === ""
      ? []
      : [`answer    ${answer.length > SHOWN ? `${answer.slice(0, SHOWN)}…` : answer}`]),
  ];
};

/** The lines of a step's verdict. */
export const stepLines = (result: StepResult, steps: number): string[] => {
  const { number, verdict, step } = result;
  const title = step.name ?? (verdict.detail || titleOf(result));
  const detail = title === verdict.detail ? "" : `  ${verdict.detail}`;
  const line = `${marks[verdict.outcome]} ${String(number).padStart(String(steps).length)}  ${detail === "" ? title : title.padEnd(WIDTH)}${detail}`;
  return [line.trimEnd(), ...differenceLines(result).map((one) => `       ${one}`)];
};

/** The last line. */
export const sumLine = (result: ScenarioResult): string => {
  const { name, steps } = result.scenario;
  const of = (outcome: Verdict["outcome"]) => result.steps.filter(({ verdict }) => verdict.outcome === outcome);
  const [differing] = of("differs");
  if (differing && result.steps.length < steps.length)
    return `${name}: step ${differing.number} of ${steps.length} did not hold; what comes after it was not run.`;
  if (of("held").length === steps.length) return `${name}: all ${plural(steps.length, "step")} held.`;
  return `${name}: of ${steps.length} steps ${of("held").length} held, ${of("differs").length} did not, ${of("not_run").length} were not run.`;
};
