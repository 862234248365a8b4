import type { Explanation } from "../contract/control/explain-operations.ts";
import type { FaultFiring } from "../contract/control/fault-rows.ts";
import {
  type PolicyName,
  policyChoices,
  policyNames,
  policyQuestions,
  policyWords,
} from "../contract/control/policies.ts";
import { PERHAPS, RESTS_ON, UNEXPLAINED } from "../contract/explained-words.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import type { Recorded, Step } from "../contract/scenario.ts";
import type { ScenarioClient } from "./scenario-client.ts";

export interface Differing {
  readonly world: string;
  readonly step: Step;
  /** Of the call now; undefined where the step makes none. */
  readonly trace: string | undefined;
  readonly recorded: Recorded | undefined;
  /** How the switches stand in the file at this step. */
  readonly policies: Readonly<Record<string, string>>;
}

const wordsOf = (name: PolicyName, choice: string): string =>
  (policyWords[name] as Readonly<Record<string, string>>)[choice] ?? choice;

/** The decisions that what was answered then or now rests on. */
const decisionsOf = async (client: ScenarioClient, { step, world, trace }: Differing): Promise<Set<string>> => {
  if (step.deliveries) return new Set(["D72"]);
  if (!step.call || trace === undefined) return new Set();
  const { operation: id } = step.call;
  const { refusal } = await client.must<Explanation>("requests.explain", { world, id: trace });
  const then = step.decision === undefined ? [] : [step.decision];
  if (refusal !== null || then.length > 0)
    return new Set([...then, ...(refusal?.decisions ?? []).map((one) => one.id)]);
  return new Set(partnerOperations.find((one) => one.id === id)?.decisions);
};

/** The switches that what was answered rests on: those that are set otherwise, and what the others would come to. */
const byPolicies = async (client: ScenarioClient, differing: Differing) => {
  const decisions = await decisionsOf(client, differing);
  const names = policyNames.filter((name) => decisions.has(policyQuestions[name].decision));
  const asked = { world: differing.world };
  const { policies } =
    names.length === 0
      ? { policies: {} as Partial<Record<PolicyName, string>> }
      : await client.must<{ policies: Partial<Record<PolicyName, string>> }>("policies.get", asked);
  const changed: string[] = [];
  const same: string[] = [];
  for (const name of names) {
    const { decision, question } = policyQuestions[name];
    const now = policies[name] ?? "";
    const then = differing.policies[name] ?? now;
    const others = policyChoices[name].filter((choice) => choice !== now);
    if (then !== now)
      changed.push(
        `the policy ${name}: ${question} Then ${wordsOf(name, then)} (${then}), now ${wordsOf(name, now)} (${now}); assumption ${decision}`,
      );
    else
      same.push(
        `${RESTS_ON}${decision}, a switch: ${question} Here ${name} is ${now} (${wordsOf(name, now)}); ${others.map((choice) => `${choice} would ${wordsOf(name, choice)}`).join(", ")}`,
      );
  }
  return { changed, same };
};

const byFaults = async (client: ScenarioClient, { step, world, trace }: Differing): Promise<string[]> => {
  if (!step.call || trace === undefined) return [];
  const { faults } = await client.must<{ faults: readonly FaultFiring[] }>("traces.get", { world, id: trace });
  const now = faults.map(({ sentence }) => sentence);
  const then = step.came?.faults ?? [];
  return [
    ...now.filter((one) => !then.includes(one)).map((one) => `a fault that fired now and not then: ${one}`),
    ...then.filter((one) => !now.includes(one)).map((one) => `a fault that fired then and not now: ${one}`),
  ];
};

/** What explains that a step differs from what was recorded: only what is known of it. @throws UnreachableError */
export const explainDifference = async (client: ScenarioClient, differing: Differing): Promise<string[]> => {
  const { recorded } = differing;
  const { version } = await client.must<{ version: string }>("service.info", {});
  const { changed, same } = await byPolicies(client, differing);
  const found = [...changed, ...(await byFaults(client, differing))];
  if (recorded && recorded.version !== version)
    found.push(`the version: recorded by Integrations Explorer ${recorded.version}, run by ${version}`);
  if (found.length > 0) return found;
  if (same.length > 0) return same;
  return [recorded && recorded.notes.length > 0 ? `${PERHAPS}${recorded.notes.join(" ")}` : UNEXPLAINED];
};
