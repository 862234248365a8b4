import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { worldFileName } from "../rules/worlds/world-name.ts";
import { foldWorld } from "../snapshots/copy-world.ts";
import { UnavailableWorldError } from "../storage/unavailable-world.ts";
import { NotDurableError } from "../storage/writer.ts";
import {
  MAX_OPEN_WORLDS,
  newDataFolder,
  openWorld,
  queueDelivery,
  startWorlds as start,
} from "../testing/started-worlds.ts";
import { buildSeedWorld } from "./seed/seed-world.ts";
import type { Sharing } from "./sharing.ts";
import type { World } from "./world.ts";
import { TooManyWorldsError } from "./world-errors.ts";
import type { Worlds } from "./worlds.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 0, 15, 12);
/** More than the limit of open worlds. */
const MANY = MAX_OPEN_WORLDS + 10;
const seed = buildSeedWorld();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setInterval", "clearInterval"], now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Marks a world; a reset removes the mark. */
const mark = (world: World): Promise<void> =>
  world.write(() => void world.db.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('mark', 'made')"));
const isMarked = (world: World): boolean => world.db.get("SELECT 1 FROM meta WHERE key = 'mark'") !== undefined;
const isOpen = (world: World): boolean => world.db.handle.open;
/** Makes a world's file one of another version. */
const setVersion = (data: string, name: string, version: number): void => {
  const handle = new Sqlite(path.join(data, "worlds", worldFileName(name)));
  handle.pragma(`user_version = ${version}`);
  handle.close();
};
const [job] = seed.jobs;
const jobIn = (world: World) => world.stores.jobs.get(job?.id ?? "");

describe("a world", () => {
  it("is created by its first call, with the seed dated from that moment", () => {
    const { worlds, opened, reset } = start();
    const world = openWorld(worlds, "team");
    expect(jobIn(world)).toMatchObject({ id: job?.id, created_at: START + (job?.created_at ?? 0) });
    expect(worlds.list()).toMatchObject([{ name: "team", created_at: START, last_active_at: START, pinned: false }]);
    expect(openWorld(worlds, "team")).toBe(world);
    expect([opened, reset]).toEqual([["team"], []]);
  });

  it("is separate from all others, including names that differ only in case", async () => {
    const { worlds } = start();
    await mark(openWorld(worlds, "team"));
    expect([
      isMarked(openWorld(worlds, "team")),
      isMarked(openWorld(worlds, "Team")),
      isMarked(openWorld(worlds, "default")),
    ]).toEqual([true, false, false]);
  });

  it("is kept between starts", async () => {
    const first = start();
    await mark(openWorld(first.worlds, "team"));
    first.stop();
    vi.setSystemTime(START + 1_000);
    const second = start(first.data);
    expect(second.opened).toEqual([]);
    expect(isMarked(openWorld(second.worlds, "team"))).toBe(true);
    expect(second.opened).toEqual(["team"]);
    expect(second.worlds.list()).toMatchObject([
      { name: "team", created_at: START, last_active_at: START + 1_000, pinned: false },
    ]);
  });

  it("with an unlisted file in the folder is found", async () => {
    const first = start();
    await mark(openWorld(first.worlds, "Team.7"));
    first.stop();
    for (const suffix of ["", "-wal"]) fs.rmSync(path.join(first.data, `service.sqlite${suffix}`), { force: true });
    fs.writeFileSync(path.join(first.data, "worlds", "notes.txt"), "no world");
    const { worlds } = start(first.data);
    expect(worlds.list().map((entry) => entry.name)).toEqual(["Team.7"]);
    expect(isMarked(openWorld(worlds, "Team.7"))).toBe(true);
  });
});

it("checks once a second if the disk is writable, for any number of requests", () => {
  const { worlds, service } = start();
  const tried = vi.spyOn(service, "checkWritable");
  for (const second of [1, 2]) {
    for (let asked = 0; asked < 64; asked += 1) worlds.checkWritable();
    expect(tried).toHaveBeenCalledTimes(second);
    vi.setSystemTime(Date.now() + 1_000);
  }
});

describe("an idle world", () => {
  it("D82: is reset exactly an hour after its last call", async () => {
    const { worlds, reset } = start();
    await mark(openWorld(worlds, "team"));
    vi.setSystemTime(START + HOUR - 1);
    expect(isMarked(openWorld(worlds, "team"))).toBe(true);
    vi.setSystemTime(START + HOUR - 1 + HOUR - 1);
    expect(isMarked(openWorld(worlds, "team"))).toBe(true);
    expect([reset, worlds.list().map((entry) => worlds.resetsAt(entry))]).toEqual([[], [Date.now() + HOUR]]);
    vi.setSystemTime(START + HOUR - 1 + HOUR - 1 + HOUR);
    const afterReset = openWorld(worlds, "team");
    expect(isMarked(afterReset)).toBe(false);
    expect(reset).toEqual(["team"]);
    expect(worlds.list()).toMatchObject([
      { name: "team", created_at: Date.now(), last_active_at: Date.now(), pinned: false },
    ]);
  });

  it("D82: ends by itself and is deleted, and the next call creates it from the seed", async () => {
    const { data, worlds, reset, removed } = start();
    const before = openWorld(worlds, "team");
    await mark(before);
    vi.advanceTimersByTime(HOUR - 30_000);
    expect([isOpen(before), removed]).toEqual([true, []]);
    vi.advanceTimersByTime(30_000);
    expect(removed).toEqual(["team: the world was idle and has ended; the next call creates it from the seed"]);
    expect([isOpen(before), worlds.list(), fs.readdirSync(path.join(data, "worlds"))]).toEqual([false, [], []]);
    vi.advanceTimersByTime(10 * HOUR);
    expect(removed.length).toBe(1);
    expect([isMarked(openWorld(worlds, "team")), reset]).toEqual([false, []]);
  });

  it("D82: ends an hour after its last call even if the clock was set back", () => {
    const { worlds } = start();
    openWorld(worlds, "team");
    vi.setSystemTime(START - 2 * HOUR);
    vi.advanceTimersByTime(HOUR - 30_000);
    expect(worlds.list().map(({ name }) => name)).toEqual(["team"]);
    vi.advanceTimersByTime(30_000);
    expect(worlds.list()).toEqual([]);
  });

  it("D82: ends by itself even while closed", async () => {
    const first = start();
    await mark(openWorld(first.worlds, "team"));
    first.stop();
    const { data, worlds, opened } = start(first.data);
    vi.advanceTimersByTime(HOUR);
    expect([opened, worlds.list(), fs.readdirSync(path.join(data, "worlds"))]).toEqual([[], [], []]);
  });

  it("D82: is reset if it was idle during a stop, else kept", async () => {
    const first = start();
    await mark(openWorld(first.worlds, "idle"));
    vi.setSystemTime(START + 10_000);
    await mark(openWorld(first.worlds, "used"));
    first.stop();
    vi.setSystemTime(START + HOUR + 5_000);
    const { worlds, reset } = start(first.data);
    expect([isMarked(openWorld(worlds, "idle")), isMarked(openWorld(worlds, "used"))]).toEqual([false, true]);
    expect(reset).toEqual(["idle"]);
  });

  it("D82: is still idle if a stop came long after its last call", async () => {
    const first = start();
    await mark(openWorld(first.worlds, "team"));
    vi.setSystemTime(START + HOUR - 1);
    first.stop();
    vi.setSystemTime(START + HOUR);
    expect(isMarked(openWorld(start(first.data).worlds, "team"))).toBe(false);
  });

  it("D80: is never the default one", async () => {
    const { worlds, reset } = start();
    await mark(openWorld(worlds, "default"));
    vi.advanceTimersByTime(100 * HOUR);
    expect([isMarked(openWorld(worlds, "default")), reset.length]).toEqual([true, 0]);
    expect(worlds.list().map((entry) => worlds.resetsAt(entry))).toEqual([null]);
  });

  it("D82: is never a pinned one", async () => {
    const first = start();
    await mark(openWorld(first.worlds, "team"));
    const saved = vi.spyOn(first.service, "saveWorlds");
    first.worlds.pin("team", true);
    // Once it is answered, a loss of power must not undo it.
    expect(saved.mock.lastCall?.slice(1)).toEqual([[], true]);
    first.stop();
    vi.setSystemTime(START + 100 * HOUR);
    const { worlds, reset } = start(first.data);
    expect(isMarked(openWorld(worlds, "team"))).toBe(true);
    vi.advanceTimersByTime(100 * HOUR);
    expect([isMarked(openWorld(worlds, "team")), reset.length, worlds.list()[0]?.pinned]).toEqual([true, 0, true]);
  });

  it("D82: is neither ended nor reset while it is used", async () => {
    const { worlds, reset } = start();
    const gate = Promise.withResolvers<void>();
    await mark(openWorld(worlds, "team"));
    const held = worlds.use("team", () => gate.promise);
    vi.advanceTimersByTime(2 * HOUR);
    expect(worlds.list().map(({ name }) => name)).toEqual(["team"]);
    expect(await worlds.use("team", isMarked)).toBe(true);
    gate.resolve();
    await held;
    expect([isMarked(openWorld(worlds, "team")), reset]).toEqual([true, []]);
  });

  it("stays if another version wrote its file", () => {
    const first = start();
    for (const name of ["newer", "team"]) openWorld(first.worlds, name);
    first.stop();
    setVersion(first.data, "newer", 999);
    const { worlds, onError } = start(first.data);
    vi.advanceTimersByTime(2 * HOUR);
    expect([worlds.list().map(({ name }) => name), onError.mock.calls]).toEqual([["newer"], []]);
  });

  it("D82: stays idle when it is only read internally", async () => {
    const first = start();
    await mark(openWorld(first.worlds, "team"));
    first.stop();
    vi.setSystemTime(START + HOUR / 2);
    const { worlds } = start(first.data);
    const [entry] = worlds.list();
    expect(entry && worlds.getSummary(entry)).toMatchObject({ subscriptions: 0 });
    expect(worlds.withWorld("team", ({ name }) => name)).toBe("team");
    vi.setSystemTime(START + HOUR);
    expect(isMarked(openWorld(worlds, "team"))).toBe(false);
  });
});

describe("a reset", () => {
  it("D82: ends the world's subscriptions and pending deliveries, without affecting other worlds", async () => {
    const { worlds, reset } = start();
    const other = openWorld(worlds, "other");
    await mark(other);
    const before = openWorld(worlds, "team");
    await queueDelivery(before, START);
    await worlds.admin.reset("team");
    const after = openWorld(worlds, "team");
    expect([after.stores.subscriptions.list(), after.stores.outbox.nextDueAt()]).toEqual([[], null]);
    expect(reset).toEqual(["team"]);
    expect([isOpen(before), isMarked(other)]).toEqual([false, true]);
    expect(jobIn(after)).toEqual(jobIn(other));
  });

  it("is known of a world that began by it, not by a creation or another file", async () => {
    const { data, worlds } = start();
    const wasReset = (name: string) => worlds.wasReset(openWorld(worlds, name));
    const began = [wasReset("team")];
    await worlds.admin.reset("team");
    began.push(wasReset("team"));
    const file = path.join(data, "kept.sqlite");
    await openWorld(worlds, "team").db.handle.backup(file);
    vi.setSystemTime(START + 1_000);
    await worlds.admin.begin("copy", file);
    began.push(wasReset("copy"));
    expect(began).toEqual([false, true, false]);
  });

  it("first writes and confirms waiting changes", async () => {
    const { worlds } = start();
    const waiting = mark(openWorld(worlds, "team"));
    await worlds.admin.reset("team");
    expect(isMarked(openWorld(worlds, "team"))).toBe(false);
    await expect(waiting).resolves.toBeUndefined();
  });
});

const useMany = (worlds: Worlds): void => {
  for (let count = 0; count < MANY; count += 1) openWorld(worlds, `other-${count}`);
};

describe("a lease on a world", () => {
  it.each([
    ["of a call", (worlds: Worlds, name: string, work: (world: World) => Promise<boolean>) => worlds.use(name, work)],
    [
      "of a control operation",
      (worlds: Worlds, name: string, work: (world: World) => Promise<boolean>) =>
        worlds.lazily(name, true, (world) => work(world())),
    ],
  ])("%s keeps its file open until its result settles, however many others are called", async (_of, hold) => {
    const { worlds } = start();
    const answers = Array.from({ length: MANY }, (_, count) =>
      hold(worlds, `leased-${count}`, async (world) => {
        for (let steps = 0; steps < 3; steps += 1) await new Promise((resolve) => setImmediate(resolve));
        await mark(world);
        return isOpen(world) && isMarked(world);
      }),
    );
    expect(worlds.openNames().length).toBe(MANY);
    expect(new Set(await Promise.all(answers))).toEqual(new Set([true]));
    expect(worlds.openNames().length).toBe(MAX_OPEN_WORLDS);
  });

  it("delays only a reset, a restore and a deletion", async () => {
    const { worlds } = start();
    const order: string[] = [];
    let goOn = (): void => undefined;
    const held = worlds.use("team", async (world) => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await mark(world);
      order.push("worked");
    });
    const reset = worlds.admin.reset("team").then(() => order.push("reset"));
    const removed = worlds.admin.remove("team").then(() => order.push("removed"));
    await mark(openWorld(worlds, "other"));
    expect(worlds.read("team", isOpen)).toBe(true);
    goOn();
    await Promise.all([held, reset, removed]);
    expect([order[0], order.length, worlds.has("team")]).toEqual(["worked", 3, false]);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
    "keeps its file open even if it starts %i microtasks after the end of a lease that delayed a reset or deletion",
    async (microtasks) => {
      for (const act of ["reset", "remove"] as const) {
        const { worlds } = start();
        const held = Promise.withResolvers<void>();
        const first = worlds.use("team", () => held.promise);
        const acted = worlds.admin[act]("team");
        await Promise.resolve();
        const next = held.promise.then(async () => {
          for (let count = 0; count < microtasks; count += 1) await null;
          return worlds.use("team", async (world) => {
            for (let writes = 0; writes < 2; writes += 1) await mark(world);
            return isOpen(world);
          });
        });
        held.resolve();
        await Promise.all([first, acted]);
        expect(await next).toBe(true);
      }
    },
  );

  it("deletes a world that a refused control operation created, unless others called it", async () => {
    const { worlds, removed } = start();
    const refused = (meanwhile: () => unknown) =>
      worlds.lazily(
        "team",
        true,
        async (world) => {
          world();
          await meanwhile();
          return "refused";
        },
        (result) => result === "refused",
      );
    await refused(() => undefined);
    expect([worlds.has("team"), removed.length]).toEqual([false, 1]);
    await refused(() => worlds.use("team", () => undefined));
    expect([worlds.has("team"), removed.length]).toEqual([true, 1]);
    await refused(() => undefined);
    expect(worlds.has("team")).toBe(true);
    const other = Promise.withResolvers<void>();
    await worlds.admin.remove("team");
    const first = refused(() => other.promise);
    const second = refused(() => undefined);
    await second;
    expect(worlds.has("team")).toBe(true);
    other.resolve();
    await first;
    expect(worlds.has("team")).toBe(true);
  });

  it("on a missing world that may not be made fails, and one that is asked for twice ends once", async () => {
    const { worlds } = start();
    await expect(worlds.lazily("team", false, (world) => world().name)).rejects.toThrow("World team doesn’t exist");
    expect(worlds.has("team")).toBe(false);
    await worlds.lazily("team", true, (world) => expect(world()).toBe(world()));
    await worlds.admin.reset("team");
    expect(await worlds.lazily("team", false, (world) => world().name)).toBe("team");
  });

  it("ends even if it throws", async () => {
    const { worlds } = start();
    const failure = new Error("failed");
    expect(() =>
      worlds.use("team", () => {
        throw failure;
      }),
    ).toThrow(failure);
    await expect(worlds.use("team", () => Promise.reject(failure))).rejects.toThrow(failure);
    for (const name of ["team", "new"])
      await expect(worlds.lazily(name, true, (world) => Promise.reject(new Error(world().name)))).rejects.toThrow(name);
    expect(worlds.has("new")).toBe(true);
    await worlds.admin.remove("team");
    expect(worlds.has("team")).toBe(false);
  });
});

describe("with hundreds of worlds", () => {
  it("the least used are closed, and reopen unchanged when called", async () => {
    const { data, worlds } = start();
    const first = openWorld(worlds, "first");
    await first.write(() => first.stores.settings.set("clock_offset", 90_000));
    openWorld(worlds, "used");
    useMany(worlds);
    expect([isOpen(first), worlds.openNames().length]).toEqual([false, MAX_OPEN_WORLDS]);
    expect(fs.readdirSync(path.join(data, "worlds")).filter((name) => name.includes("first"))).toEqual([
      "w-first.sqlite",
    ]);
    expect([worlds.list().length, openWorld(worlds, "first").clockOffset]).toEqual([MANY + 2, 90_000]);
  });

  it("a regularly called one stays open", () => {
    const { worlds } = start();
    const used = openWorld(worlds, "used");
    for (let count = 0; count < MANY; count += 1) {
      openWorld(worlds, `other-${count}`);
      openWorld(worlds, "used");
    }
    expect([isOpen(used), openWorld(worlds, "used")]).toEqual([true, used]);
  });
});

describe("a closed world", () => {
  it("D72: is opened when a pending delivery is due, which doesn't count as a call", async () => {
    const { worlds, opened } = start();
    worlds.openDue();
    await queueDelivery(openWorld(worlds, "team"), START + 10 * MINUTE);
    useMany(worlds);
    opened.length = 0;
    vi.advanceTimersByTime(10 * MINUTE - 1);
    expect(opened).toEqual([]);
    vi.advanceTimersByTime(250);
    expect(opened).toEqual(["team"]);
    expect(worlds.list().find((entry) => entry.name === "team")?.last_active_at).toBe(START);
  });

  it("D72: is opened when one was due before the start, unless deliveries are off", async () => {
    const first = start();
    await queueDelivery(openWorld(first.worlds, "team"), START + MINUTE);
    first.stop();
    vi.setSystemTime(START + 2 * MINUTE);
    const silent = start(first.data, { deliveries: false });
    silent.worlds.openDue();
    vi.advanceTimersByTime(MINUTE);
    expect(silent.opened).toEqual([]);
    silent.stop();
    const { worlds, opened } = start(first.data);
    worlds.openDue();
    vi.advanceTimersByTime(1_000);
    expect(opened).toEqual(["team"]);
  });

  it("waits for its turn if opening the others takes long", async () => {
    const first = start();
    for (const name of ["a", "b", "c"]) await queueDelivery(openWorld(first.worlds, name), START);
    first.stop();
    vi.useFakeTimers({
      toFake: ["Date", "performance", "setInterval", "clearInterval", "setTimeout"],
      now: START + HOUR,
    });
    const { worlds, opened } = start(first.data);
    let now = performance.now();
    // Each look at the clock finds it 3 ms later: two worlds fit into a turn of 5 ms.
    const clock = vi.spyOn(performance, "now").mockImplementation(() => {
      now += 3;
      return now;
    });
    onTestFinished(() => clock.mockRestore());
    worlds.openDue();
    vi.advanceTimersByTime(250);
    expect(opened).toHaveLength(1);
    vi.advanceTimersByTime(100);
    expect(opened.toSorted()).toEqual(["a", "b", "c"]);
  });

  it("is opened again a second after its close at the earliest, even if a delivery is overdue", async () => {
    const { worlds, opened } = start();
    worlds.openDue();
    await queueDelivery(openWorld(worlds, "team"), START - MINUTE);
    useMany(worlds);
    opened.length = 0;
    vi.advanceTimersByTime(750);
    expect(opened).toEqual([]);
    vi.advanceTimersByTime(500);
    expect(opened).toEqual(["team"]);
  });

  it("is opened before others if it waits for longer", async () => {
    const first = start();
    for (const [name, minutes] of [
      ["a", 3],
      ["b", 1],
      ["c", 2],
    ] as const)
      await queueDelivery(openWorld(first.worlds, name), START + minutes * MINUTE);
    first.stop();
    vi.setSystemTime(START + HOUR / 2);
    const { worlds, opened } = start(first.data);
    worlds.openDue();
    vi.advanceTimersByTime(250);
    expect(opened).toEqual(["b", "c", "a"]);
  });

  it("shows the counts of its file if that has changed since", () => {
    const first = start();
    openWorld(first.worlds, "team");
    first.stop();
    const file = new Sqlite(path.join(first.data, "worlds", worldFileName("team")));
    file.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('clock_offset', '5000')");
    file.close();
    const { worlds } = start(first.data);
    expect(worlds.list().map((entry) => worlds.getSummary(entry)?.clock_offset)).toEqual([5_000]);
  });

  it("shows its counts at closing", async () => {
    const first = start();
    const team = openWorld(first.worlds, "team");
    await queueDelivery(team, START + 10 * MINUTE);
    await team.write(() => {
      team.stores.settings.set("clock_offset", 5_000);
      team.reread();
      const [job] = seed.jobs;
      if (job) team.stores.jobs.insert({ ...job, id: "another", external_id: null, job_number: null });
    });
    const open = team.summary();
    openWorld(first.worlds, "untouched");
    first.stop();
    const { worlds, opened } = start(first.data);
    const summaries = worlds.list().map((entry) => [entry.name, worlds.getSummary(entry)]);
    const counts = {
      jobs: seed.jobs.length,
      procurements: seed.procurements.length,
      credentials: seed.credentials.length,
    };
    expect(open).toEqual({
      ...counts,
      jobs: seed.jobs.length + 1,
      subscriptions: 1,
      clock_offset: 5_000,
      last_called_at: null,
    });
    expect(summaries).toEqual([
      ["team", open],
      ["untouched", { ...counts, subscriptions: 0, clock_offset: 0, last_called_at: null }],
    ]);
    expect(opened).toEqual([]);
  });
});

describe("the integrations of all worlds", () => {
  const install = (world: World, id: string): Promise<void> =>
    world.write(() =>
      world.stores.credentials.insert({
        integration_id: id,
        api_key: `isk_${id}`,
        webhook_secret: `pwh_${id}`,
        organization_id: "o",
        scope: "repairer",
        client_id: null,
        preloaded: false,
        created_at: START,
      }),
    );

  it("D78: are found in any world without opening it", async () => {
    const first = start();
    for (const name of ["a", "b", "c"]) await install(openWorld(first.worlds, name), `of ${name}`);
    openWorld(first.worlds, "seeded");
    expect(await first.worlds.findIntegration("of b")).toEqual({ world: "b", webhook_secret: "pwh_of b" });
    expect(["of b", "of nobody"].map((id) => first.worlds.mayHaveIntegration(id))).toEqual([true, false]);
    first.stop();
    const { worlds, opened } = start(first.data);
    expect([await worlds.findIntegration("of nobody"), (await worlds.findIntegration("of b"))?.webhook_secret]).toEqual(
      [null, "pwh_of b"],
    );
    expect(opened).toEqual([]);
    await worlds.admin.remove("b");
    await worlds.admin.reset("a");
    const inWorlds = ["a", "b", "c"].map(async (name) => (await worlds.findIntegration(`of ${name}`))?.world);
    expect(await Promise.all(inWorlds)).toEqual([...[undefined, undefined], "c"]);
    const [preloaded] = seed.credentials;
    expect(await worlds.findIntegration(preloaded?.integration_id ?? "")).toEqual({
      world: "default",
      webhook_secret: preloaded?.webhook_secret,
    });
  });

  it("are found after a crash, however soon it follows their installation", async () => {
    const first = start();
    await install(openWorld(first.worlds, "team"), "id");
    const left = newDataFolder();
    fs.cpSync(first.data, left, { recursive: true });
    const { worlds, opened } = start(left);
    expect([(await worlds.findIntegration("id"))?.webhook_secret, opened]).toEqual(["pwh_id", []]);
  });

  it("follow a world that gets another file: its content, and its own keys", async () => {
    const { data, service, worlds } = start();
    await install(openWorld(worlds, "team"), "one");
    const kept = path.join(data, "kept.sqlite");
    await openWorld(worlds, "team").db.handle.backup(kept);
    const copy = path.join(data, "copy.sqlite");
    fs.copyFileSync(kept, copy);
    await worlds.admin.reset("team");
    expect(await worlds.findIntegration("one")).toBeNull();
    await worlds.admin.replace("team", kept);
    await worlds.admin.begin("other", copy);
    const nearest = ["", "team", "other"].map(async (near) => (await worlds.findIntegration("one", near))?.world);
    expect(await Promise.all(nearest)).toEqual([...["other", "team", "other"]]);
    await worlds.admin.remove("other");
    expect((await worlds.findIntegration("one"))?.world).toBe("team");
    await worlds.admin.giveOwnKeys("team");
    const own = service.access.findKeys("team")?.credentials.supplier;
    expect(await worlds.findIntegration(own?.integration_id ?? "")).toEqual({
      world: "team",
      webhook_secret: own?.webhook_secret,
    });
    await worlds.admin.remove("team");
    expect([await worlds.findIntegration("one"), await worlds.findIntegration(own?.integration_id ?? "")]).toEqual([
      null,
      null,
    ]);
  });

  it.each([
    ["with integrations is reset", true, ["team"]],
    ["without any is reset", false, []],
    ["is replaced", false, ["team"]],
  ])("are those of the new file after a crash while a world that %s", async (what, installs, reopened) => {
    const { data, worlds } = start();
    const world = openWorld(worlds, "team");
    if (installs) await install(world, "before");
    worlds.pin("team", true);
    const file = path.join(data, "kept.sqlite");
    await world.db.handle.backup(file);
    const rename = vi.spyOn(fs, "renameSync");
    onTestFinished(() => rename.mockRestore());
    const renamed = rename.getMockImplementation() ?? fs.renameSync;
    const left = newDataFolder();
    rename.mockImplementation((...names) => {
      rename.mockRestore();
      renamed(...names);
      fs.cpSync(data, left, { recursive: true });
    });
    await (what === "is replaced" ? worlds.admin.replace("team", file) : worlds.admin.reset("team"));
    const after = start(left);
    after.worlds.openDue();
    vi.advanceTimersByTime(1_000);
    expect([await after.worlds.findIntegration("before"), after.opened]).toEqual([null, reopened]);
  });

  it("of a new world wait for no disk before it has a file", async () => {
    const { data, service, worlds } = start();
    const file = path.join(data, "kept.sqlite");
    await openWorld(worlds, "team").db.handle.backup(file);
    const saved = vi.spyOn(service, "saveWorlds");
    await worlds.admin.begin("other", file);
    expect(saved).not.toHaveBeenCalled();
  });

  it("are not installed if they couldn't be found afterwards", async () => {
    const { service, worlds } = start();
    const world = openWorld(worlds, "team");
    const add = vi.spyOn(service.integrations, "add").mockImplementation(() => {
      throw new Sqlite.SqliteError("database or disk is full", "SQLITE_FULL");
    });
    await expect(install(world, "id")).rejects.toThrow(NotDurableError);
    add.mockRestore();
    expect([await worlds.findIntegration("id"), world.stores.credentials.findByIntegration("id")]).toEqual([
      null,
      undefined,
    ]);
  });

  it("noted by an earlier version for a closed world are found in its file", async () => {
    const first = start();
    await install(openWorld(first.worlds, "team"), "id");
    first.stop();
    const file = new Sqlite(path.join(first.data, "service.sqlite"));
    file.exec(
      "DROP TABLE strays; DROP TABLE evidence; DROP TABLE activity; DROP TABLE integrations; UPDATE worlds SET closed = json_set(closed, '$.installed', json_array('id'))",
    );
    file.pragma(`user_version = ${Number(file.pragma("user_version", { simple: true })) - 4}`);
    file.close();
    const { worlds, opened } = start(first.data);
    expect([await worlds.findIntegration("id"), opened]).toEqual([
      { world: "team", webhook_secret: "pwh_id" },
      ["team"],
    ]);
  });
});

describe("a world with a damaged or invalid file", () => {
  const fileOf = (data: string, name: string): string => path.join(data, "worlds", worldFileName(name));
  const damaged: Readonly<Record<string, readonly [(file: string) => void, RegExp]>> = {
    "no database": [(file) => fs.writeFileSync(file, "x".repeat(8_192)), /is not a database/],
    empty: [(file) => fs.writeFileSync(file, ""), /is not a database/],
    torn: [(file) => fs.truncateSync(file, 8_192), /malformed/],
    "without its tables": [(file) => sql(file, "DROP TABLE meta"), /no such table/],
    "without one of its tables": [(file) => sql(file, "DROP TABLE receipts"), /its file has no table receipts/],
    "set to nonsense": [
      (file) => sql(file, "INSERT INTO meta VALUES ('faults', '5')"),
      /its setting faults is invalid/,
    ],
    "from beyond all dates": [
      (file) => sql(file, "UPDATE meta SET value = '8640000000000001' WHERE key = 'epoch'"),
      /its setting epoch is invalid/,
    ],
  };
  const sql = (file: string, text: string): void => {
    const handle = new Sqlite(file);
    handle.exec(text);
    handle.close();
  };

  it.each(Object.entries(damaged))(
    "D87: is the only unavailable one when it is %s, is listed with its reason, and works after a reset",
    async (_, [spoil, reason]) => {
      const first = start();
      await mark(openWorld(first.worlds, "other"));
      openWorld(first.worlds, "team");
      first.stop();
      spoil(fileOf(first.data, "team"));
      const { worlds } = start(first.data);
      const countJobs = () => worlds.list().map((entry) => worlds.getSummary(entry)?.jobs);
      expect(() => countJobs()).toThrow(UnavailableWorldError);
      expect(() => openWorld(worlds, "team")).toThrow(reason);
      expect(() => openWorld(worlds, "team")).toThrow(
        /^The world team can’t be used: .*Reset it, restore .*or delete it/,
      );
      expect([worlds.withIntactWorld("team", () => true), isMarked(openWorld(worlds, "other"))]).toEqual([
        undefined,
        true,
      ]);
      await worlds.admin.reset("team");
      expect(isMarked(openWorld(worlds, "team"))).toBe(false);
      expect(countJobs()).toEqual([seed.jobs.length, seed.jobs.length]);
    },
  );

  it("D87: can be deleted, even with the log of a crash, and ends when idle", async () => {
    const first = start();
    for (const name of ["gone", "idle"]) openWorld(first.worlds, name);
    first.stop();
    for (const name of ["gone", "idle"]) fs.writeFileSync(fileOf(first.data, name), "x".repeat(8_192));
    fs.writeFileSync(`${fileOf(first.data, "gone")}-wal`, "x".repeat(8_192));
    const { worlds } = start(first.data);
    await worlds.admin.remove("gone");
    expect(worlds.list().map(({ name }) => name)).toEqual(["idle"]);
    vi.advanceTimersByTime(2 * HOUR);
    expect(fs.readdirSync(path.join(first.data, "worlds"))).toEqual([]);
  });

  it("is opened again for its due deliveries after half a minute, and the reason is logged", () => {
    const first = start();
    openWorld(first.worlds, "team");
    first.stop();
    fs.writeFileSync(fileOf(first.data, "team"), "x".repeat(8_192));
    fs.rmSync(path.join(first.data, "service.sqlite"));
    const { worlds, onError, opened } = start(first.data);
    worlds.openDue();
    vi.advanceTimersByTime(1_000);
    expect(onError.mock.calls).toEqual([[expect.any(UnavailableWorldError)]]);
    fs.rmSync(fileOf(first.data, "team"));
    worlds.admin.create("other");
    fs.copyFileSync(fileOf(first.data, "other"), fileOf(first.data, "team"));
    vi.advanceTimersByTime(29_000);
    expect(opened).toEqual(["other"]);
    vi.advanceTimersByTime(1_000);
    expect(opened).toEqual(["other", "team"]);
  });

  it("doesn't keep others from ending if nothing can be read from its file", () => {
    const first = start();
    for (const name of ["bad", "team"]) openWorld(first.worlds, name);
    first.stop();
    const { worlds, removed, onError } = start(first.data);
    const full = Object.assign(new Error("too many open files"), { code: "EMFILE" });
    vi.spyOn(fs, "openSync").mockImplementationOnce(() => {
      throw full;
    });
    vi.setSystemTime(START + 2 * HOUR);
    worlds.sweep();
    expect(onError.mock.calls).toEqual([[full]]);
    expect([worlds.list().map(({ name }) => name), removed.length]).toEqual([["bad"], 1]);
  });

  it("isn't looked for again before the next sweep", () => {
    vi.useFakeTimers({ toFake: ["Date", "performance", "setInterval", "clearInterval", "setTimeout"], now: START });
    const { worlds } = start();
    openWorld(worlds, "idle");
    vi.setSystemTime(START + 2 * HOUR);
    const timers = vi.getTimerCount();
    worlds.sweep();
    expect([worlds.list(), vi.getTimerCount() <= timers]).toEqual([[], true]);
  });

  it("ends with 31 others at a time, which leaves time for calls", async () => {
    const { worlds } = start();
    for (let count = 0; count < 40; count += 1) openWorld(worlds, `idle-${count}`);
    vi.setSystemTime(START + 2 * HOUR);
    worlds.sweep();
    expect(worlds.list()).toHaveLength(8);
    await new Promise((resolve) => setTimeout(resolve, 110));
    expect(worlds.list()).toEqual([]);
  });

  it("doesn't keep others from ending if it can't be deleted, and stays listed", async () => {
    const { worlds, removed, onError } = start();
    for (const name of ["a", "bad", "c"]) openWorld(worlds, name);
    const refused = new Error("not permitted");
    const rmSync = fs.rmSync;
    const remove = vi.spyOn(fs, "rmSync").mockImplementation((file, options) => {
      if (String(file).includes(worldFileName("bad"))) throw refused;
      rmSync(file, options);
    });
    onTestFinished(() => remove.mockRestore());
    vi.setSystemTime(START + 2 * HOUR);
    worlds.sweep();
    expect(removed.map((line) => line.split(":")[0])).toEqual(["a", "c"]);
    expect([worlds.list().map(({ name }) => name), onError.mock.calls]).toEqual([["bad"], [[refused]]]);
    await expect(worlds.admin.remove("bad")).rejects.toThrow(refused);
    remove.mockRestore();
    await worlds.admin.remove("bad");
    expect(worlds.list()).toEqual([]);
  });

  it("doesn't keep others from being opened if it can't be closed", () => {
    const { worlds, onError } = start();
    const bad = openWorld(worlds, "bad");
    bad.close = () => {
      bad.db.close();
      throw new Sqlite.SqliteError("disk I/O error", "SQLITE_IOERR");
    };
    useMany(worlds);
    expect([worlds.openNames().length, worlds.openNames().includes("bad")]).toEqual([MAX_OPEN_WORLDS, false]);
    expect(onError).toHaveBeenCalledOnce();
    expect(isOpen(openWorld(worlds, "bad"))).toBe(true);
  });
});

it("finds another open world by its content, among the last 32 that were called, the last one first", () => {
  const { worlds } = start(newDataFolder(), { mostOpen: 40 });
  for (let count = 1; count <= 34; count += 1) openWorld(worlds, `w${count}`);
  openWorld(worlds, "w5");
  const asked: string[] = [];
  expect(worlds.findOtherWorld("w34", ({ name }) => asked.push(name) < 0)).toBeUndefined();
  const last = Array.from({ length: 31 }, (_, index) => `w${33 - index}`).filter((name) => name !== "w5");
  expect(asked).toEqual(["w5", ...last]);
  expect(worlds.findOtherWorld("w5", ({ name }) => name !== "w34")).toBe("w33");
});

it("reports a write that the service's file refuses, and continues", () => {
  const { worlds, service, onError } = start();
  const refuse = (): never => {
    throw new Error("disk I/O error");
  };
  vi.spyOn(service.integrations, "replace").mockImplementation(refuse);
  expect(isOpen(openWorld(worlds, "team"))).toBe(true);
  expect(onError).toHaveBeenCalledOnce();
  vi.spyOn(service, "saveWorlds").mockImplementation(refuse);
  worlds.sweep();
  expect(onError).toHaveBeenCalledTimes(2);
});

describe("a world of another node", () => {
  it("is closed here when it goes there, and its file is deleted", async () => {
    const { worlds, data, left, removed } = start();
    const world = openWorld(worlds, "team");
    await worlds.admin.leave("team", "moved");
    expect([isOpen(world), worlds.list(), fs.readdirSync(path.join(data, "worlds"))]).toEqual([false, [], []]);
    expect([left, removed]).toEqual([["team: moved"], []]);
  });

  it("counts, is listed with its node, and its integrations are found", async () => {
    const theirs = { created_at: 1, last_active_at: 1, pinned: false, due_at: null, closed: null, node: "b" };
    const found = { world: "theirs", webhook_secret: "pwh_far" };
    const sharing: Partial<Sharing> = {
      ...{ node: "a", others: 1, owns: (name: string) => name === "own", changing: () => undefined },
      elsewhere: async () => ["theirs", "own"].map((name) => ({ ...theirs, name })),
      find: async (id: string) => (id === "far" ? found : null),
      indexed: () => undefined,
    };
    const { worlds } = start(newDataFolder(), { mostWorlds: 2, sharing: sharing as Sharing });
    openWorld(worlds, "own");
    expect(() => openWorld(worlds, "another")).toThrow(TooManyWorldsError);
    const listed = (await worlds.listAll()).map(({ name, node }) => [name, node]);
    expect(listed).toEqual([
      ["own", "a"],
      ["theirs", "b"],
    ]);
    expect([await worlds.findIntegration("far"), await worlds.findIntegration("nowhere")]).toEqual([found, null]);
    expect([worlds, start().worlds].map((one) => one.mayHaveIntegration("far"))).toEqual([true, false]);
  });

  it("is read in a copy, which is removed afterwards", async () => {
    const { data, worlds } = start();
    await openWorld(worlds, "theirs").write(() => undefined);
    const kept = path.join(data, "kept.sqlite");
    await openWorld(worlds, "theirs").db.handle.backup(kept);
    const load = vi.fn(async (_name: string, file: string) => {
      fs.copyFileSync(kept, file);
      return true;
    });
    const sharing = {
      owns: (name: string) => name === "own",
      load,
      changing: () => undefined,
      indexed: () => undefined,
    };
    const node = start(newDataFolder(), { sharing: { ...sharing, replicate: async () => undefined } as never });
    const own = openWorld(node.worlds, "own");
    const files = fs.readdirSync(path.join(node.data, "worlds"));
    expect(await node.worlds.peek("own", async (world) => world === own)).toBe(true);
    let copy: World | undefined;
    const jobs = await node.worlds.peek("theirs", async (world) => {
      copy = world;
      return [world.name, isOpen(world), jobIn(world)?.id];
    });
    expect([jobs, copy && isOpen(copy)]).toEqual([["theirs", true, job?.id], false]);
    await expect(node.worlds.peek("theirs", () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    load.mockResolvedValueOnce(false);
    expect(await node.worlds.peek("theirs", async () => "found")).toBeUndefined();
    fs.writeFileSync(kept, "x".repeat(8_192));
    expect(await node.worlds.peek("theirs", async () => "found")).toBeUndefined();
    expect(fs.readdirSync(path.join(node.data, "worlds"))).toEqual(files);
  });
});

describe("a stop", () => {
  it("leaves no timers behind", () => {
    vi.useFakeTimers({ toFake: ["Date", "performance", "setInterval", "clearInterval", "setTimeout", "clearTimeout"] });
    const { worlds, stop } = start();
    worlds.openDue();
    openWorld(worlds, "team");
    expect(vi.getTimerCount()).toBeGreaterThan(3);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("closes worlds for two seconds, and the remaining ones are complete at the next start", async () => {
    const first = start();
    const names = ["a", "b", "c", "d", "e"];
    for (const name of names) await mark(openWorld(first.worlds, name));
    const worlds = names.map((name) => openWorld(first.worlds, name));
    onTestFinished(() => {
      for (const { db } of worlds) db.close();
    });
    for (const world of worlds) {
      const close = world.close.bind(world);
      vi.spyOn(world, "close").mockImplementation((last) => {
        close(last);
        vi.setSystemTime(Date.now() + 1_000);
      });
    }
    first.stop();
    expect(worlds.map(isOpen)).toEqual([false, false, true, true, true]);
    const second = start(first.data);
    expect(names.map((name) => isMarked(openWorld(second.worlds, name)))).toEqual(names.map(() => true));
  });
});

describe("a long log", () => {
  it("is folded on a thread during use, and before its file is closed for good", async () => {
    const fold = vi.fn(async (file: string) => void foldWorld({ file }));
    const { data, worlds } = start(newDataFolder(), { fold });
    worlds.openDue();
    const write = (name: string, mebibytes: number) =>
      worlds.use(name, (world) =>
        world.write(
          () =>
            void world.db.run(
              "INSERT INTO meta VALUES (?, zeroblob(?) || '')",
              `${Math.random()}`,
              mebibytes * 2 ** 20,
            ),
        ),
      );
    const fileOf = (name: string) => path.join(data, "worlds", worldFileName(name));
    await write("short", 1);
    await write("long", 17);
    vi.advanceTimersByTime(1_000);
    await vi.waitFor(() => expect(fold.mock.calls).toEqual([[fileOf("long")]]));
    // The WAL file keeps its size but has nothing left to checkpoint.
    for (let seconds = 0; seconds < 3; seconds += 1) await vi.advanceTimersByTimeAsync(1_000);
    expect(fold.mock.calls).toEqual([[fileOf("long")]]);
    await write("long", 2);
    expect(fs.statSync(`${fileOf("long")}-wal`).size).toBeLessThan(20 * 2 ** 20);
    await write("long", 17);
    vi.advanceTimersByTime(1_000);
    await vi.waitFor(() => expect(fold.mock.calls).toEqual([[fileOf("long")], [fileOf("long")]]));
    await worlds.admin.reset("short");
    expect(fold.mock.calls.at(-1)).toEqual([fileOf("short")]);
  });
});

describe("the check of the disk", () => {
  it("runs at most once a second, and not while worlds are written", async () => {
    const { worlds, service } = start();
    const asked = vi.spyOn(service, "checkWritable");
    for (let polls = 0; polls < 50; polls += 1) worlds.checkWritable();
    expect(asked).toHaveBeenCalledTimes(1);
    vi.setSystemTime(START + 5_000);
    await mark(openWorld(worlds, "team"));
    worlds.checkWritable();
    expect(asked).toHaveBeenCalledTimes(1);
    const { db } = openWorld(worlds, "team");
    db.handle.pragma(`max_page_count = ${Number(db.handle.pragma("page_count", { simple: true })) + 1}`);
    const large = "INSERT INTO meta (key, value) VALUES ('large', zeroblob(100000) || '')";
    await expect(worlds.use("team", (world) => world.write(() => void world.db.run(large)))).rejects.toThrow(
      NotDurableError,
    );
    worlds.checkWritable();
    expect(asked).toHaveBeenCalledTimes(2);
    vi.setSystemTime(START + 6_000);
    asked.mockImplementation(() => {
      throw new Error("disk full");
    });
    for (let polls = 0; polls < 2; polls += 1) expect(() => worlds.checkWritable()).toThrow(NotDurableError);
  });
});

describe("the number of worlds", () => {
  it("D85: is limited, and existing worlds continue", async () => {
    const { worlds } = start(newDataFolder(), { mostWorlds: 2 });
    for (const name of ["a", "b"]) openWorld(worlds, name);
    expect(() => openWorld(worlds, "c")).toThrow(TooManyWorldsError);
    for (const made of [worlds.admin.reset("c"), worlds.admin.replace("c", "never made")])
      await expect(made).rejects.toThrow(TooManyWorldsError);
    await worlds.admin.reset("b");
    expect([isOpen(openWorld(worlds, "a")), isOpen(openWorld(worlds, "b")), worlds.list().length]).toEqual([
      true,
      true,
      2,
    ]);
    await worlds.admin.remove("a");
    expect(isOpen(openWorld(worlds, "c"))).toBe(true);
  });

  it("is one after all are deleted: the default one, as in the seed", async () => {
    const { worlds, data, service } = start();
    for (const name of ["default", "team"]) await mark(openWorld(worlds, name));
    expect(await worlds.admin.removeAll()).toEqual([]);
    expect([worlds.list(), service.worlds()].map((all) => all.map(({ name }) => name))).toEqual([
      ["default"],
      ["default"],
    ]);
    expect(isMarked(openWorld(worlds, "default"))).toBe(false);
    expect(fs.existsSync(path.join(data, "worlds", worldFileName("team")))).toBe(false);
  });

  it("is that of another version's worlds and the default one, if those are left", async () => {
    const first = start();
    for (const name of ["newer", "team"]) openWorld(first.worlds, name);
    first.stop();
    setVersion(first.data, "newer", 999);
    const { worlds } = start(first.data);
    expect(await worlds.admin.removeAll()).toEqual(["newer"]);
    expect(worlds.list().map(({ name }) => name)).toEqual(["newer", "default"]);
  });

  it("includes a default world of another version, which no act changes", async () => {
    const first = start();
    openWorld(first.worlds, "default");
    first.stop();
    setVersion(first.data, "default", 999);
    const file = path.join(first.data, "worlds", worldFileName("default"));
    const before = fs.readFileSync(file);
    const { worlds } = start(first.data);
    expect(await worlds.admin.removeAll()).toEqual(["default"]);
    for (const act of ["reset", "remove"] as const)
      await expect(worlds.admin[act]("default")).rejects.toThrow(UnavailableWorldError);
    expect([fs.readFileSync(file).equals(before), worlds.list().length]).toEqual([true, 1]);
  });

  it("doesn't grow when a missing one is read", () => {
    const { worlds, data } = start();
    expect([worlds.read("team", isOpen), worlds.withWorld("team", isOpen), worlds.list()]).toEqual([
      undefined,
      undefined,
      [],
    ]);
    expect(jobIn(worlds.seed)?.id).toBe(job?.id);
    expect(fs.readdirSync(path.join(data, "worlds"))).toEqual([]);
  });
});
