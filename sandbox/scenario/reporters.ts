import { terminalText } from "../contract/text.ts";
import type { ChangedPolicies } from "./explain-difference.ts";
import { junit } from "./junit.ts";
import { countOf, failed, type ScenarioResult, type StepResult, stepLines, sumLine } from "./report.ts";

/** What is said of a run, as it goes on and at its end: lines that no terminal acts on. */
interface Reporter {
  readonly started?: (name: string, policies: ChangedPolicies) => readonly string[];
  /** @param steps how many there are */
  readonly step?: (result: StepResult, steps: number) => readonly string[];
  readonly ended?: (result: ScenarioResult) => readonly string[];
  readonly finished: (results: readonly ScenarioResult[]) => readonly string[];
}

const counted = (results: readonly ScenarioResult[]): string[] => {
  if (results.length === 1) return [];
  const bad = results.filter(failed).map(({ file }) => file);
  if (bad.length > 0) return ["", `${bad.length} of ${results.length} scenarios failed: ${bad.join(", ")}.`];
  const left = results.reduce((sum, { steps }) => sum + countOf(steps, "not_run"), 0);
  return left > 0
    ? ["", `All steps that ran passed; ${left} steps did not run.`]
    : ["", `All ${results.length} scenarios passed.`];
};

const shown = (lines: readonly string[]): string[] => lines.map(terminalText);

export const reporters = {
  text: {
    started: (name, policies) =>
      shown([name, ...Object.entries(policies).map(([policy, value]) => `  with the setting ${policy} = ${value}`)]),
    step: (result, steps) => shown(stepLines(result, steps)),
    ended: (result) => shown([sumLine(result)]),
    finished: (results) => shown(counted(results)),
  },
  junit: { finished: (results) => [junit(results)] },
} as const satisfies Readonly<Record<string, Reporter>>;

export type ReporterName = keyof typeof reporters;
export const reporterNames = Object.keys(reporters) as ReporterName[];
export const reporterOf = (name: ReporterName): Reporter => reporters[name];
