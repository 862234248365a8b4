import type { Static } from "typebox";
import * as Type from "typebox";
import { checks } from "../causes/row.ts";
import { Count, Items, Nullable, OneOf, OptionalNullable, Text, Timestamp, Uuid } from "../schema.ts";
import { act, withUnprocessable, worldScoped, writeOne } from "./declaring.ts";
import { FaultEffect } from "./fault-operations.ts";
import { policyNames } from "./policies.ts";
import { HeaderList, RequestRow } from "./rows.ts";

export const MAX_FINDINGS = 100;

const Finding = Type.Object({
  pointer: Type.String({ description: "JSON Pointer to the invalid field, which may be missing; empty: the body" }),
  message: Type.String({ description: "What is wrong, with the path of the field" }),
});
export const Findings = Type.Array(Finding, {
  description: `At most ${MAX_FINDINGS}; empty: the body is valid`,
});
/** D7: undeclared members. */
export const Ignored = Type.Array(Finding, {
  description: `Unknown fields, which the operation ignores (D7), each with the nearest known name; at most ${MAX_FINDINGS}`,
});

export const operationsCheck = worldScoped.readOne(
  "operations.check",
  "Validates a body against an operation’s request schema, without sending it. Checks the shape only, no other rule.",
  {
    operation: Text("An API or a control operation"),
    body: Type.String({ description: "The body as text; empty counts as {}" }),
  },
  Type.Object({
    findings: Findings,
    ignored: Ignored,
    refusal: Nullable(
      Type.Object(
        { status: Type.Integer(), code: Type.String() },
        { description: "The error for the first finding, with valid credentials" },
      ),
    ),
  }),
);

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
  whose_side: OneOf(
    ["partner", "sandbox", "fault"],
    "Where the cause is; `fault`: a fault armed in this world, or a test value of the job",
  ),
  cause: Nullable(Type.String({ description: "The cause’s name; null: no longer known" })),
  pointers: Type.Array(Pointer, { description: "The invalid fields" }),
  place: Type.Optional(
    Type.Object(
      { line: Type.Integer({ minimum: 1 }), column: Type.Integer({ minimum: 1 }) },
      { description: "Where the body stops being JSON; absent: it is JSON" },
    ),
  ),
  earlier: Type.Optional(Uuid("The earlier call that the cause follows from, such as the one that deleted the job")),
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
  more_suggestions: Count("How many more match than are listed"),
  ignored: Ignored,
  notes: Type.Optional(
    Type.Array(Type.String(), {
      description: "Headers, parameters of the address, repeated names and test values that were ignored",
    }),
  ),
  warning: Type.Optional(
    Type.String({
      description:
        "What the response of a call that succeeded doesn’t show: a subscription that receives nothing, an empty basket, a repeated insert, cleared fields",
    }),
  ),
  nearest: Nullable(
    Type.Object(
      { addresses: Type.Array(Type.String()), method: Nullable(Type.String()) },
      { description: "Why the call reached no operation" },
    ),
  ),
});
export type Explanation = Static<typeof Explanation>;

export const requestsExplain = worldScoped.readOne(
  "requests.explain",
  "Explains a call’s response: the checks it passed, the cause of a refusal, and a proposed correction, which has not been tried. Changes nothing.",
  { id: Uuid("The call’s ID (its x-request-id)") },
  Explanation,
);

export const Provocation = Type.Object({
  code: Type.String(),
  status: Type.Integer(),
  cause: Nullable(Type.String({ description: "The cause’s name, as in requests.explain; null: a fault responds" })),
  sentence: Type.String({ description: "Why the call is refused" }),
  own: Type.Boolean({ description: "Specific to the operation; false: any call can return it" }),
  after: Type.Array(
    Type.Object({
      operation: Type.String({ description: "Of partners or of the control plane" }),
      path: Type.String(),
      body: Type.String({ description: "The body as text" }),
      act_as: Nullable(Type.String({ description: "The integration whose key to send; null: none" })),
      tenant: Type.String({ description: "Value of X-Sandbox-Tenant" }),
      save: Type.Optional(Type.String({ description: "The name of its response for later calls" })),
    }),
    {
      description:
        "Calls to make first, in this order. `{{name.field}}` in a later call stands for a field of the response saved under the name",
    },
  ),
  call: Type.Object({
    operation: Type.String(),
    body: Type.String({ description: "The body as text" }),
    act_as: Nullable(Type.String({ description: "The integration whose key to send; null: none" })),
    tenant: Type.Optional(Type.String({ description: "Value of X-Sandbox-Tenant (default: the world’s name)" })),
    headers: HeaderList,
  }),
  fault: Nullable(
    Type.Object(
      { name: Type.String(), operation: Type.String(), effect: FaultEffect, uses: Type.Integer({ minimum: 1 }) },
      { description: "No call returns this error by itself. Pass this to faults.set first" },
    ),
  ),
  needs_policy: Nullable(
    Type.Object(
      { name: OneOf(policyNames), value: Type.String() },
      { description: "The setting the world needs first; null: none" },
    ),
  ),
});
export type Provocation = Static<typeof Provocation>;

export const operationsProvoke = worldScoped.readOne(
  "operations.provoke",
  "Every error an API operation can return, each with a call that reproduces it using seed data. Sends, arms and changes nothing.",
  { operation: Text("The operation’s name"), code: Type.Optional(Text("Only this error")) },
  Items(Provocation),
);

/** Limit on the pinned calls of a world. */
export const MAX_PINNED_CALLS = 200;

export const requestsAnnotate = writeOne(
  "requests.annotate",
  `Pins a call, which excludes its trace from retention (at most ${MAX_PINNED_CALLS} per world), or adds a note. A reset deletes pinned calls too.`,
  {
    id: Uuid(),
    pinned: Type.Optional(Type.Boolean({ description: "Absent: unchanged" })),
    note: OptionalNullable(Text("null: none; absent: unchanged")),
  },
  RequestRow,
  { ...withUnprocessable, ...act },
);

/** The number of newest calls whose user agents are listed. */
export const USER_AGENT_CALLS = 1_000;

export const requestsUserAgents = worldScoped.read(
  "requests.user-agents",
  `The User-Agent headers of the newest ${USER_AGENT_CALLS.toLocaleString("en")} calls, the most frequent first.`,
  {},
  Items(Type.Object({ user_agent: Text(), calls: Type.Integer({ minimum: 1 }) })),
);

const SearchHit = Type.Object({
  kind: OneOf([
    "job",
    "procurement",
    "insurer",
    "organization",
    "integration",
    "request",
    "delivery",
    "subscription",
    "stray",
  ]),
  id: Type.String({ description: "The item’s ID; for an insurer its organization" }),
  label: Type.String({ description: "A readable name" }),
  detail: Type.String({ description: "A short line that identifies it; may be empty" }),
  at: Type.Optional(Timestamp("When a call was made")),
  reason: Type.Optional(Type.String({ description: "Why a call was refused" })),
  world: Type.Optional(Type.String({ description: "Its world; absent: the one searched" })),
});
export type SearchHit = Static<typeof SearchHit>;

export const searchEverywhere = worldScoped.read(
  "search.everywhere",
  "Searches everything: the first six hits of each kind. Calls, deliveries and events are found by ID or by its first eight or more characters. Refused calls are also found by path, label, error code and job; the newest 1,000 also by headers and bodies. Calls to worlds that don’t exist (`stray`) are found with the control token only. If the world has no job, order, call or delivery that matches, the other worlds that you may see are searched for them and for subscriptions and installed integrations, on every node, the most recently used first: up to 32 worlds in two seconds.",
  { query: Type.String({ format: "text", pattern: "\\S", maxLength: 256, description: "Ignores case" }) },
  Type.Object({
    items: Type.Array(SearchHit),
    skipped_worlds: Type.Integer({
      minimum: 0,
      description: "How many other worlds were left out because six hits, 32 worlds or two seconds were reached",
    }),
  }),
);
