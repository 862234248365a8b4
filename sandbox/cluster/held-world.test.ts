import { randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../testing/harness.ts";
import { NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import type { World } from "../worlds/world.ts";
import type { Worlds } from "../worlds/worlds.ts";
import { SharedDatabase } from "./database.ts";
import { HeldWorld } from "./held-world.ts";
import type { Claim } from "./ownership.ts";
import { NotHeldError, WorldStore } from "./world-store.ts";

const postgres = await TestPostgres.start();
const unexpected = (error: unknown): never => {
  throw error;
};

describe("a world held by a node", () => {
  beforeEach((context) => context.skip(postgres === null, NO_POSTGRES));
  const folder = temporaryFolder();
  const database = new SharedDatabase(postgres?.url ?? "", 8, unexpected);
  const store = new WorldStore(database);

  beforeAll(async () => {
    if (postgres) await database.prepare("");
  });
  afterAll(async () => {
    await database.close();
    await postgres?.end();
    fs.rmSync(folder, { recursive: true });
  });

  /** Holds a world that stores its own row count, so that a mix of several commits is detected. */
  const hold = async (name: string, rows: number) => {
    const file = path.join(folder, `${name}.sqlite`);
    const db = new Sqlite(file);
    onTestFinished(() => void db.close());
    for (const pragma of ["page_size = 2048", "auto_vacuum = FULL", "journal_mode = WAL", "synchronous = OFF"])
      db.pragma(pragma);
    db.exec("CREATE TABLE things (id INTEGER PRIMARY KEY, round INTEGER, text TEXT); CREATE INDEX r ON things (round)");
    db.exec("CREATE TABLE totals (round INTEGER, things INTEGER)");
    const insert = db.prepare("INSERT INTO things (round, text) VALUES (?, ?)");
    const commit = db.transaction((round: number, many: number) => {
      for (let n = 0; n < many; n += 1) insert.run(round, randomBytes(750).toString("hex"));
      // Some deletions shrink the file, others leave unused pages.
      db.prepare("DELETE FROM things WHERE round = ? - 5 OR (round = ? - 3 AND id % 3 = 0)").run(round, round);
      db.prepare("UPDATE things SET text = ? WHERE id % 7 = ?").run(`${round} ${"y".repeat(900)}`, round % 7);
      db.exec("DELETE FROM totals");
      db.prepare("INSERT INTO totals SELECT ?, count(*) FROM things").run(round);
    });
    commit(0, rows);
    const owner = randomUUID();
    await database.run("INSERT INTO sandbox_worlds (name, owner, epoch) VALUES ($1, $2, 1)", [name, owner]);
    const world = { name, db: { handle: db } } as unknown as World;
    let leases = 0;
    const threads = { areFree: Promise.resolve() };
    const withLease = async <T>(work: (open: World) => T): Promise<T> => {
      leases += 1;
      try {
        await threads.areFree;
        return await work(world);
      } finally {
        leases -= 1;
      }
    };
    const worlds = {
      getFilePath: () => file,
      getEntry: () => undefined,
      getBytes: () => fs.statSync(file).size + fs.statSync(`${file}-wal`).size,
      withOpenWorld: (_name: string, work: (open: World) => unknown) => (db.open ? withLease(work) : undefined),
    } as unknown as Worlds;
    const claimed = { name, owner, epoch: 1, seq: 0 } as Claim;
    const context = { store, worlds, onError: unexpected, lose: vi.fn() };
    const held = new HeldWorld(claimed, 0, context);
    const again = (inLog: number): HeldWorld => new HeldWorld({ ...claimed, seq: held.seq }, inLog, context);
    held.replaced = true;
    return { db, world, held, again, commit, threads, context, leases: () => leases };
  };

  /** @returns the commit of the stored world */
  const stored = async (name: string): Promise<number> => {
    const file = path.join(folder, `${name}-${randomUUID()}`);
    expect(await store.load(name, file)).not.toBeNull();
    const copy = new Sqlite(file);
    try {
      expect(copy.pragma("integrity_check", { simple: true })).toBe("ok");
      const totals = copy.prepare<[], { round: number; things: number }>("SELECT * FROM totals").get();
      expect(copy.prepare("SELECT count(*) FROM things").pluck().get()).toBe(totals?.things);
      return totals?.round ?? -1;
    } finally {
      copy.close();
    }
  };

  /** Returns the size of its log, in bytes. */
  const inLog = async (name: string): Promise<number> => (await store.load(name, path.join(folder, name))) ?? -1;

  test("copies a large world on a thread, and keeps its file open and unchanged meanwhile", async () => {
    const { db, world, held, commit, leases } = await hold("large", 2_000);
    const here = vi.spyOn(db, "serialize");
    const replaced = held.replicate(world);
    expect([here.mock.calls.length, leases()]).toEqual([0, 1]);
    // Like a writer, the first commit waits for the copy, which may already contain it.
    commit(1, 10);
    await held.replicate(world);
    await replaced;
    expect([await stored("large"), held.seq, leases()]).toEqual([1, 2, 0]);
    held.changing();
    await held.awaitStored();
    expect([await stored("large"), held.seq, here.mock.calls.length]).toEqual([1, 3, 0]);
  });

  test("copies a small world immediately", async () => {
    const { db, world, held, leases } = await hold("small", 10);
    const here = vi.spyOn(db, "serialize");
    const replaced = held.replicate(world);
    expect([here.mock.calls.length, leases()]).toEqual([1, 0]);
    await replaced;
    // Nothing was committed since.
    await held.replicate(world);
    expect([await stored("small"), held.seq]).toEqual([0, 1]);
  });

  test("trims the log of earlier owners, so that moves don't get slower", async () => {
    const { world, held, again, commit } = await hold("moved", 10);
    await held.replicate(world);
    commit(1, 10);
    await held.replicate(world);
    expect(await inLog("moved")).toBeGreaterThan(10);
    commit(2, 10);
    await again(1024 * 1024 + 1).replicate(world);
    await vi.waitUntil(async () => (await inLog("moved")) === 0);
    expect(await stored("moved")).toBe(2);
  });

  test("folds a long log before releasing the world", async () => {
    const { world, held, commit } = await hold("given", 10);
    await held.replicate(world);
    commit(1, 10);
    await held.storeAll();
    expect(await inLog("given")).toBeGreaterThan(0);
    commit(2, 1_000);
    await held.storeAll();
    expect([await inLog("given"), await stored("given")]).toEqual([0, 2]);
    commit(3, 10);
    await held.replicate(world);
    expect(await stored("given")).toBe(3);
  });

  test("stores a large change in parts, commits it with the last, and still finds its integrations", async () => {
    const { world, held, commit } = await hold("parts", 10);
    await held.replicate(world);
    const [integration_id, later] = [randomUUID(), randomUUID()];
    held.integrations = [{ integration_id, webhook_secret: "one" }];
    commit(1, 10);
    await held.replicate(world);
    const run = vi.spyOn(database, "run");
    held.integrations = [{ integration_id: later, webhook_secret: "other" }];
    commit(2, 3_000);
    const replicated = held.replicate(world);
    expect(await stored("parts")).toBe(1);
    await replicated;
    const sent = run.mock.calls.flatMap(([, values = []]) => values.filter((value) => Buffer.isBuffer(value)));
    expect(sent.length).toBeGreaterThan(1);
    expect(Math.max(...sent.map(({ length }) => length))).toBeLessThanOrEqual(1024 * 1024);
    expect([await stored("parts"), held.seq]).toEqual([2, 3]);
    for (const id of [integration_id, later]) expect((await store.find(id, "parts"))?.world).toBe("parts");
    commit(3, 10);
    await held.replicate(world);
    expect(await stored("parts")).toBe(3);
  });

  test("finds no integration of a deleted world, even if it was opened only for its deletion", async () => {
    const { db, world, held } = await hold("deleted", 10);
    await held.replicate(world);
    const integration_id = randomUUID();
    held.integrations = [{ integration_id, webhook_secret: "one" }];
    held.changing();
    db.close();
    fs.rmSync(path.join(folder, "deleted.sqlite"));
    await held.awaitStored();
    expect(await store.find(integration_id, "deleted")).toBeNull();
  });

  test("is lost, with the reason in the log, if a change can't be stored", async () => {
    const { world, held, context } = await hold("lost", 10);
    const error = new Error("no answer");
    vi.spyOn(store, "rebase").mockRejectedValueOnce(error);
    context.onError = vi.fn<typeof unexpected>();
    await expect(held.replicate(world)).rejects.toBe(error);
    expect(context.onError).toHaveBeenCalledWith(error);
    expect(context.lose).toHaveBeenCalledWith(held);
  });

  test("stores a copy only after all changes that it contains", async () => {
    const { world, held, commit, threads, leases } = await hold("mixed", 700);
    await held.replicate(world);
    const rebase = vi.spyOn(store, "rebase");
    const busy = Promise.withResolvers<void>();
    threads.areFree = busy.promise;
    let round = 0;
    const next = (): Promise<void> => {
      round += 1;
      commit(round, 300);
      return held.replicate(world);
    };
    while (leases() === 0) await next();
    const due = held.seq;
    await next();
    const append = store.append.bind(store);
    const away = Promise.withResolvers<void>();
    vi.spyOn(store, "append").mockImplementationOnce((...values) => away.promise.then(() => append(...values)));
    const last = next();
    busy.resolve();
    await vi.waitUntil(() => leases() === 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([await stored("mixed"), rebase.mock.calls.length]).toEqual([round - 1, 0]);
    away.resolve();
    await last;
    await vi.waitUntil(() => rebase.mock.settledResults[0]?.type === "fulfilled");
    expect(await stored("mixed")).toBe(round);
    const log = await database.run("SELECT seq FROM sandbox_log WHERE world = 'mixed' ORDER BY seq");
    expect(log.map(({ seq }) => Number(seq))).toEqual([due + 1, due + 2]);
  });

  test("other nodes find the last confirmed commit or the one after it, even during trims", {
    timeout: 60_000,
  }, async () => {
    const { world, held, commit } = await hold("trimmed", 700);
    await held.replicate(world);
    const rebase = vi.spyOn(store, "rebase");
    let confirmed = 0;
    let isOver = false;
    const watch = async (): Promise<void> => {
      while (!isOver) {
        const before = confirmed;
        const found = await stored("trimmed");
        expect(found).toBeGreaterThanOrEqual(before);
        expect(found).toBeLessThanOrEqual(confirmed + 1);
      }
    };
    const watching = watch();
    for (let round = 1; round <= 24; round += 1) {
      commit(round, 100 + ((round * 131) % 500));
      await held.replicate(world);
      confirmed = round;
    }
    isOver = true;
    await watching;
    await vi.waitUntil(async () => {
      const results = rebase.mock.settledResults;
      return results.length > 1 && results.every(({ type }) => type === "fulfilled");
    });
    expect(await stored("trimmed")).toBe(24);
    const [log] = await database.run("SELECT count(*) FROM sandbox_log WHERE world = 'trimmed'");
    expect(Number(log?.count)).toBeLessThan(24);
  });
});

describe("entries that a node publishes about a held world", () => {
  const summary = { jobs: 1 };
  const entryOf = (more = {}) => ({ name: "acme", pinned: false, due_at: 50, closed: null, created_at: 1, ...more });
  const hold = () => {
    const store = { rebase: vi.fn(async () => undefined), append: vi.fn(), index: vi.fn(async () => undefined) };
    const worlds = {
      ...{
        getFilePath: vi.fn(() => "/nowhere/acme.sqlite"),
        getBytes: () => 7,
        resetsAt: vi.fn((): number | null => null),
      },
      getEntry: vi.fn((): object | undefined => entryOf()),
      withOpenWorld: vi.fn((_name: string, _work: (world: World) => unknown): unknown => undefined),
    };
    const context = { store, worlds, onError: vi.fn(), lose: vi.fn() };
    const claimed = { name: "acme", owner: "us", epoch: 1, seq: 3 } as Claim;
    return {
      ...context,
      held: new HeldWorld(claimed, 0, context as unknown as ConstructorParameters<typeof HeldWorld>[2]),
    };
  };

  test("is the entry of its last use, or what its open file says", () => {
    const { held, worlds } = hold();
    expect(held.takeEntry()).toEqual({ ...entryOf(), bytes: 7 });
    worlds.getEntry.mockReturnValue(entryOf({ closed: { summary, changed_at: 9 }, due_at: null }));
    worlds.resetsAt.mockReturnValue(30);
    // No other node has this file.
    expect(held.takeEntry()).toMatchObject({ closed: { summary, changed_at: null }, due_at: 30 });
    const open = { summary: () => summary, nextWorkAt: () => 20 } as unknown as World;
    worlds.withOpenWorld.mockImplementation((_name, work) => work(open));
    expect(held.takeEntry()).toMatchObject({ closed: { summary, changed_at: null }, due_at: 20 });
    worlds.resetsAt.mockReturnValue(10);
    expect(held.takeEntry()?.due_at).toBe(10);
    worlds.getEntry.mockReturnValue(undefined);
    expect(held.takeEntry()).toBeNull();
  });

  test("is outdated after it was pinned, until it is published or stored with the whole world", async () => {
    const { held, worlds, store } = hold();
    held.takeEntry();
    expect(held.isUnpublished).toBe(false);
    worlds.getEntry.mockReturnValue(entryOf({ pinned: true }));
    expect(held.isUnpublished).toBe(true);
    held.takeEntry();
    expect(held.isUnpublished).toBe(false);
    worlds.getEntry.mockReturnValue(entryOf());
    held.changing();
    await held.awaitStored();
    expect([held.isUnpublished, held.seq]).toEqual([false, 4]);
    expect(store.rebase.mock.calls).toEqual([[held, 4, null, { ...entryOf(), bytes: 7 }, true]]);
  });

  test("is never that it ended because its file could not be opened", async () => {
    const { held, worlds, store, onError, lose } = hold();
    worlds.getFilePath.mockReturnValue(import.meta.filename);
    held.replaced = true;
    await expect(held.awaitStored()).rejects.toThrow(NotHeldError);
    expect([store.rebase.mock.calls, onError.mock.calls.length, lose.mock.calls]).toEqual([[], 1, [[held]]]);
    held.phase = "gone";
    await expect(held.awaitStored()).rejects.toThrow(NotHeldError);
    held.replaced = true;
    await expect(held.awaitStored()).rejects.toThrow(NotHeldError);
  });

  test("isn't stored after another node has it", async () => {
    const { held, store, onError } = hold();
    held.replaced = true;
    const stored = held.awaitStored();
    held.phase = "gone";
    await expect(stored).rejects.toThrow(NotHeldError);
    expect([store.rebase.mock.calls, onError.mock.calls, held.seq]).toEqual([[], [], 3]);
  });

  test("names its new integrations once", async () => {
    const { held, store } = hold();
    held.replaced = true;
    await held.awaitStored();
    expect(store.index).not.toHaveBeenCalled();
    const some = [{ integration_id: "i", webhook_secret: "s" }];
    held.replaced = true;
    held.integrations = some;
    await held.awaitStored();
    held.replaced = true;
    await held.awaitStored();
    expect(store.index.mock.calls).toEqual([[held, some]]);
  });
});
