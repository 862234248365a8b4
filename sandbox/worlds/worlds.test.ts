import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { worldFileName } from "../rules/world-name.ts";
import { UnavailableWorldError } from "../storage/unavailable-world.ts";
import { newDataFolder, queueDelivery, startWorlds as start } from "../testing/started-worlds.ts";
import { buildSeedWorld } from "./seed/seed-world.ts";
import type { World } from "./world.ts";
import { TooManyWorldsError, type Worlds } from "./worlds.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 0, 15, 12);
/** More than are kept open at once. */
const MANY = 240;
const seed = buildSeedWorld();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Leaves a mark in a world that a reset removes. */
const mark = (world: World): Promise<void> =>
  world.write(() => void world.db.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('mark', 'made')"));
const isMarked = (world: World): boolean => world.db.get("SELECT 1 FROM meta WHERE key = 'mark'") !== undefined;
const [job] = seed.jobs;
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

  it("is what it was when the file that was to take its place does not open", async () => {
    const { data, worlds, reset } = start();
    await mark(worlds.use("team"));
    const ready = path.join(data, "ready.sqlite");
    fs.writeFileSync(ready, "nothing like a database".repeat(1_000));
    expect(() => worlds.replace("team", ready, () => undefined)).toThrow(UnavailableWorldError);
    expect([isMarked(worlds.use("team")), reset]).toEqual([true, []]);
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
    first.worlds.pin("team", true);
    first.stop();
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
    const [entry] = worlds.list();
    expect(entry && worlds.summaryOf(entry)).toMatchObject({ subscriptions: 0 });
    expect(worlds.existing("team")?.name).toBe("team");
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
    await queueDelivery(before, START);
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

const useMany = (worlds: Worlds): void => {
  for (let count = 0; count < MANY; count += 1) worlds.use(`other-${count}`);
};

describe("of hundreds of worlds", () => {
  it("the least used are closed, and open as they were when they are called", async () => {
    const { data, worlds } = start();
    const first = worlds.use("first");
    await first.write(() => first.stores.settings.set("clock_offset", 90_000));
    worlds.use("used");
    useMany(worlds);
    expect([first.closed, worlds.openWorlds().length]).toEqual([true, 200]);
    expect(fs.readdirSync(path.join(data, "worlds")).filter((name) => name.includes("first"))).toEqual([
      "w-first.sqlite",
    ]);
    expect([worlds.list().length, worlds.use("first").clockOffset]).toEqual([MANY + 2, 90_000]);
  });

  it("one that is called again and again stays open", () => {
    const { worlds } = start();
    const used = worlds.use("used");
    for (let count = 0; count < MANY; count += 1) {
      worlds.use(`other-${count}`);
      worlds.use("used");
    }
    expect([used.closed, worlds.use("used")]).toEqual([false, used]);
  });

  it("one in which something is about to be delivered stays open as well", async () => {
    const { worlds } = start();
    const [quiet, about] = [worlds.use("quiet"), worlds.use("about")];
    await queueDelivery(quiet, START + 10 * MINUTE);
    await queueDelivery(about, START + 1_000);
    useMany(worlds);
    expect([quiet.closed, about.closed]).toEqual([true, false]);
  });
});

describe("a closed world", () => {
  it("D72: is opened when what waits in it is due, and that is no call to it", async () => {
    const { worlds, opened } = start();
    worlds.openDue();
    await queueDelivery(worlds.use("team"), START + 10 * MINUTE);
    useMany(worlds);
    vi.advanceTimersByTime(10 * MINUTE - 1);
    expect(opened).toEqual([]);
    vi.advanceTimersByTime(250);
    expect(opened).toEqual(["team"]);
    expect(worlds.list().find((entry) => entry.name === "team")?.last_active_at).toBe(START);
  });

  it("D72: is opened when that was due before the start, unless nothing is sent at all", async () => {
    const first = start();
    await queueDelivery(first.worlds.use("team"), START + MINUTE);
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

  it("says how much was in it when it was closed", async () => {
    const first = start();
    const team = first.worlds.use("team");
    await queueDelivery(team, START + 10 * MINUTE);
    await team.write(() => {
      team.stores.settings.set("clock_offset", 5_000);
      team.reread();
      const [job] = seed.jobs;
      if (job) team.stores.jobs.insert({ ...job, id: "another", external_id: null, job_number: null });
    });
    const open = team.summary();
    first.worlds.use("untouched");
    first.stop();
    const { worlds, opened } = start(first.data);
    const summaries = worlds.list().map((entry) => [entry.name, worlds.summaryOf(entry)]);
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

  it("D78: are found wherever they are, and no closed world is opened in vain", async () => {
    const first = start();
    for (const name of ["a", "b", "c"]) await install(first.worlds.use(name), `of ${name}`);
    first.worlds.use("seeded");
    expect(first.worlds.findIntegration("of b")).toEqual({ world: "b", webhook_secret: "pwh_of b" });
    first.stop();
    const { worlds, opened } = start(first.data);
    expect(worlds.findIntegration("of nobody")).toBeNull();
    expect(opened).toEqual([]);
    expect([worlds.findIntegration("of b")?.webhook_secret, opened]).toEqual(["pwh_of b", ["b"]]);
    worlds.remove("b");
    worlds.reset("a");
    expect([worlds.findIntegration("of a"), worlds.findIntegration("of b"), opened]).toEqual([null, null, ["b", "a"]]);
    const [preloaded] = seed.credentials;
    expect(worlds.findIntegration(preloaded?.integration_id ?? "")?.webhook_secret).toBe(preloaded?.webhook_secret);
  });

  it("are found after a crash too, when nobody could write down what is in a world", async () => {
    const first = start();
    await install(first.worlds.use("team"), "id");
    const left = newDataFolder();
    fs.cpSync(first.data, left, { recursive: true });
    expect(start(left).worlds.findIntegration("id")?.webhook_secret).toBe("pwh_id");
  });
});

describe("a world whose file is damaged or makes no sense", () => {
  const fileOf = (data: string, name: string): string => path.join(data, "worlds", worldFileName(name));
  const damaged: Readonly<Record<string, readonly [(file: string) => void, RegExp]>> = {
    "no database": [(file) => fs.writeFileSync(file, "x".repeat(8_192)), /is not a database/],
    empty: [(file) => fs.writeFileSync(file, ""), /is not a database/],
    "a folder": [(file) => asFolder(file), /is not a database that can be read/],
    torn: [(file) => fs.truncateSync(file, 8_192), /malformed/],
    "without its tables": [(file) => sql(file, "DROP TABLE meta"), /no such table/],
    "without one of its tables": [(file) => sql(file, "DROP TABLE unindexed"), /its file has no table unindexed/],
    "set to nonsense": [
      (file) => sql(file, "INSERT INTO meta VALUES ('faults', '5')"),
      /its setting faults makes no sense/,
    ],
    "from beyond all dates": [
      (file) => sql(file, "UPDATE meta SET value = '8640000000000001' WHERE key = 'epoch'"),
      /its setting epoch makes no sense/,
    ],
  };
  const asFolder = (file: string): void => {
    fs.rmSync(file, { force: true });
    fs.mkdirSync(file);
    fs.writeFileSync(path.join(file, "something"), "else");
  };
  const sql = (file: string, text: string): void => {
    const handle = new Sqlite(file);
    handle.exec(text);
    handle.close();
  };

  it.each(Object.entries(damaged))(
    "D87: is unavailable alone when it is %s, listed with its reason, and well again after a reset",
    async (_, [spoil, reason]) => {
      const first = start();
      await mark(first.worlds.use("other"));
      first.worlds.use("team");
      first.stop();
      spoil(fileOf(first.data, "team"));
      const { worlds } = start(first.data);
      const look = () => worlds.list().map((entry) => worlds.summaryOf(entry)?.jobs);
      expect(() => look()).toThrow(UnavailableWorldError);
      expect(() => worlds.use("team")).toThrow(reason);
      expect(() => worlds.use("team")).toThrow(/^The world team cannot be used: .*Reset it, restore .*or delete it/);
      expect([worlds.intact("team"), isMarked(worlds.use("other"))]).toEqual([undefined, true]);
      expect(isMarked(worlds.reset("team"))).toBe(false);
      expect(look()).toEqual([seed.jobs.length, seed.jobs.length]);
    },
  );

  it("D87: can be deleted, also when a crash left a log beside it, and idles away like any other", () => {
    const first = start();
    for (const name of ["gone", "idle", "gone folder", "idle folder"]) first.worlds.use(name);
    first.stop();
    for (const name of ["gone", "idle"]) fs.writeFileSync(fileOf(first.data, name), "x".repeat(8_192));
    for (const name of ["gone folder", "idle folder"]) asFolder(fileOf(first.data, name));
    for (const name of ["gone", "gone folder"]) fs.writeFileSync(`${fileOf(first.data, name)}-wal`, "x".repeat(8_192));
    fs.mkdirSync(`${fileOf(first.data, "idle")}.new`);
    const { worlds } = start(first.data);
    for (const name of ["gone", "gone folder"]) worlds.remove(name);
    expect(worlds.list().map(({ name }) => name)).toEqual(["idle", "idle folder"]);
    vi.advanceTimersByTime(2 * HOUR);
    expect(fs.readdirSync(path.join(first.data, "worlds"))).toEqual([]);
  });

  it("keeps no other from ending when nothing can be learnt of its file", () => {
    const first = start();
    for (const name of ["bad", "team"]) first.worlds.use(name);
    first.stop();
    const { worlds, removed, troubled } = start(first.data);
    const full = Object.assign(new Error("too many open files"), { code: "EMFILE" });
    vi.spyOn(fs, "openSync").mockImplementationOnce(() => {
      throw full;
    });
    vi.setSystemTime(START + 2 * HOUR);
    worlds.sweep();
    expect(troubled.mock.calls).toEqual([[full]]);
    expect([worlds.list().map(({ name }) => name), removed.length]).toEqual([["bad"], 1]);
  });

  it("keeps no other from ending when it cannot be removed, and is listed still", () => {
    const { worlds, removed, troubled } = start();
    for (const name of ["a", "bad", "c"]) worlds.use(name);
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
    expect([worlds.list().map(({ name }) => name), troubled.mock.calls]).toEqual([["bad"], [[refused]]]);
    expect(() => worlds.remove("bad")).toThrow(refused);
    remove.mockRestore();
    worlds.remove("bad");
    expect(worlds.list()).toEqual([]);
  });

  it("keeps no other from being opened when it has to be closed", () => {
    const { worlds, troubled } = start();
    const bad = worlds.use("bad");
    bad.close = () => {
      bad.db.close();
      throw new Sqlite.SqliteError("disk I/O error", "SQLITE_IOERR");
    };
    useMany(worlds);
    expect([worlds.openWorlds().length, worlds.openWorlds().includes(bad)]).toEqual([200, false]);
    expect(troubled).toHaveBeenCalledOnce();
    expect(worlds.use("bad").closed).toBe(false);
  });
});

describe("the number of worlds", () => {
  it("D85: is limited, whoever would make another; those there are go on", () => {
    const { worlds } = start(newDataFolder(), { mostWorlds: 2 });
    for (const name of ["a", "b"]) worlds.use(name);
    for (const make of [() => worlds.use("c"), () => worlds.adopt("c", "never made"), () => worlds.reset("c")])
      expect(make).toThrow(TooManyWorldsError);
    expect([worlds.use("a").closed, worlds.reset("b").closed, worlds.list().length]).toEqual([false, false, 2]);
    worlds.remove("a");
    expect(worlds.use("c").closed).toBe(false);
  });

  it("does not grow by asking for one that is not there", () => {
    const { worlds, data } = start();
    expect([worlds.called("team"), worlds.existing("team"), worlds.list()]).toEqual([undefined, undefined, []]);
    expect(jobIn(worlds.seed)?.id).toBe(job?.id);
    expect(fs.readdirSync(path.join(data, "worlds"))).toEqual([]);
  });
});
