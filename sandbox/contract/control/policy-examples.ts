import type { Static } from "typebox";
import * as Type from "typebox";
import { controlOperation } from "../operation.ts";
import { Items, Nullable, OneOf } from "../schema.ts";
import { base, inWorld } from "./declaring.ts";
import { policyNames } from "./policies.ts";

const PolicyExample = Type.Object({
  policy: OneOf(policyNames),
  case: Type.String({ description: "What happens, in a few words" }),
  answers: Type.Array(
    Type.Object({
      choice: Type.String({ description: "A value of the setting" }),
      status: Nullable(Type.Integer({ description: "What a call is answered; null: it is about no call" })),
      result: Type.String({ description: "The error code, or what follows in a few words" }),
    }),
    { description: "One for each value, in the order of the setting" },
  ),
});
export type PolicyExample = Static<typeof PolicyExample>;

export const policiesExamples = controlOperation({
  ...base,
  id: "policies.examples",
  effect: "read",
  summary: "What each value of each setting for an assumption leads to, by one example.",
  request: inWorld({}),
  response: Items(PolicyExample),
});
