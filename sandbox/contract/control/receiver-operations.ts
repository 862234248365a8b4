import * as Type from "typebox";
import { drillNames } from "../drill-names.ts";
import { Items, OneOf, Page, Uuid } from "../schema.ts";
import { act, inScenario, paged, read, readOne, view, writeOne } from "./declaring.ts";
import { Drill, Receipt, Receiver, ReceiverBehaviour, Scorecard } from "./receiver-rows.ts";

export const deliveriesSendDrill = writeOne(
  "deliveries.send-drill",
  "Runs a drill: sends the delivery’s notification to its receiver again, repeated or with one mistake. The delivery doesn’t change.",
  { id: Uuid("A delivery of an active subscription"), drill: OneOf(drillNames) },
  Drill,
  { ...inScenario, ...act },
);
export const drillsList = readOne(
  "drills.list",
  "A subscription’s scorecard: the latest result of each drill.",
  { subscription_id: Uuid() },
  Scorecard,
  { ...inScenario, ...view },
);
export const drillsGet = readOne(
  "drills.get",
  "A drill’s requests and responses, byte for byte. Only the latest run of each drill is kept.",
  { id: Uuid() },
  Drill,
  { ...inScenario, ...view },
);
export const drillsRunAll = writeOne(
  "drills.run-all",
  "Runs all drills on a subscription, using its newest delivery, and returns the scorecard.",
  { subscription_id: Uuid() },
  Scorecard,
  { ...inScenario, ...act },
);

const behaviour = Type.Partial(ReceiverBehaviour);

export const receiversCreate = writeOne(
  "receivers.create",
  "Creates a built-in receiver and subscribes it to an integration.",
  { integration_id: Uuid(), behaviour: Type.Optional(behaviour) },
  Receiver,
  { ...inScenario, ...act },
);
export const receiversList = read(
  "receivers.list",
  "A world’s built-in receivers, oldest first.",
  {},
  Items(Receiver),
  { ...inScenario, ...view },
);
export const receiversSet = writeOne(
  "receivers.set",
  "Changes a receiver’s behaviour; absent fields don’t change. Its count restarts.",
  { id: Uuid(), behaviour },
  Receiver,
  { ...inScenario, ...act },
);
export const receiversDelete = writeOne(
  "receivers.delete",
  "Deletes a receiver with its subscription and pending deliveries.",
  { id: Uuid() },
  Type.Object({ ok: Type.Boolean() }),
  { ...inScenario, ...act },
);
export const receiversReceived = readOne(
  "receivers.received",
  "Notifications a receiver got and how it responded, newest first. The newest 500 are kept.",
  { id: Uuid(), ...paged },
  Page(Receipt),
  { ...inScenario, ...view },
);
export const sinkList = read(
  "sink.list",
  "Notifications the test receiver accepted and refused, newest first: the newest 200 across worlds since the service started.",
  {},
  Items(Receipt),
);

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
