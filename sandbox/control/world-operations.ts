import { policyChoices, policyNames } from "../contract/control/policies.ts";
import type { World as WorldRow } from "../contract/control/rows.ts";
import {
  clockAdvance,
  clockGet,
  clockReset,
  policiesGet,
  policiesSet,
  serviceInfo,
  worldsCopy,
  worldsDelete,
  worldsList,
  worldsPin,
  worldsReset,
} from "../contract/control/world-operations.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import { DEFAULT_WORLD, isWorldName } from "../rules/world-name.ts";
import type { WorldEntry, WorldSummary } from "../storage/service-database.ts";
import { isUnusable } from "../storage/unusable-file.ts";
import type { Changed } from "../worlds/snapshots.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, type ControlContext, control, iso } from "./handler.ts";

const NOTHING: WorldSummary = { jobs: 0, procurements: 0, credentials: 0, subscriptions: 0, clock_offset: 0 };

/** What is in a world: as it is, or as it was when it was closed. Only one of which neither is known is opened to see. */
const summaryOf = ({ worlds }: ControlContext, entry: WorldEntry, world: World | undefined): WorldSummary => {
  try {
    return world?.summary() ?? entry.summary ?? worlds.existing(entry.name)?.summary() ?? NOTHING;
  } catch (error) {
    // One file that cannot be opened does not hide the other worlds.
    if (!isUnusable(error)) throw error;
    return NOTHING;
  }
};

const worldRow = (context: ControlContext, entry: WorldEntry, world: World | undefined): WorldRow => {
  const resetsAt = context.worlds.resetsAt(entry);
  const { clock_offset, ...counts } = summaryOf(context, entry, world);
  return {
    name: entry.name,
    created_at: iso(entry.created_at),
    last_active_at: iso(entry.last_active_at),
    resets_at: resetsAt === null ? null : iso(resetsAt),
    pinned: entry.pinned,
    clock_offset_seconds: clock_offset / 1_000,
    counts,
  };
};

const rowOf = (context: ControlContext, world: World): WorldRow | Refusal => {
  const entry = context.worlds.list().find((one) => one.name === world.name);
  return entry ? worldRow(context, entry, world) : refuse("not_found");
};

/** A world after something was done to it that a checkpoint undoes. */
export const changedRow = (context: ControlContext, { world, checkpoint }: Changed) => {
  const row = rowOf(context, world);
  return row instanceof Refusal ? row : { ...row, checkpoint };
};

const clockOf = (world: World) => ({ now: iso(world.now()), offset_seconds: world.clockOffset / 1_000 });

/** The last year that dates have four digits for (D10), less what expiries and deliveries add to the clock. */
const LATEST = Date.UTC(9_990, 0);

/** @param move from the offset there is, in milliseconds, which another call may have changed meanwhile */
const setClock = async (world: World, move: (offset: number) => number) => {
  const tooFar = await world.write((append) => {
    const earlier = world.stores.meta.clockOffset();
    const offset = move(earlier);
    if (Date.now() + offset > LATEST) return true;
    const before = { offset_seconds: earlier / 1_000 };
    world.stores.meta.setClockOffset(offset);
    append("world", null, { what: "clock", before, after: { offset_seconds: offset / 1_000 } });
    return false;
  });
  if (tooFar) return refuse("bad_request", "/seconds would move the clock beyond the year 9990");
  world.reread();
  return clockOf(world);
};

const choices: Record<string, readonly string[]> = policyChoices;

/** What is wrong with a set of policies, or null. */
const policyProblem = (policies: Record<string, unknown>): string | null => {
  for (const [name, value] of Object.entries(policies)) {
    const known = Object.hasOwn(choices, name) ? choices[name] : undefined;
    if (!known) return `/policies/${name} is not a policy; there are ${policyNames.join(", ")}`;
    if (typeof value !== "string" || !known.includes(value))
      return `/policies/${name} must be one of ${known.join(", ")}`;
  }
  return null;
};

/** The service, its worlds, their clocks and switches. */
export const worldControls: readonly BoundControl[] = [
  control(serviceInfo, ({ info }) => ({
    version: info.version,
    base_url: info.baseUrl,
    mode: info.mode,
    data_folder: info.dataFolder,
    deliveries: info.deliveriesOn,
    started_at: iso(info.startedAt),
    now: iso(Date.now()),
  })),
  control(worldsList, (context) => {
    const open = new Map(context.worlds.openWorlds().map((world) => [world.name, world]));
    return { items: context.worlds.list().map((entry) => worldRow(context, entry, open.get(entry.name))) };
  }),
  control(worldsReset, (context, { checkpoint = true }) =>
    changedRow(context, context.snapshots.reset(context.world, checkpoint)),
  ),
  control(worldsPin, (context, { pinned }) => {
    context.worlds.pin(context.world.name, pinned);
    return rowOf(context, context.world);
  }),
  control(worldsCopy, (context, { to }) => {
    if (!isWorldName(to)) return refuse("bad_request", "/to must be 1 to 64 of A–Z a–z 0–9 . _ -");
    if (context.worlds.has(to))
      return refuse("bad_request", `/to ${to} is a world already; delete it first, or choose another name`);
    return rowOf(context, context.worlds.copy(context.world.name, to));
  }),
  control(worldsDelete, ({ snapshots, world }, { checkpoint = true }) => {
    if (world.name === DEFAULT_WORLD)
      return refuse("bad_request", "/world default cannot be deleted; reset it instead");
    return { ok: true, checkpoint: snapshots.remove(world, checkpoint) };
  }),
  control(policiesGet, ({ world }) => ({ policies: world.policies })),
  control(policiesSet, async ({ world }, { policies }) => {
    const problem = policyProblem(policies);
    if (problem) return refuse("bad_request", problem);
    await world.write((append) => {
      const { meta } = world.stores;
      const before = meta.policies();
      for (const name of policyNames) {
        const value = policies[name];
        if (typeof value === "string") meta.setPolicy(name, value);
      }
      append("world", null, { what: "policies", before, after: meta.policies() });
    });
    world.reread();
    return { policies: world.policies };
  }),
  control(clockGet, ({ world }) => clockOf(world)),
  control(clockAdvance, ({ world }, { seconds }) => setClock(world, (offset) => offset + Math.round(seconds * 1_000))),
  control(clockReset, ({ world }) => setClock(world, () => 0)),
];
