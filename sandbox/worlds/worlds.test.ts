import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { worldFileName } from "../rules/world-name.ts";
import { ServiceDatabase } from "../storage/service-database.ts";
import { buildSeedWorld } from "./seed/seed-world.ts";
import { ensureTemplate } from "./template.ts";
import type { World } from "./world.ts";
import { Worlds } from "./worlds.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 15, 12);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
let template: string;
beforeAll(() => {
  template = ensureTemplate(folder, null);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

const newFolder = (): string => {
  const made = fs.mkdtempSync(path.join(folder, "data-"));
  fs.copyFileSync(template, path.join(made, path.basename(template)));
  return made;
};

/** The worlds of a service on a folder; call `stop` before another takes the same folder. */
const start = (data = newFolder()) => {
  const service = new ServiceDatabase(path.join(data, "service.sqlite"));
  const opened: string[] = [];
  const removed: string[] = [];
  const reset: World[] = [];
  const worlds = new Worlds({
    folder: data,
    service,
    durability: "off",
    idleResetMs: HOUR,
    credentials: null,
    deliveries: true,
    listeners: {
      published: () => undefined,
      watched: () => false,
      troubled: (error) => expect.unreachable(String(error)),
      opened: (world) => opened.push(world.name),
      removed: (name, why) => removed.push(`${name}: ${why}`),
      reset: (world) => reset.push(world),
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
  return { data, service, worlds, opened, removed, reset, stop };
};

/** Leaves a mark in a world that a reset removes. */
const mark = (world: World): Promise<void> =>
  world.write(() => void world.db.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('mark', 'made')"));
const isMarked = (world: World): boolean => world.db.get("SELECT 1 FROM meta WHERE key = 'mark'") !== undefined;
const [job] = buildSeedWorld().jobs;
const jobIn = (world: World) => world.stores.jobs.get(job?.id ?? "");

describe("a world", () => {
  it("is there when it is first called, with the seed dated from that moment", () => {
    const { worlds, opened, reset } = start();
    const world = worlds.use("team");
    expect(jobIn(world)).toMatchObject({ id: job?.id, created_at: START + (job?.created_at ?? 0) });
    expect(worlds.list()).toMatchObject([{ name: "team", created_at: START, last_active_at: START, pinned: false }]);
    expect(worlds.use("team")).toBe(world);
    expect([opened, reset]).toEqual([[], []]);
  });

  it("is apart from every other, also from one whose name differs in case alone", async () => {
    const { worlds } = start();
    await mark(worlds.use("team"));
    expect([isMarked(worlds.use("team")), isMarked(worlds.use("Team")), isMarked(worlds.use("default"))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("is kept from one start to the next", async () => {
    const first = start();
    await mark(first.worlds.use("team"));
    first.stop();
    vi.setSystemTime(START + 1_000);
    const second = start(first.data);
    expect(second.opened).toEqual([]);
    expect(isMarked(second.worlds.use("team"))).toBe(true);
    expect(second.opened).toEqual(["team"]);
    expect(second.worlds.list()).toMatchObject([
      { name: "team", created_at: START, last_active_at: START + 1_000, pinned: false },
    ]);
  });

  it("that lies in the folder without being known is known again", async () => {
    const first = start();
    await mark(first.worlds.use("Team.7"));
    first.stop();
    for (const suffix of ["", "-wal"]) fs.rmSync(path.join(first.data, `service.sqlite${suffix}`), { force: true });
    fs.writeFileSync(path.join(first.data, "worlds", "notes.txt"), "no world");
    const { worlds } = start(first.data);
    expect(worlds.list().map((entry) => entry.name)).toEqual(["Team.7"]);
    expect(isMarked(worlds.use("Team.7"))).toBe(true);
  });

  it("is dated from its first call even when its making was cut short", () => {
    const { data, worlds } = start();
    fs.copyFileSync(template, path.join(data, "worlds", worldFileName("team")));
    expect(jobIn(worlds.use("team"))?.created_at).toBe(START + (job?.created_at ?? 0));
  });
});

describe("an idle world", () => {
  it("D82: is seeded anew an hour after its last call, and not a millisecond before", async () => {
    const { worlds, reset } = start();
    await mark(worlds.use("team"));
    vi.setSystemTime(START + HOUR - 1);
    expect(isMarked(worlds.use("team"))).toBe(true);
    vi.setSystemTime(START + HOUR - 1 + HOUR - 1);
    expect(isMarked(worlds.use("team"))).toBe(true);
    expect([reset, worlds.list().map((entry) => worlds.resetsAt(entry))]).toEqual([[], [Date.now() + HOUR]]);
    vi.setSystemTime(START + HOUR - 1 + HOUR - 1 + HOUR);
    const anew = worlds.use("team");
    expect(isMarked(anew)).toBe(false);
    expect(reset).toEqual([anew]);
    expect(worlds.list()).toMatchObject([
      { name: "team", created_at: Date.now(), last_active_at: Date.now(), pinned: false },
    ]);
  });

  it("D82: ends by itself, with its file, and the next call seeds it anew", async () => {
    const { data, worlds, reset, removed } = start();
    const before = worlds.use("team");
    await mark(before);
    vi.advanceTimersByTime(HOUR - 30_000);
    expect([before.closed, removed]).toEqual([false, []]);
    vi.advanceTimersByTime(30_000);
    expect(removed).toEqual(["team: the world was idle and has ended; the next call seeds it anew"]);
    expect([before.closed, worlds.list(), fs.readdirSync(path.join(data, "worlds"))]).toEqual([true, [], []]);
    vi.advanceTimersByTime(10 * HOUR);
    expect(removed.length).toBe(1);
    expect([isMarked(worlds.use("team")), reset]).toEqual([false, []]);
  });

  it("D82: ends by itself also while it is closed", async () => {
    const first = start();
    await mark(first.worlds.use("team"));
    first.stop();
    const { data, worlds, opened } = start(first.data);
    vi.advanceTimersByTime(HOUR);
    expect([opened, worlds.list(), fs.readdirSync(path.join(data, "worlds"))]).toEqual([[], [], []]);
  });

  it("D82: is seeded anew when it was idle over a stop, and kept when it was not", async () => {
    const first = start();
    await mark(first.worlds.use("idle"));
    vi.setSystemTime(START + 10_000);
    await mark(first.worlds.use("used"));
    first.stop();
    vi.setSystemTime(START + HOUR + 5_000);
    const { worlds, reset } = start(first.data);
    expect([isMarked(worlds.use("idle")), isMarked(worlds.use("used"))]).toEqual([false, true]);
    expect(reset.map((world) => world.name)).toEqual(["idle"]);
  });

  it("D82: is still idle when a stop came long after its last call", async () => {
    const first = start();
    await mark(first.worlds.use("team"));
    vi.setSystemTime(START + HOUR - 1);
    first.stop();
    vi.setSystemTime(START + HOUR);
    expect(isMarked(start(first.data).worlds.use("team"))).toBe(false);
  });

  it("D80: is never the default one", async () => {
    const { worlds, reset } = start();
    await mark(worlds.use("default"));
    vi.advanceTimersByTime(100 * HOUR);
    expect([isMarked(worlds.use("default")), reset.length]).toEqual([true, 0]);
    expect(worlds.list().map((entry) => worlds.resetsAt(entry))).toEqual([null]);
  });

  it("D82: is never a pinned one", async () => {
    const first = start();
    await mark(first.worlds.use("team"));
    first.stop();
    const service = new ServiceDatabase(path.join(first.data, "service.sqlite"));
    service.saveWorlds(service.worlds().map((entry) => ({ ...entry, pinned: true })));
    service.close();
    vi.setSystemTime(START + 100 * HOUR);
    const { worlds, reset } = start(first.data);
    expect(isMarked(worlds.use("team"))).toBe(true);
    vi.advanceTimersByTime(100 * HOUR);
    expect([isMarked(worlds.use("team")), reset.length, worlds.list()[0]?.pinned]).toEqual([true, 0, true]);
  });

  it("D82: stays idle when it is only looked into, because that is no call to it", async () => {
    const first = start();
    await mark(first.worlds.use("team"));
    first.stop();
    vi.setSystemTime(START + HOUR / 2);
    const { worlds } = start(first.data);
    expect(worlds.search((world) => (isMarked(world) ? world.name : undefined))).toBe("team");
    vi.setSystemTime(START + HOUR);
    expect(isMarked(worlds.use("team"))).toBe(false);
  });
});

describe("a reset", () => {
  it("D82: ends the world's subscriptions and what waits to be delivered, and leaves other worlds alone", async () => {
    const { worlds, reset } = start();
    const other = worlds.use("other");
    await mark(other);
    const before = worlds.use("team");
    await before.write(() => {
      const { subscriptions, outbox } = before.stores;
      subscriptions.insert({ id: "s", integration_id: "i", url: "http://127.0.0.1/", created_at: START });
      const event_seq = outbox.insertEvent({
        id: "e",
        event_type: "repairer.jobs",
        event_timestamp: START,
        organization_id: "o",
        payload: { job_id: "j", change_action: "inserted" },
        trace_id: "t",
        job_id: "j",
        procurement_id: null,
        label: "T-1",
        announces: "inserted",
      });
      outbox.insertDelivery({
        id: "d",
        event_seq,
        message_id: "m",
        integration_id: "i",
        subscription_id: "s",
        url: "u",
        created_at: START,
        repeats_id: null,
      });
    });
    const after = worlds.reset("team");
    expect([after.stores.subscriptions.list(), after.stores.outbox.nextDueAt()]).toEqual([[], null]);
    expect(reset).toEqual([after]);
    expect([before.closed, after.closed, worlds.use("team"), isMarked(other)]).toEqual([true, false, after, true]);
    expect(jobIn(after)).toEqual(jobIn(other));
  });

  it("writes what waited first, and answers it", async () => {
    const { worlds } = start();
    const waiting = mark(worlds.use("team"));
    expect(isMarked(worlds.reset("team"))).toBe(false);
    await expect(waiting).resolves.toBeUndefined();
  });
});

describe("looking into every world", () => {
  it("finds what is in an open or a closed one, and nothing otherwise", async () => {
    const first = start();
    first.worlds.use("a");
    await mark(first.worlds.use("b"));
    first.stop();
    const { worlds } = start(first.data);
    worlds.use("c");
    const looked: string[] = [];
    const find = (wanted: (world: World) => boolean): string | undefined =>
      worlds.search((world) => {
        looked.push(world.name);
        return wanted(world) ? world.name : undefined;
      });
    expect(find((world) => world.name === "c")).toBe("c");
    expect(looked).toEqual(["c"]);
    expect(find(isMarked)).toBe("b");
    expect(find(() => false)).toBeUndefined();
  });
});
