import { policyNames, policyQuestions } from "../contract/control/policies.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import type { Recorded, Step } from "../contract/scenario.ts";

/** Policies by their names. */
export type ChangedPolicies = Readonly<Record<string, string>>;

/** What a run knows of itself when a step differs. */
interface Differing {
  readonly step: Step;
  readonly recorded: Recorded | undefined;
  /** How the switches stand in the file at this step. */
  readonly file: ChangedPolicies;
  /** Those that the run has set otherwise. */
  readonly run: ChangedPolicies;
  /** Of the service; undefined where it is not known. */
  readonly version: string | undefined;
}

/** The decisions that what a step is answered rests on. */
const decisionsOf = ({ deliveries, call, ...step }: Step): readonly string[] => {
  if (deliveries) return ["D72"];
  if (!call) return [];
  if ("decision" in step && step.decision) return [step.decision];
  return partnerOperations.find(({ id }) => id === call.operation)?.decisions ?? [];
};

/** What explains that a step differs: another policy than the file's, or another version of the service. */
export const explainDifference = ({ step, recorded, file, run, version }: Differing): string[] => {
  const decisions = decisionsOf(step);
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
