import { decisionOf } from "../contract/openapi/decisions.ts";
import type { Scenario } from "../contract/scenario.ts";
import { terminalText } from "../rules/terminal-text.ts";
import { junit } from "./junit.ts";
import {
  type ChangedPolicy,
  changedPolicyLine,
  countOf,
  everyStep,
  failed,
  type ScenarioResult,
  type StepResult,
  stepLines,
  sumLine,
  thenAt,
  titleOf,
} from "./report.ts";

/** What is said of a run, as it goes on and at its end: lines that no terminal acts on. */
interface Reporter {
  readonly started?: (scenario: Scenario, changed: readonly ChangedPolicy[]) => readonly string[];
  readonly step?: (result: StepResult, scenario: Scenario) => readonly string[];
  readonly ended?: (result: ScenarioResult) => readonly string[];
  readonly finished: (results: readonly ScenarioResult[]) => readonly string[];
}

/** Where answers differ, by the decision that what was expected rests on. */
const byDecision = (results: readonly ScenarioResult[]): string[] => {
  const places = new Map<string, string[]>();
  for (const { file, steps } of results)
    for (const { number, step, verdict } of steps) {
      const decision = step.call && step.decision;
      if (verdict.outcome === "differs" && decision)
        places.set(decision, [...(places.get(decision) ?? []), `${file} step ${number}`]);
    }
  const sorted = [...places].toSorted(([one], [other]) => one.localeCompare(other, "en", { numeric: true }));
  return sorted.map(([decision, where]) => `Differs from assumption ${decision}: ${where.join(", ")}.`);
};

const counted = (results: readonly ScenarioResult[]): string[] => {
  const bad = results.filter(failed);
  if (results.length === 1) return byDecision(results);
  const left = results.reduce((sum, { steps }) => sum + countOf(steps, "not_run"), 0);
  if (bad.length === 0 && left > 0) return ["", `Nothing that was run differs; ${left} steps were not run.`];
  if (bad.length === 0) return ["", `All ${results.length} scenarios held.`];
  const files = bad.map(({ file }) => file).join(", ");
  return ["", `${bad.length} of ${results.length} scenarios did not hold: ${files}.`, ...byDecision(results)];
};

const stepObject = (result: StepResult): object => {
  const { number, step, verdict, seconds } = result;
  const { outcome, detail, difference, explained, answer = null } = verdict;
  const decision = step.call && step.decision;
  return {
    ...{ number, name: titleOf(result), outcome, detail, seconds },
    ...(decision ? { decision: { id: decision, meaning: decisionOf(decision).meaning } } : {}),
    ...(difference ? { difference, answer } : {}),
    ...(difference && step.came ? { came: thenAt(step.came, difference.path) ?? null } : {}),
    ...(explained ? { explained } : {}),
  };
};

const scenarioObject = (result: ScenarioResult): object => ({
  file: result.file,
  name: result.scenario.name,
  held: !failed(result),
  changed_policies: result.changed,
  steps: everyStep(result).map(stepObject),
});

const shown = (lines: readonly string[]): string[] => lines.map(terminalText);

export const reporters = {
  text: {
    started: ({ name }, changed) => shown([name, ...changed.map((one) => `  ${changedPolicyLine(one)}`)]),
    step: (result, { steps }) => shown(stepLines(result, steps.length)),
    ended: (result) => shown([sumLine(result)]),
    finished: (results) => shown(counted(results)),
  },
  json: {
    finished: (results) =>
      shown(
        JSON.stringify({ held: !results.some(failed), scenarios: results.map(scenarioObject) }, null, 2).split("\n"),
      ),
  },
  junit: { finished: (results) => [junit(results)] },
} as const satisfies Readonly<Record<string, Reporter>>;

export type ReporterName = keyof typeof reporters;
export const reporterNames = Object.keys(reporters) as ReporterName[];
export const reporterOf = (name: ReporterName): Reporter => reporters[name];
