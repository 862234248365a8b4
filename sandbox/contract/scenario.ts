import type { Static } from "typebox";
import * as Type from "typebox";
import { fault } from "./control/fault-rows.ts";
import { WorldDocument } from "./control/snapshot-rows.ts";
import { eventTypes } from "./event-types.ts";
import { decisionIds } from "./openapi/decisions.ts";
import { Absent, Nullable, OneOf, Text, Timestamp } from "./schema.ts";

/** What a scenario's file says it is. */
export const SCENARIO_FORMAT = 1;

/** So many steps a scenario has at most. */
export const MOST_STEPS = 20_000;

/** Whose credentials a step can take without naming any. */
export const scenarioCallers = ["repairer", "supplier", "nobody"] as const;

/** What a call of a step is made with. */
export const scenarioMethods = ["POST", "PUT", "GET"] as const;
export type ScenarioMethod = (typeof scenarioMethods)[number];

const Name = (description: string) => Type.String({ pattern: "^[a-z][a-z0-9_]{0,31}$", description });
const Key = Text("May be a reference");

const Credentials = Type.Object({
  integration_id: Key,
  api_key: Type.Optional(Text("May be a reference; left out: the key that the world of the run knows")),
});

/** What an answer must be. */
export const Expectation = Type.Object({
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, description: "Left out: 200" })),
  body: Type.Optional(
    Type.Unknown({
      description:
        "What the answer has at least: keys that are not named here may be there. Arrays have exactly these items. {$is}, {$matches}, {$length}, {$contains} and {$absent} stand for many values.",
    }),
  ),
  exact: Type.Optional(Type.Unknown({ description: "What the answer has and nothing beside it" })),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: "By their names in small letters; as in body" }),
  ),
  within_seconds: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 600,
      description: "Made again until it is so, at most for so long; left out: once",
    }),
  ),
  no_answer: Type.Optional(Type.Boolean({ description: "true: the connection must be closed without an answer" })),
});
export type Expectation = Static<typeof Expectation>;

/** What earlier versions kept beside it; nobody reads it. */
const Unread = Type.Optional(Type.Unknown({ description: "Of earlier versions; not read" }));

/** What a recorded call was answered, without secrets: to show beside what it is answered now. Nothing is judged by it. */
export const Came = Type.Object({
  trace_id: Nullable(Text("Of the recorded call: a run gives out the identifiers again that it gave out")),
  status: Nullable(Type.Integer({ description: "null: there was no answer" })),
  body: Type.Unknown({ description: "JSON, or the text where the answer was none" }),
  ...{ at: Unread, headers: Unread, faults: Unread, deliveries: Unread },
});
export type Came = Static<typeof Came>;

const common = {
  name: Type.Optional(Text("What the step is for, as it is printed")),
  save: Type.Optional(Name("Under what name later steps refer to the answer: {{name.path.to.it}}")),
  world: Type.Optional(
    Type.String({
      pattern: "^[a-z0-9-]{1,20}$",
      description: "Another fresh world of this run, of this name; left out: the run's own",
    }),
  ),
  came: Type.Optional(Came),
};
const none = { call: Absent(), control: Absent(), receiver: Absent(), deliveries: Absent() };

export const CallStep = Type.Object({
  ...common,
  ...none,
  call: Type.Object({
    operation: Type.Optional(Text("Of the contract or the extensions")),
    route: Type.Optional(
      Text("Instead of an operation: an address, such as /__webhooks/subscribe, or a reference to a whole one"),
    ),
    method: Type.Optional(OneOf(scenarioMethods, "Left out: POST")),
    as: Type.Optional(OneOf(scenarioCallers, "With whose pre-loaded credentials; left out: nobody's")),
    credentials: Type.Optional(Credentials),
    headers: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "More headers; strings" })),
    body: Type.Optional(Type.Unknown({ description: "Left out: {}" })),
    text: Type.Optional(Type.String({ description: "Instead of a body: exactly these characters" })),
    base64: Type.Optional(
      Type.String({ pattern: "^[A-Za-z0-9+/]*={0,2}$", description: "Instead of a body: exactly these bytes" }),
    ),
  }),
  expect: Type.Optional(Expectation),
  decision: Type.Optional(
    OneOf(decisionIds, "The decision that what is expected rests on; it is named where the step does not hold"),
  ),
});
export type CallStep = Static<typeof CallStep>;

export const ControlStep = Type.Object({
  ...common,
  ...none,
  control: Type.Object({
    operation: Text("Of the control plane, such as clock.advance, policies.set or faults.set"),
    body: Type.Optional(Type.Unknown({ description: "Without the world, which is the step's" })),
  }),
  expect: Type.Optional(Expectation),
});
export type ControlStep = Static<typeof ControlStep>;

export const ReceiverStep = Type.Object({
  ...common,
  ...none,
  receiver: Type.Object({
    integration_id: Text("Whose notifications it is subscribed to; may be a reference"),
    behaviour: Type.Optional(Type.Unknown({ description: "As in receivers.create; left out: a correct receiver" })),
  }),
});
export type ReceiverStep = Static<typeof ReceiverStep>;

export const DeliveriesStep = Type.Object({
  ...common,
  ...none,
  deliveries: Type.Object({
    receiver: Name("The receiver step that was saved under this name"),
    expect: Type.Array(
      Type.Object({
        event_type: OneOf(eventTypes),
        payload: Type.Optional(Type.Unknown({ description: "As in body" })),
        count: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 1_000, description: "Of how many notifications; left out: 1" }),
        ),
        answered: Type.Optional(
          Nullable(Type.Integer({ description: "What the receiver answered the first attempt; null: nothing" })),
        ),
      }),
      { maxItems: 100 },
    ),
    within_seconds: Type.Optional(Type.Number({ minimum: 0, maximum: 600, description: "Left out: 10" })),
    others: Type.Optional(
      OneOf(["allowed", "none"], "none: nothing else has come that no earlier step expected (default: allowed)"),
    ),
    signature: Type.Optional(OneOf(["verified", "any"], "verified (default): each passes all four steps")),
  }),
});
export type DeliveriesStep = Static<typeof DeliveriesStep>;

export const Step = Type.Union([CallStep, ControlStep, ReceiverStep, DeliveriesStep]);
export type Step = Static<typeof Step>;

/** Where the steps of a recorded scenario come from, and what they ran with. */
export const Recorded = Type.Object({
  at: Timestamp("Real time"),
  version: Text("Of Integrations Explorer"),
  world: Text("The name of the recorded world"),
  policies: Type.Record(Type.String(), Type.String(), {
    description: "The switches of the world before the first step, by name; a run sets them",
  }),
  faults: Type.Array(Type.Object(fault), {
    maxItems: 100,
    description: "What was armed before the first step, as in faults.set; a run arms it",
  }),
  clock_ahead_seconds: Unread,
  starts_at: Type.Optional(
    Timestamp("The world's time before the first step: that of the world under start, which goes on from there"),
  ),
  notes: Type.Array(Text(), { maxItems: 1_000, description: "What could not be taken over as it was, in sentences" }),
});
export type Recorded = Static<typeof Recorded>;

/** A scenario, or with `start` a reproduction: steps against a fresh world, and what must come of each. */
export const Scenario = Type.Object({
  $schema: Type.Optional(Text("For editors")),
  scenario: Type.Literal(SCENARIO_FORMAT, { description: "The version of this format" }),
  name: Text(),
  about: Type.Optional(Text("What it shows")),
  recorded: Type.Optional(Recorded),
  notes: Type.Optional(
    Type.Array(Text(), {
      maxItems: 1_000,
      description: "What of a partner's material is not in its draft, in sentences",
    }),
  ),
  start: Type.Optional(WorldDocument),
  steps: Type.Array(Step, { minItems: 1, maxItems: MOST_STEPS }),
});
export type Scenario = Static<typeof Scenario>;
