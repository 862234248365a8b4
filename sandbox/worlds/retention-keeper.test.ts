import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ServiceDatabase } from "../storage/service-database.ts";
import { exchangeRecord } from "../testing/exchanges.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { ensureTemplate } from "./template.ts";
import type { World } from "./world.ts";
import { Worlds } from "./worlds.ts";

const realTimeout = setTimeout;
const START = Date.UTC(2026, 0, 15, 12);
const HOUR = 3_600_000;
const MEBIBYTE = 1024 * 1024;
const LOOK = 5_000;
/** More than are kept open at once. */
const MANY = 210;
const folder = temporaryFolder();
let template: string;
beforeAll(() => {
  template = ensureTemplate(folder, null);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"],
      now: START,
    }),
);
afterEach(() => void vi.useRealTimers());

const newFolder = (): string => {
  const made = fs.mkdtempSync(path.join(folder, "data-"));
  fs.copyFileSync(template, path.join(made, path.basename(template)));
  return made;
};

const start = (data = newFolder()) => {
  const service = new ServiceDatabase(path.join(data, "service.sqlite"));
  const opened: string[] = [];
  const troubled = vi.fn();
  const worlds = new Worlds({
    ...{ folder: data, service, durability: "off", idleResetMs: 10_000 * HOUR, credentials: null, deliveries: true },
    listeners: {
      published: () => undefined,
      watched: () => false,
      troubled,
      opened: (world) => opened.push(world.name),
      removed: () => undefined,
      reset: () => undefined,
    },
  });
  let stopped = false;
  const stop = (): void => {
    if (stopped) return;
    stopped = true;
    worlds.close();
    service.close();
  };
  onTestFinished(stop);
  worlds.openDue();
  return { data, worlds, opened, troubled, stop };
};

let made = 0;
/** Exchanges that were answered now. */
const read = (world: World, count: number, bytes = 100): Promise<void> =>
  world.writeBehind(() => {
    for (let left = count; left > 0; left -= 1) {
      const seq = world.stores.log.take();
      world.stores.requests.insert(
        exchangeRecord(`exchange ${++made}`, { seq, at: Date.now(), request_body: Buffer.alloc(bytes) }),
      );
    }
  });
const limit = (world: World, max_age_hours: number, max_megabytes = 1_000): Promise<void> =>
  world.write(() => world.stores.retention.set({ max_age_hours, max_megabytes }));
const closeLeastUsed = (worlds: Worlds): void => {
  for (let count = 0; count < MANY; count += 1) worlds.use(`other-${count}`);
};

describe("a world that is open", () => {
  it("is brought within its limits by itself, soon after it was written to", async () => {
    const { worlds } = start();
    const world = worlds.use("team");
    await limit(world, 24, 1);
    await read(world, 300, 10_000);
    expect(world.stores.retention.usedBytes()).toBeGreaterThan(2 * MEBIBYTE);
    await vi.advanceTimersByTimeAsync(LOOK + 1_000);
    expect(world.stores.requests.count()).toBeLessThan(110);
    expect(world.stores.retention.measure("requests", 0, 1_000).bytes).toBeLessThan(MEBIBYTE);
  });

  it("is looked at again when something in it becomes too old, though nobody writes to it", async () => {
    const { worlds } = start();
    const world = worlds.use("team");
    await limit(world, 1);
    await read(world, 3);
    vi.setSystemTime(START + 1_800_000);
    await read(world, 3);
    await vi.advanceTimersByTimeAsync(1_800_000 + LOOK);
    expect(world.stores.requests.count()).toBe(3);
    const writes = vi.spyOn(world.stores.retention, "after");
    await vi.advanceTimersByTimeAsync(10 * LOOK);
    // One look after its own writing, and then nothing until something is due.
    expect(writes.mock.calls.length).toBeLessThan(20);
  });

  it("takes calls between the steps of a long forgetting", async () => {
    const { worlds } = start();
    const world = worlds.use("team");
    await limit(world, 1);
    for (let count = 0; count < 10; count += 1) await read(world, 900);
    vi.setSystemTime(START + 2 * HOUR);
    await vi.advanceTimersByTimeAsync(LOOK);
    const seen: number[] = [];
    while (world.stores.requests.count() > 1 && seen.length < 10_000) {
      await world.write(() => world.stores.meta.touch(seen.length));
      seen.push(world.stores.requests.count());
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(world.stores.requests.count()).toBe(1);
    // Every step that forgot something left a caller its turn before the next.
    expect(new Set(seen).size).toBeGreaterThan(5);
  });

  it("has its log of changes folded into its file once it is quiet, when that has grown long", async () => {
    const { data, worlds } = start();
    const world = worlds.use("team");
    await limit(world, 24);
    await read(world, 600, 10_000);
    const size = (): number => fs.statSync(path.join(data, "worlds", "w-team.sqlite-wal")).size;
    expect(size()).toBeGreaterThan(4 * MEBIBYTE);
    await vi.advanceTimersByTimeAsync(LOOK);
    // A look has to find the service idle.
    for (let looks = 0; looks < 100 && size() > 0; looks += 1) {
      await new Promise((resolve) => realTimeout(resolve, 30));
      await vi.advanceTimersByTimeAsync(LOOK);
    }
    expect(size()).toBe(0);
    expect(world.stores.requests.count()).toBe(600);
  });
});

describe("a world that is closed", () => {
  const closed = async (limits: [number, number?], count: number, bytes = 100) => {
    const scene = start();
    const { worlds } = scene;
    const world = worlds.use("team");
    await limit(world, ...limits);
    await read(world, count, bytes);
    closeLeastUsed(worlds);
    expect(world.closed).toBe(true);
    const look = (): number => worlds.existing("team")?.stores.requests.count() ?? 0;
    return { ...scene, look };
  };

  it("is opened when something in it is too old, and closed again; that is no call to it", async () => {
    const { worlds, opened, look } = await closed([1], 4);
    const before = worlds.openWorlds().length;
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(opened).toEqual([]);
    await vi.advanceTimersByTimeAsync(2 * LOOK);
    expect(opened).toEqual(["team"]);
    expect([worlds.openWorlds().some(({ name }) => name === "team"), worlds.openWorlds().length <= before]).toEqual([
      false,
      true,
    ]);
    expect(worlds.list().find(({ name }) => name === "team")?.last_active_at).toBe(START);
    expect(look()).toBe(1);
  });

  it("is opened soon when it was closed with too much in it, so that none is ever open too briefly to be looked at", async () => {
    const { opened, look } = await closed([24, 1], 300, 10_000);
    await vi.advanceTimersByTimeAsync(2 * LOOK);
    expect(opened).toEqual(["team"]);
    await vi.advanceTimersByTimeAsync(10 * LOOK);
    expect(opened).toEqual(["team"]);
    expect(look()).toBeLessThan(110);
  });

  it("is opened one at a time with others that are due", async () => {
    const { worlds, opened } = start();
    const names = Array.from({ length: 12 }, (_, index) => `due-${index}`);
    for (const name of names) {
      const world = worlds.use(name);
      await limit(world, 1);
      await read(world, 2);
    }
    closeLeastUsed(worlds);
    vi.setSystemTime(START + 2 * HOUR);
    const steps: number[] = [];
    for (let looks = 0; looks < 30; looks += 1) {
      await vi.advanceTimersByTimeAsync(LOOK);
      steps.push(opened.length);
    }
    expect(opened.toSorted()).toEqual(names.toSorted());
    for (const [index, count] of steps.entries()) expect(count - (steps[index - 1] ?? 0)).toBeLessThanOrEqual(1);
    expect(worlds.openWorlds().some(({ name }) => names.includes(name))).toBe(false);
  });

  it("is looked at after a restart too, some time after it, and not where nothing was ever written", async () => {
    const first = await closed([1], 4);
    first.stop();
    vi.setSystemTime(START + 2 * HOUR);
    const { opened, worlds } = start(first.data);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(opened).toEqual([]);
    await vi.advanceTimersByTimeAsync(400_000);
    expect(opened).toEqual(["team"]);
    expect(worlds.existing("team")?.stores.requests.count()).toBe(1);
  });
});

describe("on a disk that takes nothing", () => {
  it("forgetting is told once, and tried again after a minute", async () => {
    const { worlds, troubled } = start();
    const world = worlds.use("team");
    await limit(world, 1);
    await read(world, 10);
    await vi.advanceTimersByTimeAsync(LOOK);
    vi.setSystemTime(START + 2 * HOUR);
    const forget = vi.spyOn(world.stores.retention, "forget").mockImplementation(() => {
      throw new Sqlite.SqliteError("database or disk is full", "SQLITE_FULL");
    });
    await vi.advanceTimersByTimeAsync(LOOK);
    expect(troubled).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(troubled).toHaveBeenCalledTimes(1);
    forget.mockRestore();
    await vi.advanceTimersByTimeAsync(20_000);
    expect([troubled.mock.calls.length, world.stores.requests.count()]).toEqual([1, 1]);
  });
});
