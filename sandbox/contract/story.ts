import type { Static } from "typebox";
import * as Type from "typebox";
import { deliveryStatuses, sides, Verdict } from "./control/rows.ts";
import { eventTypes } from "./event-types.ts";
import { Count, Nullable, OneOf, Text, Timestamp } from "./schema.ts";
import { procurementStatuses } from "./values.ts";

/** Version of a recorded story's format. */
export const STORY_FORMAT = 1;

const Was = Type.Optional(Type.String({ description: "What stood here the last time; absent: unchanged" }));

/** One side's view of a record, as text. Change marks compare with this side's previous view. */
export const Screen = Type.Object({
  name: Type.String({ description: "The organization’s name" }),
  note: Type.String({ description: "What it looks at: basket of J-1042" }),
  title: Type.String(),
  status: Nullable(Type.Object({ value: OneOf(procurementStatuses), was: Was })),
  facts: Type.Array(Type.Object({ label: Type.String(), value: Type.String(), was: Was })),
  lines: Type.Array(
    Type.Object({ text: Type.String(), amount: Type.String({ description: "A price or a state" }), was: Was }),
  ),
  total: Nullable(Type.String({ description: "With its currency" })),
  offers: Nullable(
    Type.Object({
      suppliers: Type.Array(Type.String()),
      parts: Type.Array(
        Type.Object({
          part: Type.String(),
          cells: Type.Array(
            Nullable(Type.Object({ price: Type.String(), condition: Type.String(), chosen: Type.Boolean() })),
            { description: "By supplier; null: no offer" },
          ),
        }),
      ),
    }),
  ),
});
export type Screen = Static<typeof Screen>;

/** A notification that was sent or retried since the previous scene. */
export const SceneWebhook = Type.Object({
  side: OneOf(sides),
  delivery_id: Text(),
  receiver: Nullable(Type.String({ description: "Its saved name, if its integration has several; null: only one" })),
  event_type: OneOf(eventTypes),
  message_id: Text(),
  status: OneOf(deliveryStatuses),
  attempts: Count(),
  answered: Nullable(Type.Integer({ description: "The receiver’s last response; null: none" })),
  verification: Type.Array(Verdict, { description: "Of the last attempt" }),
});
export type SceneWebhook = Static<typeof SceneWebhook>;

/** The recorded call of a step, secrets masked. */
const SceneCall = Type.Object({
  side: Nullable(OneOf(sides)),
  operation: Nullable(Type.String()),
  method: Type.String(),
  path: Type.String(),
  status: Type.Integer({ description: "0: no response" }),
  duration_ms: Type.Number(),
  request: Type.String(),
  response: Type.String(),
  trace_id: Type.String(),
});

/** A step of a story: the sentence, each side's screen after it, and the call. */
export const Scene = Type.Object({
  number: Type.Integer({ minimum: 1, description: "Of its step" }),
  call: Nullable(SceneCall),
  repairer: Nullable(Screen),
  supplier: Nullable(Screen),
  changed: Type.Array(OneOf(sides), { description: "Whose screen this step changed" }),
  webhooks: Type.Array(SceneWebhook),
  world: Type.Optional(
    Type.String({ description: "Another world of the run, where the step acts; absent: the first" }),
  ),
  missing: Type.Optional(Type.String({ description: "What the step shows and no side can see; absent: it is there" })),
  unshown: Type.Optional(Type.String({ description: "What the step shows and is of a kind without a screen" })),
  calls: Count("Calls of the story so far, this one included"),
  problem: Nullable(
    Type.Object(
      {
        ...{ detail: Type.String(), expected: Type.String(), got: Type.String() },
        answer: Type.Optional(Type.String({ description: "Why the service refused it; absent: it didn’t" })),
      },
      { description: "Why the story stopped here; null: the step passed" },
    ),
  ),
});
export type Scene = Static<typeof Scene>;

/** A sentence of a story, before and after its step was played. */
export const StorySentence = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  say: Type.String(),
  sides: Type.Array(OneOf(sides), { description: "Who acts or is shown" }),
});
export type StorySentence = Static<typeof StorySentence>;

/** D94: a story as played so far. */
export const Story = Type.Object({
  story: Type.Literal(STORY_FORMAT, { description: "The version of this format" }),
  title: Type.String(),
  about: Nullable(Type.String()),
  version: Text("Of Integrations Explorer"),
  at: Timestamp("Real time when it began"),
  said: Type.Array(StorySentence),
  scenes: Type.Array(Scene, { description: "Of the steps that were played, in their order" }),
});
export type Story = Static<typeof Story>;
