import type { Static } from "typebox";
import * as Type from "typebox";
import { fault } from "./control/fault-operations.ts";
import { WorldDocument } from "./control/snapshot-operations.ts";
import { eventTypes } from "./event-types.ts";
import { decisionIds } from "./openapi/decisions.ts";
import { Absent, Nullable, OneOf, Text, Timestamp } from "./schema.ts";

/** Version of a scenario file's format. */
export const SCENARIO_FORMAT = 1;

export const MAX_STEPS = 20_000;

/** Built-in credentials of a step. */
const scenarioCallers = ["repairer", "supplier", "nobody"] as const;

export const scenarioMethods = ["POST", "PUT", "GET"] as const;
export type ScenarioMethod = (typeof scenarioMethods)[number];

const Name = (description: string) => Type.String({ pattern: "^[a-z][a-z0-9_]{0,31}$", description });
const Key = Text("May be a reference");

const Credentials = Type.Object({
  integration_id: Key,
  api_key: Type.Optional(Text("May be a reference (default: the key in the run’s world)")),
});

/** Conditions on a response. */
export const Expectation = Type.Object({
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, description: "Default: 200" })),
  body: Type.Optional(
    Type.Unknown({
      description:
        "Expected part of the body. Other keys are allowed; arrays must have exactly these items. {$is}, {$matches}, {$length}, {$contains} and {$absent} match many values.",
    }),
  ),
  exact: Type.Optional(Type.Unknown({ description: "The exact expected body" })),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "Expected headers by lower-case name; matched as in body",
    }),
  ),
  within_seconds: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 600,
      description: "Repeat the call until it matches, for at most this long (default: call once)",
    }),
  ),
  no_answer: Type.Optional(Type.Boolean({ description: "true: the connection must close without a response" })),
});
export type Expectation = Static<typeof Expectation>;

/** Written by earlier versions, ignored now. */
const Unread = Type.Optional(Type.Unknown({ description: "From earlier versions; ignored" }));

/** The recorded response without secrets, to show beside the current one. Checks don't use it. */
export const RecordedResult = Type.Object({
  trace_id: Nullable(Text("ID of the recorded call: a run assigns the same IDs again")),
  status: Nullable(Type.Integer({ description: "null: no response" })),
  body: Type.Unknown({ description: "JSON, or text if the response wasn’t JSON" }),
  ...{ at: Unread, headers: Unread, faults: Unread, deliveries: Unread },
});
export type RecordedResult = Static<typeof RecordedResult>;

/** Longest sentence of a story, in characters. */
const MAX_SENTENCE_LENGTH = 200;

/** Limit on the sentences of a story; each stores the screens of both sides. */
export const MAX_SENTENCES = 100;

/** The sides whose screens a story shows. */
const storySides = ["repairer", "supplier", "both"] as const;

/** D94: the record that a story shows at a step. */
export const Show = Type.Object({
  entity: Type.String({
    pattern: "^[a-z][a-z0-9_]{0,31}(\\.[A-Za-z0-9_]+)*$",
    description: "What this or an earlier step saved, or a part of it: job, placed.items.0",
  }),
  side: OneOf(storySides, "On whose screen"),
});
export type Show = Static<typeof Show>;

const common = {
  name: Type.Optional(Text("The step’s title")),
  say: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_SENTENCE_LENGTH,
      pattern: "^[^\\r\\n]*$",
      description: "One sentence that a story says at this step; changes nothing in how it runs",
    }),
  ),
  show: Type.Optional(Show),
  save: Type.Optional(Name("Name for the response, so later steps can refer to it: {{name.path.to.it}}")),
  world: Type.Optional(
    Type.String({
      pattern: "^[a-z0-9-]{1,20}$",
      description: "Another new world of this run (default: the run’s own world)",
    }),
  ),
  came: Type.Optional(RecordedResult),
};
const none = { call: Absent(), control: Absent(), receiver: Absent(), deliveries: Absent() };

export const CallStep = Type.Object({
  ...common,
  ...none,
  call: Type.Object({
    operation: Type.Optional(Text("An operation of the contract or an extension")),
    route: Type.Optional(
      Text("Instead of an operation: a path such as /__webhooks/subscribe, or a reference to an address"),
    ),
    method: Type.Optional(OneOf(scenarioMethods, "Default: POST")),
    as: Type.Optional(OneOf(scenarioCallers, "Pre-loaded credentials to use (default: none)")),
    credentials: Type.Optional(Credentials),
    headers: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "Additional headers" })),
    body: Type.Optional(Type.Unknown({ description: "Default: {}" })),
    text: Type.Optional(Type.String({ description: "Instead of body: exactly this text" })),
    base64: Type.Optional(
      Type.String({ pattern: "^[A-Za-z0-9+/]*={0,2}$", description: "Instead of body: exactly these bytes" }),
    ),
  }),
  expect: Type.Optional(Expectation),
  decision: Type.Optional(OneOf(decisionIds, "The decision behind the expectation, shown if the step fails")),
});
export type CallStep = Static<typeof CallStep>;

export const ControlStep = Type.Object({
  ...common,
  ...none,
  control: Type.Object({
    operation: Text("A control operation such as clock.advance, policies.set or faults.set"),
    body: Type.Optional(Type.Unknown({ description: "Without world: the step’s world is used" })),
  }),
  expect: Type.Optional(Expectation),
});
export type ControlStep = Static<typeof ControlStep>;

export const ReceiverStep = Type.Object({
  ...common,
  ...none,
  receiver: Type.Object({
    integration_id: Text("The integration it subscribes to; may be a reference"),
    behaviour: Type.Optional(Type.Unknown({ description: "As in receivers.create (default: a correct receiver)" })),
  }),
});
export type ReceiverStep = Static<typeof ReceiverStep>;

export const DeliveriesStep = Type.Object({
  ...common,
  ...none,
  deliveries: Type.Object({
    receiver: Name("The receiver step with this name"),
    expect: Type.Array(
      Type.Object({
        event_type: OneOf(eventTypes),
        payload: Type.Optional(Type.Unknown({ description: "As in body" })),
        count: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 1_000, description: "Number of notifications (default: 1)" }),
        ),
        answered: Type.Optional(Nullable(Type.Integer({ description: "The receiver’s first response; null: none" }))),
      }),
      { maxItems: 100 },
    ),
    within_seconds: Type.Optional(Type.Number({ minimum: 0, maximum: 600, description: "Default: 10" })),
    others: Type.Optional(
      OneOf(["allowed", "none"], "none: no other unexpected notification may have arrived (default: allowed)"),
    ),
    signature: Type.Optional(OneOf(["verified", "any"], "verified (default): each passes all four verification steps")),
  }),
});
export type DeliveriesStep = Static<typeof DeliveriesStep>;

export const Step = Type.Union([CallStep, ControlStep, ReceiverStep, DeliveriesStep]);
export type Step = Static<typeof Step>;

/** Source of a recorded scenario's steps, and their conditions. */
export const Recorded = Type.Object({
  at: Timestamp("Real time"),
  version: Text("Version of Integrations Explorer"),
  world: Text("The name of the recorded world"),
  policies: Type.Record(Type.String(), Type.String(), {
    description: "The world’s settings before the first step, by name; a run applies them",
  }),
  faults: Type.Array(Type.Object(fault), {
    maxItems: 100,
    description: "Faults armed before the first step, as in faults.set; a run arms them",
  }),
  clock_ahead_seconds: Unread,
  starts_at: Type.Optional(Timestamp("The world’s time before the first step; the world in start continues from it")),
  notes: Type.Array(Text(), { maxItems: 1_000, description: "What the recording left out, in sentences" }),
});
export type Recorded = Static<typeof Recorded>;

/** Steps for a fresh world with their expected results; with `start`, a reproduction. */
export const Scenario = Type.Object({
  $schema: Type.Optional(Text("For editors")),
  scenario: Type.Literal(SCENARIO_FORMAT, { description: "The version of this format" }),
  name: Text(),
  about: Type.Optional(Text("What the scenario shows")),
  recorded: Type.Optional(Recorded),
  notes: Type.Optional(
    Type.Array(Text(), {
      maxItems: 1_000,
      description: "What the import left out, in sentences",
    }),
  ),
  start: Type.Optional(WorldDocument),
  steps: Type.Array(Step, { minItems: 1, maxItems: MAX_STEPS }),
});
export type Scenario = Static<typeof Scenario>;
