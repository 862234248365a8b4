import type { Static } from "typebox";
import * as Type from "typebox";
import { Items, Nullable, OneOf, Text } from "../schema.ts";
import { readOne, view } from "./declaring.ts";
import { FaultEffect } from "./fault-rows.ts";
import { policyNames } from "./policies.ts";
import { HeaderList } from "./rows.ts";

export const Provocation = Type.Object({
  code: Type.String(),
  status: Type.Integer(),
  cause: Nullable(Type.String({ description: "The cause’s name, as in requests.explain; null: a fault responds" })),
  sentence: Type.String({ description: "Why the call is refused" }),
  own: Type.Boolean({ description: "Specific to the operation; false: any call can return it" }),
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

export const operationsProvoke = readOne(
  "operations.provoke",
  "Every error an API operation can return, each with a call that reproduces it using seed data. Sends, arms and changes nothing.",
  { operation: Text("The operation’s name"), code: Type.Optional(Text("Only this error")) },
  Items(Provocation),
  view,
);
