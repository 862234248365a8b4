import type { Static } from "typebox";
import * as Type from "typebox";
import { checks } from "../causes.ts";
import { controlOperation } from "../operation.ts";
import { Nullable, OneOf, Uuid } from "../schema.ts";
import { Ignored } from "./check-operations.ts";
import { byId, inWorld } from "./declaring.ts";
import { policyNames } from "./policies.ts";
import { HeaderList, sides } from "./rows.ts";

const Pointer = Type.String({ description: "JSON Pointer into the request's body; empty: the whole body" });

export const CheckVerdict = Type.Object({
  check: OneOf(checks),
  name: Type.String({ description: "What a screen calls it" }),
  verdict: OneOf(["passed", "refused", "not_reached"]),
  fact: Nullable(Type.String({ description: "What was checked, in a few words; never a secret" })),
});
export type CheckVerdict = Static<typeof CheckVerdict>;

const ExplainedRefusal = Type.Object({
  sentence: Type.String(),
  code: Nullable(Type.String()),
  status: Type.Integer({ description: "0: the connection was closed without an answer" }),
  whose_side: OneOf(["partner", "sandbox", "fault"], "On whose side the cause is; `fault`: one armed in this world"),
  cause: Nullable(Type.String({ description: "What refused it, by its name; null where it is not known any more" })),
  pointers: Type.Array(Pointer, { description: "The fields at fault" }),
  section: Nullable(Type.String({ description: "Of the contract" })),
  decisions: Type.Array(
    Type.Object({
      id: Type.String(),
      meaning: Type.String(),
      policy: Nullable(
        Type.Object({
          name: OneOf(policyNames),
          value: Type.String({ description: "As this world is set now" }),
          choices: Type.Array(Type.String()),
        }),
      ),
    }),
  ),
  what_to_do: Type.String(),
});
export type ExplainedRefusal = Static<typeof ExplainedRefusal>;

export const Edit = Type.Object({
  in: OneOf(["body", "headers"]),
  pointer: Pointer,
  before: Type.Optional(Type.Unknown({ description: "Left out: it was not there" })),
  after: Type.Optional(Type.Unknown({ description: "Left out: it is taken away" })),
  reason: Type.String(),
});
export type Edit = Static<typeof Edit>;

const Correction = Type.Object({
  body: Type.Unknown({ description: "The whole body" }),
  credential: Nullable(
    Type.Object(
      { integration_id: Type.String(), organization_name: Type.String(), side: OneOf(sides) },
      { description: "Whose key to send it with; null: as it was" },
    ),
  ),
  headers: HeaderList,
  edits: Type.Array(Edit),
  would_answer: Type.Object(
    { status: Type.Integer(), outcome: Type.String() },
    { description: "It was tried now, and whatever it did was undone" },
  ),
});
export type Correction = Static<typeof Correction>;

export const Explanation = Type.Object({
  id: Type.String(),
  operation: Nullable(Type.String()),
  checks: Type.Array(CheckVerdict, { description: "In the order they are made; a fault only where one was met" }),
  refusal: Nullable(ExplainedRefusal),
  correction: Nullable(Correction),
  no_correction: Nullable(Type.String({ description: "Why there is none; null where there is one or none is needed" })),
  ignored: Ignored,
  nearest: Nullable(
    Type.Object(
      { addresses: Type.Array(Type.String()), method: Nullable(Type.String()) },
      { description: "Of a call that reached no operation" },
    ),
  ),
});
export type Explanation = Static<typeof Explanation>;

export const requestsExplain = controlOperation({
  ...byId,
  id: "requests.explain",
  effect: "read",
  summary:
    "Why an exchange was answered as it was: the checks it passed, what refused it, and the smallest correction that is accepted now.",
  request: inWorld({ id: Uuid("The call, by its x-request-id") }),
  response: Explanation,
});
