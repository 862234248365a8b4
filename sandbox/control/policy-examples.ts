import { causeNames, causes, sentenceFor } from "../contract/causes.ts";
import { type PolicyName, policyChoices, policyNames } from "../contract/control/policies.ts";
import { type PolicyExample, policiesExamples } from "../contract/control/policy-examples.ts";
import { type ErrorCode, errorCodes } from "../contract/errors.ts";
import { decisionOf } from "../contract/openapi/decisions.ts";
import { partStatus } from "../rules/part-status.ts";
import { nextWaitMs } from "../rules/retry-schedule.ts";
import { type BoundControl, control } from "./handler.ts";

type Answers = PolicyExample["answers"];

const refusedWith = (code: ErrorCode) => ({ status: errorCodes[code].status, result: code });
const isCode = (choice: string): choice is ErrorCode => Object.hasOwn(errorCodes, choice);

/** The answers of a setting that decides whether a call is refused, and for what. */
const ofCause = (policy: PolicyName): Omit<PolicyExample, "policy"> | null => {
  const cause = causeNames.find((name) => causes[name].decisions.some((id) => decisionOf(id).policy === policy));
  if (!cause) return null;
  const { code } = causes[cause];
  const answers = policyChoices[policy].map((choice) => {
    if (choice === "reject" && code !== null && isCode(code)) return { choice, ...refusedWith(code) };
    return { choice, ...(isCode(choice) ? refusedWith(choice) : { status: 200, result: "accepted" }) };
  });
  return { case: sentenceFor(causes[cause], null), answers };
};

const spanOf = (ms: number): string => (ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`);

const ofRetries = (): Answers =>
  policyChoices.webhook_retries.map((choice) => {
    const wait = nextWaitMs(choice, 1, 0.5);
    return { choice, status: null, result: wait === null ? "no retry" : `retry after ${spanOf(wait)}` };
  });

const ofParts = (): Answers =>
  policyChoices.part_ordered_on.map((choice) => ({
    ...{ choice, status: null },
    result: `the part is ${partStatus(["order_requested"], choice)}`,
  }));

const exampleOf = (policy: PolicyName): Omit<PolicyExample, "policy"> => {
  if (policy === "part_ordered_on") return { case: "An order is placed and not yet confirmed.", answers: ofParts() };
  return ofCause(policy) ?? { case: "The first attempt to deliver an event failed.", answers: ofRetries() };
};

/** What the settings of a world decide. */
export const policyExampleControls: readonly BoundControl[] = [
  control(policiesExamples, () => ({ items: policyNames.map((policy) => ({ policy, ...exampleOf(policy) })) })),
];
