import type { Static } from "typebox";
import * as Type from "typebox";
import { drillNames } from "../drill-names.ts";
import { eventTypes } from "../event-types.ts";
import { Count, Items, Nullable, OneOf, Page, Timestamp, Uuid } from "../schema.ts";
import { rejectReasons } from "../signature.ts";
import { paged, read, scenarioUsable, worldScoped } from "./declaring.ts";
import { DeliveryRow, Exchanged, HeaderList, Subscription, sides, Verdict } from "./rows.ts";

const Id = Type.String();

const drillVerdicts = ["passed", "failed"] as const;
export const DrillVerdict = OneOf(drillVerdicts, "passed: responded as a correct receiver does");

const drillSummary = {
  id: Id,
  drill: OneOf(drillNames),
  verdict: DrillVerdict,
  sentence: Type.String({ description: "The reason, in words" }),
  deduplicates: Type.Optional(
    Type.Boolean({ description: "Whether its responses say that it deduplicates; absent: they don’t say" }),
  ),
  at: Timestamp("When it was sent; real time"),
  delivery_id: Type.String({ description: "The delivery it is based on, which doesn’t change" }),
  subscription_id: Id,
  integration_id: Id,
  side: OneOf(sides),
  url: Type.String(),
  event_type: OneOf(eventTypes),
  label: Type.String({ description: "The order reference or job number" }),
  trace_id: Id,
};

/** A completed drill, as shown in lists and on the live feed. */
export const DrillRow = Type.Object(drillSummary);
export type DrillRow = Static<typeof DrillRow>;

/** Response of a correct receiver: 200 or any 4xx; `status` is the reference sink's (D78). */
export const DrillExpected = Type.Object({
  answer: OneOf(["acknowledge", "refuse"]),
  status: Type.Union([Type.Literal(200), Type.Literal(400), Type.Literal(401)]),
  reason: Nullable(OneOf(rejectReasons)),
});
export type DrillExpected = Static<typeof DrillExpected>;

/** One request of a drill byte for byte, with this receiver's response. */
export const DrillExchange = Type.Object({
  what: Type.String({ description: "The request’s name within the drill" }),
  sent_at: Timestamp(),
  ...Exchanged.properties,
  verification: Type.Array(Verdict, {
    description: "Result of the four verification steps at the time of sending",
  }),
  verdict: DrillVerdict,
  sentence: Type.String(),
});
export type DrillExchange = Static<typeof DrillExchange>;

export const Drill = Type.Object({
  ...drillSummary,
  expected: DrillExpected,
  exchanges: Type.Array(DrillExchange, { description: "In sending order" }),
});
export type Drill = Static<typeof Drill>;

/** A subscription's drill results in the order of a run; `latest` is null for a drill that was never run. */
export const Scorecard = Type.Object({
  subscription_id: Id,
  items: Type.Array(
    Type.Object({
      drill: OneOf(drillNames),
      latest: Nullable(DrillRow),
    }),
  ),
  run: Count("Number of drills with a result"),
  passed: Count(),
  newest_delivery: Nullable(DeliveryRow),
});
export type Scorecard = Static<typeof Scorecard>;

const receiverAnswers = ["accept", "status", "time_out"] as const;

/**
 * Behaviour of a built-in receiver. `status` and `time_out` apply to the `first` notifications after they were set, or
 * to all of them; every other notification is verified, deduplicated and accepted.
 */
export const ReceiverBehaviour = Type.Object({
  answer: OneOf(receiverAnswers, "accept; return `status`; or keep the connection open without responding"),
  status: Type.Integer({ minimum: 201, maximum: 599, description: "The status for `answer: status`" }),
  first: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: "How many notifications get this before it accepts; null: all",
    }),
  ),
  verify: Type.Boolean({ description: "Refuse notifications that fail verification, as the test receiver does (D78)" }),
  deduplicate: Type.Boolean({ description: "Acknowledge a repeated message_id without processing it" }),
});
export type ReceiverBehaviour = Static<typeof ReceiverBehaviour>;

/** A built-in receiver. `subscription_id` is null once its subscription has ended. */
export const Receiver = Type.Object({
  id: Id,
  integration_id: Id,
  url: Type.String({ description: "Its address on this service" }),
  subscription_id: Nullable(Id),
  created_at: Timestamp(),
  behaviour: ReceiverBehaviour,
  counted: Count("Notifications since the behaviour was last set"),
  received: Count("Kept receipts"),
});
export type Receiver = Static<typeof Receiver>;

export const receiptOutcomes = ["accepted", "repeated", "refused", "failed", "held"] as const;

/** One notification at the sink or a built-in receiver, with the decision and the response. */
export const Receipt = Type.Object({
  id: Id,
  at: Timestamp("Real time"),
  outcome: OneOf(
    receiptOutcomes,
    "accepted; repeated: acknowledged without processing; refused: failed verification; failed: returned a status by its behaviour; held: didn’t respond by its behaviour",
  ),
  status: Nullable(Type.Integer({ description: "The response status; null: none" })),
  reason: Nullable(OneOf(rejectReasons, "The verification result, even if it doesn’t refuse")),
  repeat: Type.Boolean({ description: "Whether this message_id was accepted before" }),
  message_id: Nullable(Type.String()),
  event_type: Nullable(Type.String()),
  integration_id: Nullable(Type.String({ description: "From the body; unproven while reason is bad_signature" })),
  headers: HeaderList,
  body_bytes: Count(),
  body_base64: Type.String({ description: "The first 16 KiB at most" }),
  verification: Type.Array(Verdict),
});
export type Receipt = Static<typeof Receipt>;

export const deliveriesSendDrill = scenarioUsable.writeOne(
  "deliveries.send-drill",
  "Runs a drill: sends the delivery’s notification to its receiver again, repeated or with one mistake. The delivery doesn’t change.",
  { id: Uuid("A delivery of an active subscription"), drill: OneOf(drillNames) },
  Drill,
);
export const drillsList = scenarioUsable.readOne(
  "drills.list",
  "A subscription’s scorecard: the latest result of each drill.",
  { subscription_id: Uuid() },
  Scorecard,
);
export const drillsGet = scenarioUsable.readOne(
  "drills.get",
  "A drill’s requests and responses, byte for byte. Only the latest run of each drill is kept.",
  { id: Uuid() },
  Drill,
);
export const drillsRunAll = scenarioUsable.writeOne(
  "drills.run-all",
  "Runs all drills on a subscription, using its newest delivery, and returns the scorecard.",
  { subscription_id: Uuid() },
  Scorecard,
);

const behaviour = Type.Partial(ReceiverBehaviour);

export const receiversCreate = scenarioUsable.writeOne(
  "receivers.create",
  "Creates a built-in receiver and subscribes it to an integration.",
  { integration_id: Uuid(), behaviour: Type.Optional(behaviour) },
  Receiver,
);
export const receiversList = scenarioUsable.read(
  "receivers.list",
  "A world’s built-in receivers, oldest first.",
  {},
  Items(Receiver),
);
export const receiversSet = scenarioUsable.writeOne(
  "receivers.set",
  "Changes a receiver’s behaviour; absent fields don’t change. Its count restarts.",
  { id: Uuid(), behaviour },
  Receiver,
);
export const receiversDelete = scenarioUsable.writeOne(
  "receivers.delete",
  "Deletes a receiver with its subscription and pending deliveries.",
  { id: Uuid() },
  Type.Object({ ok: Type.Boolean() }),
);
export const receiversReceived = scenarioUsable.readOne(
  "receivers.received",
  "Notifications a receiver got and how it responded, newest first. The newest 500 are kept.",
  { id: Uuid(), ...paged },
  Page(Receipt),
);
export const sinkList = read(
  "sink.list",
  "Notifications the test receiver accepted and refused, newest first: the newest 200 across worlds since the service started.",
  {},
  Items(Receipt),
);

const one = { id: Uuid() };

export const subscriptionsPause = scenarioUsable.writeOne(
  "subscriptions.pause",
  "Pauses a subscription. Its deliveries wait as pending until you resume it.",
  one,
  Subscription,
);
export const subscriptionsResume = scenarioUsable.writeOne(
  "subscriptions.resume",
  "Resumes a subscription. Waiting deliveries are sent in order, with their failures reset.",
  one,
  Subscription,
);
export const subscriptionsSendTest = scenarioUsable.writeOne(
  "subscriptions.send-test",
  "Sends a signed test event to one subscription, with the header x-sandbox-test-event. Its job ID is the nil UUID, which no job has.",
  one,
  DeliveryRow,
);

const { response_headers, error } = Exchanged.properties;

/** Reports a developer machine's response to a notification from `GET /__sandbox/listen`. */
export const listenAnswer = worldScoped.writeOne(
  "listen.answer",
  "Records the response of the server on a developer machine to a notification that `sandbox listen` forwarded.",
  {
    id: Uuid("As it was forwarded"),
    response_status: Nullable(Type.Integer({ minimum: 200, maximum: 599, description: "null: no response" })),
    response_headers,
    response_body_base64: Type.String({ maxLength: 87_384, description: "The first 64 KiB at most" }),
    error,
  },
  Type.Object({ ok: Type.Boolean({ description: "false: the attempt had ended" }) }),
);
