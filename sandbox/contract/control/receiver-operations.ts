import * as Type from "typebox";
import { drillNames } from "../drill-names.ts";
import { controlOperation } from "../operation.ts";
import { Items, OneOf, Page, Uuid } from "../schema.ts";
import { base, byId, inWorld, paged } from "./declaring.ts";
import { Drill, Receipt, Receiver, ReceiverBehaviour, Scorecard } from "./receiver-rows.ts";

export const deliveriesSendDrill = controlOperation({
  ...byId,
  id: "deliveries.send-drill",
  inScenario: true,
  effect: "write",
  summary:
    "Tests the receiver of a delivery with its notification, repeated or with one thing wrong; the delivery stays as it is.",
  request: inWorld({ id: Uuid("A delivery whose subscription goes on"), drill: OneOf(drillNames) }),
  response: Drill,
});
export const drillsList = controlOperation({
  ...byId,
  id: "drills.list",
  inScenario: true,
  effect: "read",
  summary: "A subscription's scorecard: the latest result of every drill.",
  request: inWorld({ subscription_id: Uuid() }),
  response: Scorecard,
});
export const drillsGet = controlOperation({
  ...byId,
  id: "drills.get",
  inScenario: true,
  effect: "read",
  summary: "One drill that was run: what was sent and answered, byte for byte. The latest of each drill is kept.",
  request: inWorld({ id: Uuid() }),
  response: Drill,
});
export const drillsRunAll = controlOperation({
  ...byId,
  id: "drills.run-all",
  inScenario: true,
  effect: "write",
  summary: "Runs every drill on a subscription, made from its newest delivery, and answers the scorecard.",
  request: inWorld({ subscription_id: Uuid() }),
  response: Scorecard,
});

export const receiversCreate = controlOperation({
  ...byId,
  id: "receivers.create",
  inScenario: true,
  effect: "write",
  summary: "Makes a built-in receiver and subscribes it for an integration, in one step.",
  request: inWorld({
    integration_id: Uuid(),
    behaviour: Type.Optional(Type.Partial(ReceiverBehaviour)),
  }),
  response: Receiver,
});
export const receiversList = controlOperation({
  ...base,
  id: "receivers.list",
  inScenario: true,
  effect: "read",
  summary: "The built-in receivers of a world, oldest first.",
  request: inWorld({}),
  response: Items(Receiver),
});
export const receiversSet = controlOperation({
  ...byId,
  id: "receivers.set",
  inScenario: true,
  effect: "write",
  summary: "Changes what a receiver does; what is left out stays. Its count starts anew.",
  request: inWorld({ id: Uuid(), behaviour: Type.Partial(ReceiverBehaviour) }),
  response: Receiver,
});
export const receiversDelete = controlOperation({
  ...byId,
  id: "receivers.delete",
  inScenario: true,
  effect: "write",
  summary: "Ends a receiver, its subscription and what still waits for it.",
  request: inWorld({ id: Uuid() }),
  response: Type.Object({ ok: Type.Boolean() }),
});
export const receiversReceived = controlOperation({
  ...byId,
  id: "receivers.received",
  inScenario: true,
  effect: "read",
  summary: "What a receiver was sent and what it made of it, newest first; the newest 500 are kept.",
  request: inWorld({ id: Uuid(), ...paged }),
  response: Page(Receipt),
});
export const sinkList = controlOperation({
  ...base,
  id: "sink.list",
  effect: "read",
  summary:
    "What the reference sink accepted and refused, newest first: the newest 200, of every world, since the service started.",
  request: inWorld({}),
  response: Items(Receipt),
});

/** Drills, the built-in receivers and the sink. */
export const receiverOperations = [
  deliveriesSendDrill,
  drillsList,
  drillsGet,
  drillsRunAll,
  receiversCreate,
  receiversList,
  receiversSet,
  receiversDelete,
  receiversReceived,
  sinkList,
] as const;
