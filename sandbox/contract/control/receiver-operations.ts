import * as Type from "typebox";
import { drillNames } from "../drill-names.ts";
import { Items, OneOf, Page, Uuid } from "../schema.ts";
import { inScenario, paged, read, readOne, writeOne } from "./declaring.ts";
import { Drill, Receipt, Receiver, ReceiverBehaviour, Scorecard } from "./receiver-rows.ts";

export const deliveriesSendDrill = writeOne(
  "deliveries.send-drill",
  "Tests the receiver of a delivery with its notification, repeated or with one thing wrong; the delivery stays as it is.",
  { id: Uuid("A delivery whose subscription goes on"), drill: OneOf(drillNames) },
  Drill,
  inScenario,
);
export const drillsList = readOne(
  "drills.list",
  "A subscription's scorecard: the latest result of every drill.",
  { subscription_id: Uuid() },
  Scorecard,
  inScenario,
);
export const drillsGet = readOne(
  "drills.get",
  "One drill that was run: what was sent and answered, byte for byte. The latest of each drill is kept.",
  { id: Uuid() },
  Drill,
  inScenario,
);
export const drillsRunAll = writeOne(
  "drills.run-all",
  "Runs every drill on a subscription, made from its newest delivery, and answers the scorecard.",
  { subscription_id: Uuid() },
  Scorecard,
  inScenario,
);

const behaviour = Type.Partial(ReceiverBehaviour);

export const receiversCreate = writeOne(
  "receivers.create",
  "Makes a built-in receiver and subscribes it for an integration, in one step.",
  { integration_id: Uuid(), behaviour: Type.Optional(behaviour) },
  Receiver,
  inScenario,
);
export const receiversList = read(
  "receivers.list",
  "The built-in receivers of a world, oldest first.",
  {},
  Items(Receiver),
  inScenario,
);
export const receiversSet = writeOne(
  "receivers.set",
  "Changes what a receiver does; what is left out stays. Its count starts anew.",
  { id: Uuid(), behaviour },
  Receiver,
  inScenario,
);
export const receiversDelete = writeOne(
  "receivers.delete",
  "Ends a receiver, its subscription and what still waits for it.",
  { id: Uuid() },
  Type.Object({ ok: Type.Boolean() }),
  inScenario,
);
export const receiversReceived = readOne(
  "receivers.received",
  "What a receiver was sent and what it made of it, newest first; the newest 500 are kept.",
  { id: Uuid(), ...paged },
  Page(Receipt),
  inScenario,
);
export const sinkList = read(
  "sink.list",
  "What the reference sink accepted and refused, newest first: the newest 200, of every world, since the service started.",
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
