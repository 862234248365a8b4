import type { Static } from "typebox";
import * as Type from "typebox";
import { Count, counted, Items, Nullable, OneOf, Timestamp, Uuid } from "../schema.ts";
import { manage, read, scenarioUsable, withUnprocessable, worldScoped, write, writeOne } from "./declaring.ts";
import { eachPolicy, type PolicyName, policyChoices, policyQuestions } from "./policies.ts";
import { DeliveryRow, deliveryCounts, RequestRow, World } from "./rows.ts";

const Clock = Type.Object({ now: Timestamp(), offset_seconds: Type.Number() });
const Changed = Nullable(Timestamp("Last change in real time; null: never"));
const policyChoice = <N extends PolicyName>(name: N) =>
  OneOf<(typeof policyChoices)[N]>(policyChoices[name], policyQuestions[name].question);
/** Schemas of the values of each setting. */
export const policyValues = eachPolicy(policyChoice) as {
  [N in PolicyName]: ReturnType<typeof policyChoice<N>>;
};
const Policies = Type.Object({
  own_keys: Type.Boolean({ description: "Whether the world has its own keys, as one with an invitation" }),
  changed_at: Type.Object(eachPolicy(() => Changed)),
  policies: Type.Object(policyValues),
});

export const serviceInfo = worldScoped.read(
  "service.info",
  "The service’s version, address, data folder and mode.",
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
export const worldsList = worldScoped.read("worlds.list", "The worlds of this service.", {}, Items(World));
const Counted = Type.Object(counted);
const InStatus = Type.Object({
  ...counted,
  last_at: Nullable(Timestamp("When the latest of them entered this status, in the world’s time; null: none")),
});

export const worldSummary = scenarioUsable.read(
  "world.summary",
  "A world’s counts, delivery state and first calls.",
  {},
  Type.Object({
    jobs: Type.Object({ ...counted, last_changed_at: Nullable(Timestamp("In the world’s time")) }),
    parts: Counted,
    baskets: Type.Object(counted, { description: "Jobs with parts, each with a basket" }),
    procurements: Type.Object({
      ...counted,
      by_status: Type.Object({ order_requested: InStatus, order_confirmed: InStatus, cancelled: InStatus }),
    }),
    events: Counted,
    deliveries: Type.Object({
      ...deliveryCounts,
      next_attempt_at: Nullable(Timestamp("Next attempt; null: none is due")),
      first_delivered: Nullable(DeliveryRow),
      last_delivered: Nullable(DeliveryRow),
    }),
    subscriptions: Type.Array(
      Type.Object({
        id: Type.String(),
        ...deliveryCounts,
        drills_run: Count("Number of drills with a result"),
        drills_passed: Count("Number of drills its receiver passed"),
      }),
      { description: "In subscription order; ended ones as long as their deliveries are kept" },
    ),
    first_calls: Type.Array(RequestRow, {
      description: "The first successful call of each operation among the kept calls",
    }),
  }),
);

export const worldLifecycle = worldScoped.read(
  "world.lifecycle",
  "What moves in a world: offers, open orders, today’s baskets, and recent confirmations.",
  {
    time_zone: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          "When a day begins: the name of a time zone, for example Pacific/Auckland; UTC if absent or unknown",
      }),
    ),
  },
  Type.Object({
    from_seed: Type.Boolean({ description: "Whether no job or order was changed since the world was created" }),
    baskets_today: Type.Object(counted, {
      description: "Baskets of the jobs inserted since the day began, by the world’s clock",
    }),
    offers: Type.Object(
      { total: Count(), total_is_minimum: Type.Boolean() },
      { description: "Offers in the latest baskets of at most 500 jobs, the last inserted ones" },
    ),
    oldest_requested_at: Nullable(Timestamp("When the order that waits longest was placed, in the world’s time")),
    confirmed_last_hour: Type.Object(counted, { description: "Orders confirmed in the last hour of the world’s time" }),
    job_events: Type.Object(counted, { description: "Events of jobs" }),
  }),
);
const Checkpoint = Type.Optional(Type.Boolean({ description: "false: save no checkpoint first (default: true)" }));
const UndoSnapshot = Nullable(
  Type.String({
    description: "Restore this snapshot to undo; null: nothing to undo, or no checkpoint was saved",
  }),
);

export const worldsReset = write(
  "worlds.reset",
  "Resets a world to the seed. Its subscriptions and pending deliveries end (D82).",
  { checkpoint: Checkpoint },
  Type.Object({ ...World.properties, checkpoint: UndoSnapshot }),
  manage,
);
const Done = Type.Object({ ok: Type.Boolean() });

export const worldsPin = scenarioUsable.write(
  "worlds.pin",
  "Turns a world’s idle reset off or on (D82).",
  { pinned: Type.Boolean() },
  World,
  manage,
);
export const worldsCopy = write(
  "worlds.copy",
  "Copies a world to an unused name, without its pending deliveries.",
  { to: Type.String() },
  World,
);
export const worldsBranch = writeOne(
  "worlds.branch",
  "Creates a world as this one was before a call: from the nearest snapshot or the seed, plus the calls since, replayed in order. This world doesn’t change. Nothing is sent to receivers meanwhile, and the new world has no pending deliveries. Its clock continues from the time of the call.",
  {
    request_id: Uuid("The call to continue differently from"),
    to: Type.String({ description: "An unused world name" }),
  },
  Type.Object({
    ...World.properties,
    from_snapshot: Nullable(Type.String({ description: "The snapshot it begins with; null: the seed" })),
    replayed: Count("Number of replayed calls"),
    differing: Count("Number of replayed calls and settings with another result"),
    first_difference: Nullable(
      Type.Object({
        request_id: Nullable(Type.String({ description: "The recorded call; null: a setting or a receiver" })),
        step: Type.String({ description: "What was replayed, and its status now" }),
        path: Type.String({ description: "Where the response differs" }),
        expected: Type.Unknown({ description: "The recorded value" }),
        got: Type.Unknown(),
        cause: Nullable(Type.String({ description: "The message of the error response now, if it is one" })),
      }),
    ),
    notes: Type.Array(Type.String(), { description: "What could not be replayed, in sentences" }),
  }),
  withUnprocessable,
);
export const worldsDelete = write(
  "worlds.delete",
  'Deletes a world. The next call to its name creates it from the seed. The world "default" can only be reset.',
  { checkpoint: Checkpoint },
  Type.Object({ ...Done.properties, checkpoint: UndoSnapshot }),
);
export const policiesGet = scenarioUsable.read(
  "policies.get",
  "A world’s settings for assumptions, and when each last changed.",
  {},
  Policies,
);
export const policiesSet = scenarioUsable.write(
  "policies.set",
  "Changes settings of a world. An unknown name or value is refused and changes nothing.",
  {
    policies: Type.Partial(Type.Object(policyValues), { description: "The settings to change" }),
  },
  Policies,
  manage,
);
export const clockGet = scenarioUsable.read("clock.get", "The world’s clock.", {}, Clock);
export const clockAdvance = scenarioUsable.write(
  "clock.advance",
  "Moves the world’s clock ahead.",
  { seconds: Type.Number({ minimum: 0, maximum: 3_155_760_000, description: "Seconds to move ahead" }) },
  Clock,
  manage,
);
/** Limit on the listed moments. */
export const MAX_MOMENTS = 100;
/** Events on a world's clock: an unused access code or upload address expires, or a confirmed order's parts are due. */
export const momentKinds = ["code_expires", "upload_expires", "delivery_due"] as const;
const Moment = Type.Object({
  at: Timestamp("The world’s clock. Codes and upload addresses are valid up to and including this time"),
  what: OneOf(momentKinds),
  id: Nullable(Type.String({ description: "The upload or order; a code has none" })),
  label: Type.String({ description: "The masked code, the file name or the order reference" }),
  organization: Type.String({ description: "The organization that installs, uploads or buys" }),
});
export type Moment = Static<typeof Moment>;

export const clockUpcoming = worldScoped.read(
  "clock.upcoming",
  "Upcoming deadlines on the world’s clock: expiring access codes and upload addresses, and delivery dates. Retries, signature timestamps and the idle reset use real time (D84).",
  {},
  Type.Object({
    now: Timestamp("On the world’s clock"),
    items: Type.Array(Moment, { description: `Earliest first, at most ${MAX_MOMENTS}` }),
  }),
);
export const clockReset = scenarioUsable.write(
  "clock.reset",
  "Resets the world’s clock to real time.",
  {},
  Clock,
  manage,
);

export const defaultRetention: Retention = { max_age_hours: 168, max_megabytes: 256 };

export const retentionBounds = {
  max_age_hours: { minimum: 1, maximum: 87_600, description: "Older records are deleted. Whole hours" },
  max_megabytes: {
    minimum: 1,
    maximum: 65_536,
    description: "Above this size the oldest records are deleted. Whole mebibytes (1,048,576 bytes)",
  },
} as const;

/**
 * Limits on a world's records: calls, the log with its state changes, events, deliveries and their attempts. The first
 * limit that is met applies. Pending deliveries and pinned calls are kept with their traces.
 */
export const Retention = Type.Object({
  max_age_hours: Type.Integer(retentionBounds.max_age_hours),
  max_megabytes: Type.Integer(retentionBounds.max_megabytes),
});
export type Retention = Static<typeof Retention>;

export const retentionGet = worldScoped.read("retention.get", "A world’s retention limits.", {}, Retention);
export const retentionSet = write(
  "retention.set",
  "Sets a world’s retention limits; absent fields don’t change. Older records are deleted in the background, except pending deliveries and pinned calls.",
  Type.Partial(Retention).properties,
  Retention,
  manage,
);

/** Background work on whole worlds, one piece at a time. */
export const WorkRow = Type.Object({
  id: Type.String(),
  kind: OneOf(
    ["copy", "restore", "export", "import", "compare", "record", "branch"],
    "copy: also used to save a snapshot",
  ),
  world: Nullable(Type.String({ description: "The world; null for an import" })),
  to: Nullable(Type.String({ description: "The world it creates; null: none" })),
  asked_at: Timestamp("Real time"),
  progress: Nullable(Type.Number({ minimum: 0, maximum: 1, description: "null: waiting for earlier work" })),
});
export type WorkRow = Static<typeof WorkRow>;

export const workList = read(
  "work.list",
  "Long work in progress across worlds, in order: snapshots, copies, branches, exports, imports, recordings and comparisons.",
  {},
  Items(WorkRow),
);
export const workCancel = writeOne(
  "work.cancel",
  "Cancels long work. Its call returns unprocessable and nothing changes. Hanging up the call does the same.",
  { id: Type.String() },
  Type.Object({ ok: Type.Boolean() }),
);
