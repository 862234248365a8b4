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
  const now = refusal?.decisions.map((one) => one.id) ?? [];
  if (then.length + now.length > 0 || refusal !== null) return new Set([...then, ...now]);
  return new Set(partnerOperations.find((one) => one.id === id)?.decisions);
};

const byPolicies = async (client: ScenarioClient, differing: Differing): Promise<string[]> => {
  const { policies } = await client.must<{ policies: Readonly<Record<PolicyName, string>> }>("policies.get", {
    world: differing.world,
  });
  const changed = policyNames.filter((name) => policies[name] !== (differing.policies[name] ?? policies[name]));
  if (changed.length === 0) return [];
  const decisions = await decisionsOf(client, differing);
  return changed.flatMap((name) => {
    const { decision, question } = policyQuestions[name];
    const [then, now] = [differing.policies[name] ?? "", policies[name]];
    if (!decisions.has(decision)) return [];
    return `the policy ${name}: ${question} Then ${wordsOf(name, then)} (${then}), now ${wordsOf(name, now)} (${now}); assumption ${decision}`;
  });
};

/** The switches that what was answered rests on, each with what its other values would come to. */
const restsOn = async (client: ScenarioClient, differing: Differing): Promise<string[]> => {
  const decisions = await decisionsOf(client, differing);
  const names = policyNames.filter((name) => decisions.has(policyQuestions[name].decision));
  if (names.length === 0) return [];
  const { policies } = await client.must<{ policies: Readonly<Record<PolicyName, string>> }>("policies.get", {
    world: differing.world,
  });
  return names.map((name) => {
    const { decision, question } = policyQuestions[name];
    const others = policyChoices[name].filter((choice) => choice !== policies[name]);
    const would = others.map((choice) => `${choice} would ${wordsOf(name, choice)}`).join(", ");
    return `${RESTS_ON}${decision}, a switch: ${question} Here ${name} is ${policies[name]} (${wordsOf(name, policies[name])}); ${would}`;
  });
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
  const found = [...(await byPolicies(client, differing)), ...(await byFaults(client, differing))];
  if (recorded && recorded.version !== version)
    found.push(`the version: recorded by Integrations Explorer ${recorded.version}, run by ${version}`);
  if (found.length > 0) return found;
  const switches = await restsOn(client, differing);
  if (switches.length > 0) return switches;
  return [recorded && recorded.notes.length > 0 ? `${PERHAPS}${recorded.notes.join(" ")}` : UNEXPLAINED];
};
