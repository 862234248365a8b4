import { valueAt } from "../contract/json-pointer.ts";
import { getDecision } from "../contract/openapi/decisions.ts";
import type { Scenario, Step } from "../contract/scenario.ts";
import { plural, terminalText } from "../contract/text.ts";
import type { ChangedPolicies } from "./explain-difference.ts";
import { notRun, type Verdict } from "./verdict.ts";

export interface StepResult {
  /** From 1. */
  readonly number: number;
  readonly step: Step;
  readonly verdict: Verdict;
  readonly seconds: number;
}

/** A run up to its end or its first failed step. */
export interface ScenarioResult {
  readonly file: string;
  readonly scenario: Scenario;
  readonly steps: readonly StepResult[];
  /** Settings that override the file's. */
  readonly policies: ChangedPolicies;
}

const WIDTH = 44;
const marks = { held: "ok  ", differs: "FAIL", not_run: "-   " } as const;

/** Formats a value of a difference. */
export const shownValue = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

export const stepTitle = ({ step, verdict }: Pick<StepResult, "step" | "verdict">): string =>
  step.name ?? step.call?.operation ?? step.call?.route ?? step.control?.operation ?? (verdict.detail || "step");

/** Returns every step, including those that were not reached. */
export const everyStep = ({ scenario, steps }: ScenarioResult): StepResult[] =>
  scenario.steps.map(
    (step, index) => steps[index] ?? { number: index + 1, step, verdict: notRun("an earlier step failed"), seconds: 0 },
  );

export const countOutcomes = (steps: readonly StepResult[], outcome: Verdict["outcome"]): number =>
  steps.filter(({ verdict }) => verdict.outcome === outcome).length;

/** Returns whether no step passed: the run proves nothing then. */
export const nothingPassed = ({ steps }: ScenarioResult): boolean => countOutcomes(steps, "held") === 0;

export const failed = (result: ScenarioResult): boolean =>
  countOutcomes(result.steps, "differs") > 0 || nothingPassed(result);

/** The decision behind a step's expectation. */
export const stepDecision = ({ call, ...step }: Step) =>
  call && "decision" in step && step.decision ? { id: step.decision, ...getDecision(step.decision) } : null;

/** Lines that explain a failed step; empty for a passed one. */
export const differenceLines = ({ step, verdict }: StepResult): string[] => {
  const { answer, difference, explained = [] } = verdict;
  if (!difference) return [];
  const { path, expected, got } = difference;
  const decision = stepDecision(step);
  return [
    ...(path === "" ? [] : [`path      ${path}`]),
    `expected  ${shownValue(expected)}`,
    `actual    ${shownValue(got)}`,
    ...(step.came ? [`recorded  ${shownValue(valueAt(step.came, path))}`] : []),
    ...explained.map((one) => `cause: ${one}`),
    ...(decision ? [`rests on  assumption ${decision.id}: ${decision.meaning}`] : []),
    ...(answer === undefined ? [] : [`response  ${answer}`]),
  ];
};

export const stepLines = (result: StepResult, steps: number): string[] => {
  const { number, verdict, step } = result;
  const title = step.name ?? (verdict.detail || stepTitle(result));
  const detail = title === verdict.detail ? "" : `  ${verdict.detail}`;
  const line = `${marks[verdict.outcome]} ${String(number).padStart(String(steps).length)}  ${detail === "" ? title : title.padEnd(WIDTH)}${detail}`;
  return [line.trimEnd(), ...differenceLines(result).map((one) => `       ${one}`)];
};

/** The summary line of a scenario. */
const sumLine = (result: ScenarioResult): string => {
  const steps = everyStep(result);
  const [held, differ, left] = (["held", "differs", "not_run"] as const).map((one) => countOutcomes(steps, one));
  const what = `${result.scenario.name}:`;
  if (held === steps.length) return `${what} all ${plural(steps.length, "step")} passed.`;
  if (left === steps.length) return `${what} no check passed: none of ${plural(left, "step")} ran.`;
  return `${what} of ${plural(steps.length, "step")} ${held} passed, ${differ} failed, ${left} did not run.`;
};

const counted = (results: readonly ScenarioResult[]): string[] => {
  if (results.length === 1) return [];
  const bad = results.filter(failed).map(({ file }) => file);
  if (bad.length > 0) return ["", `${bad.length} of ${results.length} scenarios failed: ${bad.join(", ")}.`];
  const left = results.reduce((sum, { steps }) => sum + countOutcomes(steps, "not_run"), 0);
  return left > 0
    ? ["", `All steps that ran passed; ${left} steps did not run.`]
    : ["", `All ${results.length} scenarios passed.`];
};

const shown = (lines: readonly string[]): string[] => lines.map(terminalText);

/** Output of a run; terminal control characters are escaped. */
export interface Reporter {
  readonly started?: (name: string, policies: ChangedPolicies) => readonly string[];
  /** @param steps total number of steps */
  readonly step?: (result: StepResult, steps: number) => readonly string[];
  readonly ended?: (result: ScenarioResult) => readonly string[];
  readonly finished: (results: readonly ScenarioResult[]) => readonly string[];
}

export const textReporter: Reporter = {
  started: (name, policies) =>
    shown([name, ...Object.entries(policies).map(([policy, value]) => `  with the setting ${policy} = ${value}`)]),
  step: (result, steps) => shown(stepLines(result, steps)),
  ended: (result) => shown([sumLine(result)]),
  finished: (results) => shown(counted(results)),
};
