import { decisionOf } from "../contract/openapi/decisions.ts";
import type { Scenario } from "../contract/scenario.ts";
import { junit } from "./junit.ts";
import {
  type ChangedPolicy,
  changedPolicyLine,
  everyStep,
  failed,
  type ScenarioResult,
  type StepResult,
  stepLines,
  sumLine,
  thenAt,
  titleOf,
} from "./report.ts";

/** What is said of a run, as it goes on and at its end. */
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
  const left = results.flatMap(({ steps }) => steps.filter(({ verdict }) => verdict.outcome === "not_run")).length;
  if (bad.length === 0 && left > 0) return ["", `Nothing that was run differs; ${left} steps were not run.`];
  return bad.length === 0
    ? ["", `All ${results.length} scenarios held.`]
    : [
        "",
        `${bad.length} of ${results.length} scenarios did not hold: ${bad.map(({ file }) => file).join(", ")}.`,
        ...byDecision(results),
      ];
};

const stepObject = (result: StepResult): object => {
  const { number, step, verdict, seconds } = result;
  const { outcome, detail } = verdict;
  return {
    number,
    name: titleOf(result),
    outcome,
    detail,
    seconds,
    ...(step.call && step.decision
      ? { decision: { id: step.decision, meaning: decisionOf(step.decision).meaning } }
      : {}),
    ...(verdict.outcome === "differs"
      ? {
          difference: verdict.difference,
          ...(step.came ? { came: thenAt(step.came, verdict.difference.path) ?? null } : {}),
          ...(verdict.explained ? { explained: verdict.explained } : {}),
          answer: verdict.answer ?? null,
        }
      : {}),
  };
};

const scenarioObject = (result: ScenarioResult): object => ({
  file: result.file,
  name: result.scenario.name,
  held: !failed(result),
  changed_policies: result.changed,
  steps: everyStep(result).map(stepObject),
});

export const reporters = {
  text: {
    started: ({ name }, changed) => [name, ...changed.map((one) => `  ${changedPolicyLine(one)}`)],
    step: (result, { steps }) => stepLines(result, steps.length),
    ended: (result) => [sumLine(result)],
    finished: counted,
  },
  json: {
    finished: (results) => [
      JSON.stringify({ held: !results.some(failed), scenarios: results.map(scenarioObject) }, null, 2),
    ],
  },
  junit: { finished: (results) => [junit(results)] },
} as const satisfies Readonly<Record<string, Reporter>>;

export type ReporterName = keyof typeof reporters;
export const reporterNames = Object.keys(reporters) as ReporterName[];
export const reporterOf = (name: ReporterName): Reporter => reporters[name];
