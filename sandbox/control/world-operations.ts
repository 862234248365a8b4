import { eachPolicy, type Policies, policyNames } from "../contract/control/policies.ts";
import type { DeliveryStatus, World as WorldRow } from "../contract/control/rows.ts";
import { MAX_MOMENTS, type Moment } from "../contract/control/world-operations.ts";
import { countPassed } from "../contract/drills.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import { maskSecret } from "../contract/known-secrets.ts";
import { iso, isoOrNull } from "../rules/timestamp.ts";
import { DEFAULT_WORLD, isWorldName } from "../rules/worlds/world-name.ts";
import type { ChangeResult } from "../snapshots/snapshots.ts";
import type { MomentRecord } from "../storage/clock-store.ts";
import { deliveryRow } from "../storage/delivery-records.ts";
import { realTime } from "../storage/real-time.ts";
import type { WorldEntry, WorldSummary } from "../storage/service-database.ts";
import { LATEST_MS } from "../storage/settings-store.ts";
import { mapSliced } from "../storage/slices.ts";
import { createTotals } from "../storage/totals.ts";
import { UnavailableWorldError } from "../storage/unavailable-world.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, type ControlContext, control } from "./handler.ts";

const NOTHING: WorldSummary = {
  ...{ jobs: 0, procurements: 0, credentials: 0, subscriptions: 0 },
  clock_offset: 0,
  last_called_at: null,
};

const worldRow = ({ worlds }: ControlContext, entry: WorldEntry): WorldRow => {
  const resetsAt = worlds.resetsAt(entry);
  let summary: WorldSummary = NOTHING;
  let unavailable: string | null = null;
  try {
    summary = worlds.getSummary(entry) ?? NOTHING;
  } catch (error) {
    if (!(error instanceof UnavailableWorldError)) throw error;
    unavailable = error.message;
  }
  const { clock_offset, last_called_at, ...counts } = summary;
  return {
    name: entry.name,
    created_at: iso(entry.created_at),
    last_active_at: iso(entry.last_active_at),
    last_called_at,
    resets_at: resetsAt === null ? null : iso(resetsAt),
    pinned: entry.pinned,
    clock_offset_seconds: clock_offset / 1_000,
    counts,
    bytes: entry.bytes ?? worlds.getBytes(entry.name),
    unavailable,
    ...(entry.node === undefined ? {} : { node: entry.node }),
  };
};

const readRow = (context: ControlContext, world: string): WorldRow | Refusal => {
  const entry = context.worlds.getEntry(world);
  return entry ? worldRow(context, entry) : refuse("not_found");
};

/** A world after a change that a checkpoint can undo. */
export const changedRow = (context: ControlContext, { world, checkpoint }: ChangeResult) => {
  const row = readRow(context, world);
  return row instanceof Refusal ? row : { ...row, checkpoint };
};

/** Reason why a new world can't have a name; null if it can. */
const refuseName = ({ worlds }: ControlContext, to: string): Refusal | null => {
  if (!isWorldName(to)) return refuse("bad_request", "/to must be 1 to 64 of A–Z a–z 0–9 . _ -");
  return worlds.has(to)
    ? refuse("bad_request", `/to ${to} already exists. Delete that world first, or choose another name`)
    : null;
};

const readClock = (world: World) => ({ now: iso(world.now()), offset_seconds: world.clockOffset / 1_000 });

/** @param move maps the current offset in milliseconds, which another call may have changed */
export const setClock = async (
  { world, acting }: Pick<ControlContext, "world" | "acting">,
  move: (offset: number) => number,
) => {
  const tooFar = await world.write((append) => {
    const earlier = world.stores.settings.get("clock_offset");
    const offset = move(earlier);
    if (realTime() + offset > LATEST_MS) return true;
    const before = { offset_seconds: earlier / 1_000 };
    world.stores.settings.set("clock_offset", offset);
    append("world", null, { what: "clock", before, after: { offset_seconds: offset / 1_000 } });
    world.reread();
    return false;
  });
  if (tooFar) return refuse("bad_request", "/seconds would move the clock beyond the year 9990");
  // Finishes acts that fell due before the new time is returned.
  await acting.settle(world);
  return readClock(world);
};

const momentRow = (moment: MomentRecord): Moment => ({
  ...moment,
  at: iso(moment.at),
  label: moment.what === "code_expires" ? maskSecret(moment.label) : moment.label,
});

const readPolicies = ({ world, access }: Pick<ControlContext, "world" | "access">) => {
  const changed = world.stores.settings.get("policies_changed");
  return {
    policies: world.policies,
    changed_at: eachPolicy((name) => isoOrNull(changed[name] ?? null)),
    own_keys: access.findKeys(world.name) !== undefined,
  };
};

/** Summary of a world. Cheap enough to poll: it reads counters and the ends of indexes. */
const summaryControl = control("world.summary", ({ world, info }) => {
  const { outbox, drills, requests } = world.stores;
  const subscriptions = outbox.countBySubscription();
  const sumOf = (status: DeliveryStatus) => subscriptions.reduce((sum, counted) => sum + counted[status], 0);
  const [first, last] = [outbox.findDelivered("first"), outbox.findDelivered("last")];
  return {
    ...createTotals(world.db),
    deliveries: {
      pending: sumOf("pending"),
      delivered: sumOf("delivered"),
      failed: sumOf("failed"),
      next_attempt_at: info.deliveriesOn ? isoOrNull(world.nextDueAt()) : null,
      first_delivered: first ? deliveryRow(first) : null,
      last_delivered: last ? deliveryRow(last) : null,
    },
    subscriptions: subscriptions.map((counted) => {
      const results = [...drills.latest(counted.id).values()];
      return { ...counted, drills_run: results.length, drills_passed: countPassed(results) };
    }),
    first_calls: requests.firstDone(),
  };
});

export const worldControls: readonly BoundControl[] = [
  control("service.info", ({ info, caller }) => ({
    version: info.version,
    base_url: info.baseUrl,
    mode: info.mode,
    data_folder: caller.token === null ? info.dataFolder : null,
    deliveries: info.deliveriesOn,
    started_at: iso(info.startedAt),
    now: iso(realTime()),
  })),
  control("worlds.list", async (context) => {
    const { worlds, caller, inSlices } = context;
    const entries = caller.token ? [worlds.getEntry(caller.token.world) ?? []].flat() : await worlds.listAll();
    // Sliced, because thousands of worlds each need a file access.
    const items = await inSlices(() => mapSliced(entries, (entry) => worldRow(context, entry)));
    await worlds.confirmed();
    return { items };
  }),
  control("worlds.reset", async (context, { checkpoint = true }) =>
    changedRow(context, await context.snapshots.reset(context.worldName, checkpoint)),
  ),
  control("worlds.pin", (context, { pinned }) => {
    context.worlds.pin(context.worldName, pinned);
    return readRow(context, context.worldName);
  }),
  control("worlds.branch", async (context, { request_id, to }) => {
    const refused = refuseName(context, to);
    if (refused) return refused;
    const { snapshots, worlds, worldName, info, hungUp } = context;
    const input = { request_id: request_id.toLowerCase(), baseUrl: info.baseUrl };
    worlds.mustHave(worldName);
    const branched = await snapshots.branch(worldName, to, input, hungUp);
    if (branched instanceof Refusal) return branched;
    const row = readRow(context, to);
    return row instanceof Refusal ? row : { ...row, ...branched, notes: [...branched.notes] };
  }),
  control("worlds.copy", async (context, { to }) => {
    const refused = refuseName(context, to);
    if (refused) return refused;
    context.worlds.mustHave(context.worldName);
    const copy = await context.snapshots.copy(context.world.name, to, context.hungUp);
    return copy instanceof Refusal ? copy : readRow(context, to);
  }),
  control("worlds.delete", async ({ snapshots, worldName, access }, { checkpoint = true }) => {
    if (worldName === DEFAULT_WORLD) return refuse("bad_request", "/world default can’t be deleted. Reset it instead");
    const checkpointName = await snapshots.remove(worldName, checkpoint);
    access.endWorld(worldName);
    return { ok: true, checkpoint: checkpointName };
  }),
  control("policies.get", readPolicies),
  control("policies.set", async (context, { policies }) => {
    const { world } = context;
    await world.write((append) => {
      const { settings } = world.stores;
      const before = settings.get("policies");
      const after = { ...before, ...policies } as Policies;
      settings.set("policies", after);
      const changed = policyNames.filter((name) => before[name] !== after[name]).map((name) => [name, realTime()]);
      settings.set("policies_changed", { ...settings.get("policies_changed"), ...Object.fromEntries(changed) });
      append("world", null, { what: "policies", before, after });
    });
    world.reread();
    return readPolicies(context);
  }),
  control("clock.get", ({ world }) => readClock(world)),
  control("clock.upcoming", ({ world }) => {
    const now = world.now();
    return { now: iso(now), items: world.stores.clock.upcoming(now, MAX_MOMENTS).map(momentRow) };
  }),
  control("clock.advance", (context, { seconds }) =>
    setClock(context, (offset) => offset + Math.round(seconds * 1_000)),
  ),
  control("clock.reset", (context) => setClock(context, () => 0)),
  control("retention.get", ({ world, info }) => {
    const { max_age_hours, max_megabytes } = world.stores.settings.get("retention");
    // A world from elsewhere may have a larger setting.
    return { max_age_hours, max_megabytes: Math.min(max_megabytes, info.quotas.retentionMebibytes) };
  }),
  control("retention.set", ({ world, info }, { world: _name, ...limits }) => {
    const { max_age_hours, max_megabytes } = limits;
    const most = info.quotas.retentionMebibytes;
    if (max_megabytes !== undefined && max_megabytes > most)
      return refuse(
        "bad_request",
        `/max_megabytes must be at most ${most}, the limit of this service (--max-retention)`,
      );
    if (max_age_hours === undefined && max_megabytes === undefined)
      return refuse("bad_request", "/max_age_hours or /max_megabytes is required");
    return world.write((append) => {
      const { settings } = world.stores;
      const before = settings.get("retention");
      const after = { ...before, ...limits };
      settings.set("retention", after);
      append("world", null, { what: "retention", before, after });
      return after;
    });
  }),
  control("work.list", ({ snapshots }) => ({ items: snapshots.work.list() })),
  control("work.cancel", ({ snapshots }, { id }) =>
    snapshots.work.cancel(id) ? { ok: true } : refuse("not_found", `/id ${id}: no such task is in progress`),
  ),
  summaryControl,
];
