import type { Static } from "typebox";
import * as Type from "typebox";
import { controlOperation } from "../operation.ts";
import { partStatuses } from "../resources/job.ts";
import { Items, Nullable, OneOf } from "../schema.ts";
import { base, inWorld } from "./declaring.ts";
import { policyNames } from "./policies.ts";

const choice = { choice: Type.String({ description: "A value of the switch" }) };

const PolicyExample = Type.Object({
  policy: OneOf(policyNames),
  label: Type.String({ description: "What a person knows by it what the example is about" }),
  job_id: Type.String(),
  procurement_id: Nullable(Type.String()),
  answers: Type.Array(
    Type.Union([
      Type.Object(
        {
          ...choice,
          operation: Type.String(),
          status: Type.Integer(),
          code: Nullable(Type.String({ description: "What it is refused with" })),
          events: Type.Integer({ minimum: 0, description: "So many events it makes" }),
        },
        { description: "What a call is answered, in a trial that is undone" },
      ),
      Type.Object({ ...choice, part: Type.String(), part_status: OneOf(partStatuses) }),
      Type.Object({
        ...choice,
        attempts: Type.Integer({ minimum: 1, description: "So many have failed" }),
        wait_ms: Nullable(Type.Integer({ description: "Until the next, before it is spread; null: there is none" })),
      }),
    ]),
    { description: "One for each value, in the order of the switch" },
  ),
});
export type PolicyExample = Static<typeof PolicyExample>;

export const policiesExamples = controlOperation({
  ...base,
  id: "policies.examples",
  effect: "read",
  summary:
    "What each switch decides about something that is in this world now: every value is tried, and nothing is changed. A switch of which the world has no case yet is left out.",
  request: inWorld({}),
  response: Items(PolicyExample),
});
