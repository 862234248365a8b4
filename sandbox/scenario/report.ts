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

export const countOf = (steps: readonly StepResult[], outcome: Verdict["outcome"]): number =>
  steps.filter(({ verdict }) => verdict.outcome === outcome).length;

/** Whether no step of it held: then nothing was shown, whatever was not run. */
export const nothingHeld = ({ steps }: ScenarioResult): boolean => countOf(steps, "held") === 0;

export const failed = (result: ScenarioResult): boolean => countOf(result.steps, "differs") > 0 || nothingHeld(result);

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
  const { answer, difference, explained = [] } = verdict;
  if (!difference) return [];
  const { path, expected, got } = difference;
  const then = step.came && thenAt(step.came, path);
  const asThen = step.came !== undefined && json(then) === json(got);
  const values =
    step.came && !asThen
      ? [`then      ${json(then ?? expected)}`, `now       ${json(got)}`]
      : [`expected  ${json(expected)}`, `got       ${json(got)}${asThen ? ", as when it was recorded" : ""}`];
  const decision = step.call && step.decision;
  return [
    ...(path === "" ? [] : [`path      ${path}`]),
    ...values,
    ...explained.map((one) => `explained by ${one}`),
    ...(decision ? [`rests on  assumption ${decision}: ${decisionOf(decision).meaning}`] : []),
    ...(answer === undefined ? [] : [`answer    ${answer}`]),
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
  const [held, differ, left] = (["held", "differs", "not_run"] as const).map((one) => countOf(result.steps, one));
  if (differ === 1 && result.steps.length < steps.length)
    return `${name}: step ${result.steps.length} of ${steps.length} did not hold; what comes after it was not run.`;
  if (held === steps.length) return `${name}: all ${plural(steps.length, "step")} held.`;
  if (differ === 0 && held === 0)
    return `${name}: no check passed, because none of ${plural(steps.length, "step")} was run.`;
  return `${name}: of ${steps.length} steps ${held} held, ${differ} did not, ${left} were not run.`;
};
