import type { Static } from "typebox";
import * as Type from "typebox";
import { counted, Items, Nullable, OneOf, Timestamp } from "../schema.ts";
import { inScenario, read, write } from "./declaring.ts";
import { eachPolicy, type PolicyName, policyChoices, policyQuestions } from "./policies.ts";
import { DeliveryRow, deliveryCounts, RequestRow, World } from "./rows.ts";

const Clock = Type.Object({ now: Timestamp(), offset_seconds: Type.Number() });
const Changed = Nullable(Timestamp("When it was last set to another choice, in real time; null: never"));
const policyChoice = <N extends PolicyName>(name: N) =>
  OneOf<(typeof policyChoices)[N]>(policyChoices[name], policyQuestions[name].question);
const policyValues = {
  jobs_insert_conflict: policyChoice("jobs_insert_conflict"),
  jobs_insert_unknown_id: policyChoice("jobs_insert_unknown_id"),
  part_ordered_on: policyChoice("part_ordered_on"),
  confirm_when_confirmed: policyChoice("confirm_when_confirmed"),
  confirm_when_cancelled: policyChoice("confirm_when_cancelled"),
  webhook_retries: policyChoice("webhook_retries"),
};
const Policies = Type.Object({
  changed_at: Type.Object(eachPolicy(() => Changed)),
  policies: Type.Object(policyValues),
});

export const serviceInfo = read(
  "service.info",
  "Version, address, data folder and mode of this service.",
  {},
  Type.Object({
    version: Type.String(),
    base_url: Type.String(),
    mode: OneOf(["local", "deployed"]),
    data_folder: Nullable(Type.String()),
    deliveries: Type.Boolean(),
    started_at: Timestamp(),
    now: Timestamp(),
  }),
);
export const worldsList = read("worlds.list", "Lists the worlds of this service.", {}, Items(World));
const Counted = Type.Object(counted);
const InStatus = Type.Object({
  ...counted,
  last_at: Nullable(Timestamp("When the last of them came into this status, in the world's time; null: there is none")),
});

export const worldSummary = read(
  "world.summary",
  "How much there is in a world, how it stands, and what was done in it first.",
  {},
  Type.Object({
    jobs: Type.Object({ ...counted, last_changed_at: Nullable(Timestamp("In the world's time")) }),
    parts: Counted,
    baskets: Type.Object(counted, { description: "Jobs with parts: each has a basket" }),
    procurements: Type.Object({
      ...counted,
      by_status: Type.Object({ order_requested: InStatus, order_confirmed: InStatus, cancelled: InStatus }),
    }),
    events: Counted,
    deliveries: Type.Object({
      ...deliveryCounts,
      next_attempt_at: Nullable(Timestamp("When something is sent next; null when nothing waits or may be sent")),
      first_delivered: Nullable(DeliveryRow),
      last_delivered: Nullable(DeliveryRow),
    }),
    subscriptions: Type.Array(
      Type.Object({
        id: Type.String(),
        ...deliveryCounts,
        drills_run: Type.Integer({ minimum: 0, description: "How many of the drills have a result" }),
      }),
      { description: "In the order they subscribed; one that has ended as long as deliveries of it are kept" },
    ),
    first_calls: Type.Array(RequestRow, {
      description: "The first call of each operation that was answered 200, of those that are still kept",
    }),
  }),
  inScenario,
);
const Checkpoint = Type.Optional(
  Type.Boolean({ description: "false: keep no checkpoint of what is lost (default: true)" }),
);
const Made = Nullable(
  Type.String({
    description: "The snapshot to restore to undo it; null when there is nothing to undo, or none was kept",
  }),
);

export const worldsReset = write(
  "worlds.reset",
  "Puts a world back to the seeded state; its subscriptions and pending deliveries end (D82).",
  { checkpoint: Checkpoint },
  Type.Object({ ...World.properties, checkpoint: Made }),
);
const Done = Type.Object({ ok: Type.Boolean() });

export const worldsPin = write(
  "worlds.pin",
  "Keeps a world from resetting when it is idle, or lets it again (D82).",
  { pinned: Type.Boolean() },
  World,
  inScenario,
);
export const worldsCopy = write(
  "worlds.copy",
  "Copies a world, with everything in it but what waits to be delivered, to a name that has none yet.",
  { to: Type.String() },
  World,
);
export const worldsDelete = write(
  "worlds.delete",
  "Ends a world; the next call to its name starts it anew. The world default can only be reset.",
  { checkpoint: Checkpoint },
  Type.Object({ ...Done.properties, checkpoint: Made }),
);
export const policiesGet = read(
  "policies.get",
  "The switches of a world, and when each was last changed.",
  {},
  Policies,
  inScenario,
);
export const policiesSet = write(
  "policies.set",
  "Sets switches of a world; an unknown name or value changes nothing.",
  {
    policies: Type.Partial(Type.Object(policyValues), { description: "Those to set; the others stay as they are" }),
  },
  Policies,
  inScenario,
);
export const clockGet = read("clock.get", "The world's clock.", {}, Clock, inScenario);
export const clockAdvance = write(
  "clock.advance",
  "Moves the world's clock ahead by seconds.",
  { seconds: Type.Number({ minimum: 0, maximum: 3_155_760_000, description: "How far ahead" }) },
  Clock,
  inScenario,
);
/** So many moments are listed. */
export const MOST_MOMENTS = 100;
/** What comes on a world's clock: nobody used the code or the address, or the parts of a confirmed order are wanted. */
export const momentKinds = ["code_expires", "upload_expires", "delivery_due"] as const;
const Moment = Type.Object({
  at: Timestamp("On the world's clock. A code and an address are good up to and including it"),
  what: OneOf(momentKinds),
  id: Nullable(Type.String({ description: "Of the upload, or of the procurement; a code has none" })),
  label: Type.String({ description: "The code as it may be shown, the file's name, the order's reference" }),
  organization: Type.String({ description: "Whose: the name of who installs, uploads or buys" }),
});
export type Moment = Static<typeof Moment>;

export const clockUpcoming = read(
  "clock.upcoming",
  "What comes on the world's clock: unused codes and upload addresses that expire, delivery dates. Retries, signed stamps and the idle reset follow real time (D84).",
  {},
  Type.Object({
    now: Timestamp("On the world's clock"),
    items: Type.Array(Moment, { description: `Earliest first, at most ${MOST_MOMENTS}` }),
  }),
);
export const clockReset = write("clock.reset", "Puts the world's clock back to real time.", {}, Clock, inScenario);

export const worldOperations = [
  serviceInfo,
  worldsList,
  worldSummary,
  worldsReset,
  worldsPin,
  worldsCopy,
  worldsDelete,
  policiesGet,
  policiesSet,
  clockGet,
  clockUpcoming,
  clockAdvance,
  clockReset,
] as const;
