import type { Static } from "typebox";
import * as Type from "typebox";
import { drillNames } from "../drill-names.ts";
import { eventTypes } from "../event-types.ts";
import { Nullable, OneOf, Timestamp } from "../schema.ts";
import { rejectReasons } from "../signature.ts";
import { DeliveryRow, Exchanged, HeaderList, sides, Verdict } from "./rows.ts";

const Id = Type.String();
const Count = Type.Integer({ minimum: 0 });

const drillVerdicts = ["passed", "failed"] as const;
export const DrillVerdict = OneOf(drillVerdicts, "passed: answered as a correct receiver does");

const drillSummary = {
  id: Id,
  drill: OneOf(drillNames),
  verdict: DrillVerdict,
  sentence: Type.String({ description: "Why, for the person who reads it" }),
  at: Timestamp("When it was sent; real time"),
  delivery_id: Type.String({ description: "The delivery it was made from; its state is untouched" }),
  subscription_id: Id,
  integration_id: Id,
  side: OneOf(sides),
  url: Type.String(),
  event_type: OneOf(eventTypes),
  label: Type.String({ description: "The reference or job number a person knows the event by" }),
  trace_id: Id,
};

/** One drill that was run, as lists and the live feed show it. */
export const DrillRow = Type.Object(drillSummary);
export type DrillRow = Static<typeof DrillRow>;

/** What a correct receiver answers: 200, or any 4xx; `status` is the one the reference sink gives (D78). */
export const DrillExpected = Type.Object({
  answer: OneOf(["acknowledge", "refuse"]),
  status: Type.Union([Type.Literal(200), Type.Literal(400), Type.Literal(401)]),
  reason: Nullable(OneOf(rejectReasons)),
});
export type DrillExpected = Static<typeof DrillExpected>;

/** One request of a drill: what was sent, byte for byte, and what this receiver answered. */
export const DrillExchange = Type.Object({
  what: Type.String({ description: "Which of the drill's requests it is" }),
  sent_at: Timestamp(),
  ...Exchanged.properties,
  verification: Type.Array(Verdict, {
    description: "What the four steps make of these bytes at the moment they were sent",
  }),
  verdict: DrillVerdict,
  sentence: Type.String(),
});
export type DrillExchange = Static<typeof DrillExchange>;

export const Drill = Type.Object({
  ...drillSummary,
  expected: DrillExpected,
  exchanges: Type.Array(DrillExchange, { description: "In the order they were sent" }),
});
export type Drill = Static<typeof Drill>;

/** A subscription's results, one line a drill in the order of a run; `latest` is null while it was not run. */
export const Scorecard = Type.Object({
  subscription_id: Id,
  items: Type.Array(
    Type.Object({
      drill: OneOf(drillNames),
      latest: Nullable(DrillRow),
    }),
  ),
  run: Type.Integer({ minimum: 0, description: "How many of the drills have a result" }),
  passed: Count,
  newest_delivery: Nullable(DeliveryRow),
});
export type Scorecard = Static<typeof Scorecard>;

const receiverAnswers = ["accept", "status", "time_out"] as const;
export type ReceiverAnswer = (typeof receiverAnswers)[number];

/**
 * What a built-in receiver does. `status` and `time_out` apply to the `first` notifications since they were set, or to all of
 * them; what is not held back so is verified, deduplicated and accepted.
 */
export const ReceiverBehaviour = Type.Object({
  answer: OneOf(receiverAnswers, "accept; answer `status`; or keep the connection open without an answer"),
  status: Type.Integer({ minimum: 201, maximum: 599, description: "What `answer: status` answers" }),
  first: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: "How many are treated so before it accepts; null: all",
    }),
  ),
  verify: Type.Boolean({ description: "Refuse what fails the four steps, as the reference sink does (D78)" }),
  deduplicate: Type.Boolean({ description: "Acknowledge a repeated message_id and do nothing else" }),
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
  counted: Type.Integer({ minimum: 0, description: "Arrivals since the behaviour was set" }),
  received: Type.Integer({ minimum: 0, description: "Receipts that are kept" }),
});
export type Receiver = Static<typeof Receiver>;

export const receiptOutcomes = ["accepted", "repeated", "refused", "failed", "held"] as const;

/** One notification as the sink or a built-in receiver got it: what came, what it decided, what it answered. */
export const Receipt = Type.Object({
  id: Id,
  at: Timestamp("Real time"),
  outcome: OneOf(
    receiptOutcomes,
    "accepted; repeated: acknowledged without doing anything; refused: failed the verification; failed: its behaviour is to answer a status; held: its behaviour is not to answer",
  ),
  status: Nullable(Type.Integer({ description: "What was answered; null when nothing was" })),
  reason: Nullable(OneOf(rejectReasons, "What the verification found, also where it was not asked to refuse")),
  repeat: Type.Boolean({ description: "Whether this message_id had been accepted before" }),
  message_id: Nullable(Type.String()),
  event_type: Nullable(Type.String()),
  integration_id: Nullable(Type.String({ description: "As the body says; not proven while reason is bad_signature" })),
  headers: HeaderList,
  body_bytes: Count,
  body_base64: Type.String({ description: "At most the first 16 KiB" }),
  verification: Type.Array(Verdict),
});
export type Receipt = Static<typeof Receipt>;
