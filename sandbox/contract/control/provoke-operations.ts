import type { Static } from "typebox";
import * as Type from "typebox";
import { Items, Nullable, OneOf, Text } from "../schema.ts";
import { readOne } from "./declaring.ts";
import { FaultEffect } from "./fault-rows.ts";
import { policyNames } from "./policies.ts";
import { HeaderList } from "./rows.ts";

export const Provocation = Type.Object({
  code: Type.String(),
  status: Type.Integer(),
  cause: Nullable(Type.String({ description: "By the name requests.explain has for it; null: a fault answers" })),
  sentence: Type.String({ description: "Why the call is refused" }),
  own: Type.Boolean({ description: "Of the operation itself; false: any call may be answered so" }),
  call: Type.Object({
    operation: Type.String(),
    body: Type.String({ description: "The text as it is to be sent" }),
    act_as: Nullable(Type.String({ description: "The integration whose key it is sent with; null: without a key" })),
    tenant: Type.Optional(Type.String({ description: "Sent as X-Sandbox-Tenant; left out: the world’s name" })),
    headers: HeaderList,
  }),
  fault: Nullable(
    Type.Object(
      { name: Type.String(), operation: Type.String(), effect: FaultEffect, uses: Type.Integer({ minimum: 1 }) },
      { description: "No call is answered so by itself: faults.set takes this, and answers the call in its place" },
    ),
  ),
  needs_policy: Nullable(
    Type.Object(
      { name: OneOf(policyNames), value: Type.String() },
      { description: "What this world has to be set to first; null: nothing" },
    ),
  ),
});
export type Provocation = Static<typeof Provocation>;

export const operationsProvoke = readOne(
  "operations.provoke",
  "Every error that an operation of a partner can give, each with a call about records of the seed that is answered so. Nothing is sent, armed or changed.",
  { operation: Text("Its identifier"), code: Type.Optional(Text("Only this error")) },
  Items(Provocation),
);
