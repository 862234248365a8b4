import type { Static } from "typebox";
import * as Type from "typebox";
import { Count, Items, Nullable, OneOf, Timestamp, Uuid } from "../schema.ts";
import { manage, scenarioUsable } from "./declaring.ts";

const Id = Type.String();

/** Limits of a rule: the longest delay of a supplier's response, and a buyer's shortest interval between orders. */
const MAX_ANSWER_DELAY_S = 30 * 86_400;
const MIN_ORDER_INTERVAL_S = 5;
const MAX_ORDERS = 10_000;
const MAX_RULES = 100;

export const behaviours = ["confirm", "cancel", "never", "order"] as const;
/** A supplier's rule responds to incoming orders; a buyer's rule places orders. */
export type Behaviour = (typeof behaviours)[number];

/** The request fields that define a rule. */
const rule = {
  organization_id: Uuid("Who acts by itself"),
  does: OneOf(behaviours, "A supplier confirms, cancels or never answers the orders it receives; a buyer orders"),
  after_seconds: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: MAX_ANSWER_DELAY_S,
      description: "confirm, cancel: how long after the order was placed, by the world’s clock (default 0)",
    }),
  ),
  supplier_id: Type.Optional(Uuid("order: the organization it orders from")),
  every_seconds: Type.Optional(
    Type.Number({
      minimum: MIN_ORDER_INTERVAL_S,
      maximum: MAX_ANSWER_DELAY_S,
      description: "order: so often, by the world’s clock (default 300)",
    }),
  ),
  up_to: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ORDERS, description: "order: how many orders in all (default 10)" }),
  ),
};
export const CounterpartRule = Type.Object(rule);
export type CounterpartRule = Static<typeof CounterpartRule>;

/** The reason why a rule is off. */
const TurnedOff = Type.Object({
  at: Timestamp("Real time"),
  sentence: Type.String({ description: "Why" }),
  trace_id: Nullable(Id),
  with_all: Type.Boolean({ description: "True: `on: false` turned all off; false: its call was refused" }),
});

const outcomes = ["done", "skipped", "refused"] as const;

const whatItIs = {
  id: Id,
  does: OneOf(["confirm", "cancel", "order", "notify"], "notify: sends a notification that a test value held back"),
  due_at: Timestamp("By the world’s clock"),
  organization: Type.Object({ id: Id, name: Type.String() }),
  job_id: Nullable(Id),
  procurement_id: Nullable(Id),
  label: Nullable(Type.String({ description: "The order’s reference" })),
  rule_id: Nullable(Type.String({ description: "The rule it follows from; null: a test value" })),
  test_value: Nullable(Type.String()),
};

/** An act that the sandbox will perform. */
export const DueAct = Type.Object(whatItIs);
export type DueAct = Static<typeof DueAct>;

/** An act that was performed or cancelled. */
export const EndedAct = Type.Object({
  ...whatItIs,
  ended_at: Timestamp("Real time"),
  outcome: OneOf(outcomes, "skipped: somebody acted first, or there is nothing to act on any more"),
  sentence: Type.String(),
  trace_id: Nullable(Type.String({ description: "Its last call; null: it made none" })),
});
export type EndedAct = Static<typeof EndedAct>;

/** A rule and its progress. */
export const Counterpart = Type.Object({
  id: Id,
  ...rule,
  organization_name: Type.String(),
  done: Count("How many of its acts are done"),
  finished: Type.Boolean({ description: "True: it has placed all its orders, and acts no more" }),
  off: Nullable(TurnedOff),
  sentence: Type.String({ description: "What it does, in words" }),
});
export type Counterpart = Static<typeof Counterpart>;

export const counterpartsList = scenarioUsable.read(
  "counterparts.list",
  "Organizations that act by themselves in a world, by the rules that say how. Of one organization the first rule that is on counts.",
  {},
  Items(Counterpart),
);
export const counterpartsSet = scenarioUsable.write(
  "counterparts.set",
  "Replaces the rules by which organizations act by themselves. A new rule of a supplier also applies to orders that already wait: their time starts when the rule is set. A rule that its refused call turned off stays off while others change; the same rules set again turn it on. If one rule is refused, nothing changes.",
  {
    rules: Type.Array(CounterpartRule, { maxItems: MAX_RULES }),
    on: Type.Optional(
      Type.Boolean({ description: "false: keeps the rules and their progress, but none of them acts (default true)" }),
    ),
  },
  Items(Counterpart),
  manage,
);
export const counterpartsClear = scenarioUsable.write(
  "counterparts.clear",
  "Removes all rules: no organization acts by itself any more. What test values ask for stays.",
  {},
  Type.Object({ cleared: Count("How many rules there were") }),
  manage,
);
export const counterpartsDue = scenarioUsable.read(
  "counterparts.due",
  "The rules, what the sandbox does next by itself (at most 100, and the next of each organization), and the last 100 acts that are over.",
  {},
  Type.Object({
    rules: Type.Array(Counterpart),
    items: Type.Array(DueAct, { description: "In the order they are due" }),
    total: Count("How many are to come"),
    ended: Type.Array(EndedAct, { description: "Newest first" }),
  }),
);
export const counterpartsNow = scenarioUsable.writeOne(
  "counterparts.now",
  "Does one of the next acts immediately: the one with an ID, or the next one for an order. For an act that is over it returns how it ended.",
  { id: Type.Optional(Type.String()), procurement_id: Type.Optional(Uuid()) },
  Type.Object({ outcome: OneOf(outcomes), sentence: Type.String(), trace_id: Nullable(Id) }),
);
