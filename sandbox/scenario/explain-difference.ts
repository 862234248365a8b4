import { policyNames, policyQuestions } from "../contract/control/policies.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import type { Recorded, Step } from "../contract/scenario.ts";

/** Settings by name. */
export type ChangedPolicies = Readonly<Record<string, string>>;

/** The run's state when a step differs. */
interface DifferingStep {
  readonly step: Step;
  readonly recorded: Recorded | undefined;
  /** The file's settings at this step. */
  readonly file: ChangedPolicies;
  /** Settings that the run overrides. */
  readonly run: ChangedPolicies;
  /** The service's version; undefined when unknown. */
  readonly version: string | undefined;
}

/** The decisions that determine a step's response. */
const stepDecisions = ({ deliveries, call, ...step }: Step): readonly string[] => {
  if (deliveries) return ["D72"];
  if (!call) return [];
  if ("decision" in step && step.decision) return [step.decision];
  return partnerOperations.find(({ id }) => id === call.operation)?.decisions ?? [];
};

/** Explains a difference by a setting other than the file's, or by another version of the service. */
export const explainDifference = ({ step, recorded, file, run, version }: DifferingStep): string[] => {
  const decisions = stepDecisions(step);
  const changed = policyNames.filter(
    (name) => decisions.includes(policyQuestions[name].decision) && (run[name] ?? file[name]) !== file[name],
  );
  return [
    ...changed.map(
      (name) =>
        `setting "${policyQuestions[name].question}" changed from ${file[name]} to ${run[name]}; assumption ${policyQuestions[name].decision}`,
    ),
    ...(recorded && version !== undefined && recorded.version !== version
      ? [`the version: recorded by Integrations Explorer ${recorded.version}, run by ${version}`]
      : []),
  ];
};
