import type { Static } from "typebox";
import * as Type from "typebox";
import { controlOperation } from "../operation.ts";
import { Items, Nullable, Text, Uuid } from "../schema.ts";
import { byId, inWorld, reveal } from "./declaring.ts";
import { FaultEffect } from "./fault-rows.ts";
import { HeaderList } from "./rows.ts";

const ProvokingCall = Type.Object({
  operation: Type.String(),
  body: Type.String({ description: "The text as it is to be sent" }),
  act_as: Nullable(Type.String({ description: "The integration whose key it is sent with; null: without a key" })),
  tenant: Type.Optional(Type.String({ description: "Sent as X-Sandbox-Tenant; left out: the world’s name" })),
  headers: HeaderList,
});

const ProvokingFault = Type.Object(
  {
    name: Type.String(),
    operation: Type.String(),
    integration_id: Type.Optional(Type.String()),
    effect: FaultEffect,
    uses: Type.Integer({ minimum: 1 }),
  },
  { description: "No call is answered so by itself: faults.set takes this, and answers the call in its place" },
);

export const Provocation = Type.Object({
  code: Type.String(),
  status: Type.Integer(),
  cause: Nullable(Type.String({ description: "What refuses it, by the name requests.explain has for it" })),
  name: Type.String({ description: "The error in a few words" }),
  own: Type.Boolean({ description: "Of the operation itself; false: any call may be answered so" }),
  says: Type.String({ description: "What the call does to be answered so; empty where there is none" }),
  call: Nullable(ProvokingCall),
  fault: Nullable(ProvokingFault),
  needs: Nullable(Type.String({ description: "What to do first, where no call of this world is answered so yet" })),
});
export type Provocation = Static<typeof Provocation>;

export const operationsProvoke = controlOperation({
  ...byId,
  id: "operations.provoke",
  effect: "read",
  summary:
    "Every error an operation can give, each with a call of this world’s own things that is answered so: of the contract, the extensions, the webhook routes and the control plane. Nothing is sent, armed or changed.",
  request: inWorld({
    operation: Text("Its identifier"),
    code: Type.Optional(Text("Only this error")),
    integration_id: Type.Optional(Uuid("Whose call it should be, where the error leaves the choice")),
    ...reveal,
  }),
  response: Items(Provocation),
});
