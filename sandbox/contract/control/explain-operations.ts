import type { Static } from "typebox";
import * as Type from "typebox";
import { checks } from "../causes.ts";
import { Nullable, OneOf, Uuid } from "../schema.ts";
import { Ignored } from "./check-operations.ts";
import { readOne, view } from "./declaring.ts";
import { policyNames } from "./policies.ts";

const Pointer = Type.String({ description: "JSON Pointer into the request body; empty: the whole body" });

const CheckVerdict = Type.Object({
  check: OneOf(checks),
  name: Type.String({ description: "A label to display" }),
  verdict: OneOf(["passed", "refused", "not_reached"]),
});
export type CheckVerdict = Static<typeof CheckVerdict>;

const ExplainedRefusal = Type.Object({
  sentence: Type.String(),
  code: Nullable(Type.String()),
  status: Type.Integer({ description: "0: the connection was closed without a response" }),
  whose_side: OneOf(["partner", "sandbox", "fault"], "Where the cause is; `fault`: a fault armed in this world"),
  cause: Nullable(Type.String({ description: "The cause’s name; null: no longer known" })),
  pointers: Type.Array(Pointer, { description: "The invalid fields" }),
  section: Nullable(Type.String({ description: "The section of the contract" })),
  decisions: Type.Array(
    Type.Object({
      id: Type.String(),
      meaning: Type.String(),
      policy: Nullable(
        Type.Object({
          name: OneOf(policyNames),
          value: Type.String({ description: "The world’s current setting" }),
          choices: Type.Array(Type.String()),
        }),
      ),
    }),
  ),
  what_to_do: Type.String(),
});
export type ExplainedRefusal = Static<typeof ExplainedRefusal>;

export const Edit = Type.Object({
  pointer: Pointer,
  before: Type.Optional(Type.Unknown({ description: "Absent: the field was missing" })),
  after: Type.Optional(Type.Unknown({ description: "Absent: the field is removed" })),
  reason: Type.String(),
});
export type Edit = Static<typeof Edit>;

const Correction = Type.Object({
  body: Type.Unknown({ description: "The whole body" }),
  edits: Type.Array(Edit, { minItems: 1 }),
});
export type Correction = Static<typeof Correction>;

const Suggestion = Type.Object({ pointer: Pointer, value: Type.String(), label: Type.String() });
export type Suggestion = Static<typeof Suggestion>;

export const Explanation = Type.Object({
  id: Type.String(),
  operation: Nullable(Type.String()),
  checks: Type.Array(CheckVerdict, { description: "In order; a fault only if the call met one" }),
  refusal: Nullable(ExplainedRefusal),
  correction: Nullable(Correction),
  suggestions: Type.Array(Suggestion, {
    description: "Known values for an invalid field, where several match, at most 8",
  }),
  more_suggestions: Type.Integer({ minimum: 0, description: "How many more match than are listed" }),
  ignored: Ignored,
  nearest: Nullable(
    Type.Object(
      { addresses: Type.Array(Type.String()), method: Nullable(Type.String()) },
      { description: "Why the call reached no operation" },
    ),
  ),
});
export type Explanation = Static<typeof Explanation>;

export const requestsExplain = readOne(
  "requests.explain",
  "Explains a call’s response: the checks it passed, the cause of a refusal, and a proposed correction, which has not been tried. Changes nothing.",
  { id: Uuid("The call’s ID (its x-request-id)") },
  Explanation,
  view,
);
