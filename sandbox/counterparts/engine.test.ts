import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { UNUSED_ID } from "../contract/values.ts";
import { Database } from "../storage/database.ts";
import { World } from "../worlds/world.ts";
import { ActingEngine } from "./engine.ts";
import { setRules } from "./set-rules.ts";

const START = Date.UTC(2026, 10, 29);
const HOUR = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A world with due notifications of deleted events. Running them only ends them. */
const acting = () => {
  const db = new Database(":memory:", { durability: "off" });
  db.epoch = START;
  db.run("INSERT INTO organizations (id, name, scope) VALUES ('o', 'Somebody', 'supplier')");
  const engine = new ActingEngine({
    enabled: true,
    withWorld: (_name, work) => (db.handle.open ? work(world) : undefined),
    wakeDeliveries: () => undefined,
    around: () => ({ baseUrl: "", signUpload: () => "" }),
    onError: (error) => expect.unreachable(String(error)),
  });
  const world: World = new World("team", db, {
    onPublish: () => {
      if (world.stores.acts.clearTouched()) engine.wake(world);
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(async () => {
    await engine.stop();
    world.close();
  });
  const add = (after: number): Promise<void> =>
    world.write(() =>
      world.stores.acts.insert({ kind: "notify", due_at: world.now() + after, organization_id: "o", event_seq: 1 }),
    );
  return { world, engine, add, left: () => world.stores.acts.count() };
};

it("moving a world's clock back doesn't delay earlier acts, and later ones still wait", async () => {
  const { add, left } = acting();
  await add(300);
  // Lets the engine check first.
  await new Promise((resolve) => setTimeout(resolve, 50));
  vi.setSystemTime(START - HOUR);
  await add(HOUR);
  await expect.poll(left, { timeout: 3_000 }).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(left()).toBe(1);
});

it("a world isn't read before its next act, which follows its clock", async () => {
  const { world, engine, add, left } = acting();
  await add(HOUR);
  await engine.settle(world);
  expect(left()).toBe(1);
  await world.write(() => {
    world.stores.settings.set("clock_offset", HOUR);
    world.reread();
  });
  await engine.settle(world);
  expect(left()).toBe(0);
});

it("turns off a rule of a deleted organization and says why", async () => {
  const { world, engine, left } = acting();
  const { settings, acts } = world.stores;
  const rule = { id: "r", organization_id: UNUSED_ID, does: "confirm" as const, done: 0, off: null };
  await world.write(() => {
    settings.set("counterparts", [rule]);
    for (const procurement_id of ["one", "two"])
      acts.insert({ kind: "confirm", due_at: world.now(), organization_id: UNUSED_ID, rule_id: "r", procurement_id });
  });
  await engine.settle(world);
  expect(left()).toBe(0);
  expect(settings.get("counterparts")[0]?.off?.sentence).toBe("The organization was deleted.");
  expect(acts.ended(5)[0]).toMatchObject({ outcome: "refused", sentence: "The organization was deleted." });
});

it("leaves a refused rule off while another one changes, and turns it on if it is set again", async () => {
  const { world } = acting();
  const { settings } = world.stores;
  const rule = { organization_id: UNUSED_ID, does: "never" as const };
  const other = { ...rule, does: "confirm" as const };
  const off = { at: START, sentence: "Refused.", trace_id: null };
  await setRules(world, [rule]);
  const [stored] = settings.get("counterparts");
  await world.write(() => settings.set("counterparts", stored ? [{ ...stored, off }] : []));
  const now = () => settings.get("counterparts").map((one) => one.off?.sentence ?? "on");
  await setRules(world, [rule, other]);
  expect(now()).toEqual(["Refused.", "on"]);
  await setRules(world, [rule, other], false);
  await setRules(world, [rule, other], true);
  expect(now()).toEqual(["Refused.", "on"]);
  await setRules(world, [rule, other]);
  expect(now()).toEqual(["on", "on"]);
});

it("pauses in a world during other work, and continues afterwards", async () => {
  const { world, engine, add, left } = acting();
  await engine.withPaused(world.name, async () => {
    await add(0);
    await engine.settle(world);
    expect(left()).toBe(1);
  });
  await expect.poll(left).toBe(0);
});
