import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { temporaryFolder } from "../testing/harness.ts";
import { NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import { SharedDatabase } from "./database.ts";
import { CommittedPages, packFile, packPages, packWorld, unpackFile } from "./pages.ts";
import { NotHeldError, type Position, WorldStore } from "./world-store.ts";

const postgres = await TestPostgres.start();
const unexpected = (error: unknown): never => {
  throw error;
};

describe("worlds in PostgreSQL", () => {
  beforeEach((context) => context.skip(postgres === null, NO_POSTGRES));
  const folder = temporaryFolder();
  const database = new SharedDatabase(postgres?.url ?? "", 4, unexpected);
  const store = new WorldStore(database);
  const owner = randomUUID();

  beforeAll(async () => {
    if (postgres) await database.prepare("");
  });
  afterAll(async () => {
    await database.close();
    await postgres?.end();
    fs.rmSync(folder, { recursive: true });
  });

  const claimed = async (name: string): Promise<{ -readonly [key in keyof Position]: Position[key] }> => {
    await database.run("INSERT INTO sandbox_worlds (name, owner, epoch) VALUES ($1, $2, 1)", [name, owner]);
    return { name, owner, epoch: 1, seq: 0 };
  };

  /** Opens a database with many kinds of changes, and the state of its replication. */
  const open = (name: string) => {
    const file = path.join(folder, `${name}.sqlite`);
    const db = new Sqlite(file);
    db.pragma("page_size = 2048");
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = OFF");
    db.exec("CREATE TABLE things (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX by_text ON things (text)");
    return { file, db, pages: new CommittedPages(file) };
  };
  type Opened = ReturnType<typeof open>;

  const append = async (at: { seq: number } & Position, { pages }: Opened): Promise<void> => {
    const taken = pages.take();
    if (!taken) throw new Error("nothing was committed");
    await store.append(at, await packPages(taken), null);
    at.seq += 1;
  };

  /** Checks that the stored file equals this file after a checkpoint, byte for byte. */
  const expectSame = async ({ file, db }: Opened, name: string): Promise<void> => {
    const rebuilt = path.join(folder, `${name}-rebuilt.sqlite`);
    expect(await store.load(name, rebuilt)).not.toBeNull();
    db.pragma("wal_checkpoint(PASSIVE)");
    expect(fs.readFileSync(rebuilt).equals(fs.readFileSync(file))).toBe(true);
    const copy = new Sqlite(rebuilt);
    expect(copy.pragma("integrity_check", { simple: true })).toBe("ok");
    copy.close();
  };

  test("deleted rows are vacuumed soon, also in tables of an earlier version", async () => {
    const optionsOf = async (table: string) => {
      const select = "SELECT reloptions FROM pg_class WHERE oid = $1::regclass";
      const [row] = await database.run(select, [table]);
      return row?.reloptions;
    };
    const soon = ["autovacuum_vacuum_scale_factor=0", "autovacuum_vacuum_threshold=1000"];
    const [log, worlds] = [
      [...soon, "autovacuum_vacuum_cost_delay=0"],
      ["fillfactor=50", ...soon],
    ];
    expect([await optionsOf("sandbox_log"), await optionsOf("sandbox_worlds")]).toEqual([log, worlds]);
    const asBefore = () => database.run("DELETE FROM sandbox_settings WHERE key = 'tables_version'");
    const own = "autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold, autovacuum_vacuum_cost_delay";
    await database.run(`ALTER TABLE sandbox_log RESET (${own})`);
    await asBefore();
    await database.prepare("");
    expect(await optionsOf("sandbox_log")).toEqual(log);
    // An operator's own settings stay.
    await database.run(
      "ALTER TABLE sandbox_log SET (autovacuum_vacuum_threshold = 50, autovacuum_vacuum_cost_delay = 5)",
    );
    const operators = await optionsOf("sandbox_log");
    await asBefore();
    await database.prepare("");
    expect(await optionsOf("sandbox_log")).toEqual(operators);
  });

  test("a world is rebuilt from its snapshot and its log, byte for byte", async () => {
    const opened = open("rebuilt");
    const { db, pages } = opened;
    const at = await claimed("rebuilt");
    pages.take();
    await store.rebase(at, at.seq + 1, await packFile(db.serialize()));
    at.seq += 1;
    await expectSame(opened, "rebuilt");
    const insert = db.prepare("INSERT INTO things (text) VALUES (?)");
    for (let round = 0; round < 40; round += 1) {
      db.transaction(() => {
        for (let n = 0; n < 20; n += 1) insert.run(`${round} ${"x".repeat((n * 97) % 3_000)}`);
      })();
      // Some commits are stored together, and the log restarts now and then.
      if (round % 3 !== 0) continue;
      await append(at, opened);
      if (round % 9 === 0) db.pragma("wal_checkpoint(TRUNCATE)");
      expect(pages.take()).toBeNull();
      if (round % 12 === 0) await expectSame(opened, "rebuilt");
    }
    db.exec("DELETE FROM things WHERE id % 3 = 0");
    await append(at, opened);
    db.exec("VACUUM");
    await append(at, opened);
    await expectSame(opened, "rebuilt");
    db.close();
  });

  test("a rollback is never stored, even if it reached the log", async () => {
    const opened = open("rolled-back");
    const { db, pages } = opened;
    const at = await claimed("rolled-back");
    pages.take();
    await store.rebase(at, at.seq + 1, await packFile(db.serialize()));
    at.seq += 1;
    db.pragma("cache_size = 10");
    db.exec("BEGIN");
    for (let n = 0; n < 400; n += 1) db.prepare("INSERT INTO things (text) VALUES (?)").run("y".repeat(1_500));
    db.exec("ROLLBACK");
    expect(pages.take()).toBeNull();
    db.exec("INSERT INTO things (text) VALUES ('kept')");
    await append(at, opened);
    await expectSame(opened, "rolled-back");
    db.exec("INSERT INTO things (text) VALUES ('kept too')");
    db.exec("BEGIN; UPDATE things SET text = text || 'z'");
    for (let n = 0; n < 400; n += 1) db.prepare("INSERT INTO things (text) VALUES (?)").run("y".repeat(1_500));
    db.exec("ROLLBACK");
    await append(at, opened);
    await expectSame(opened, "rolled-back");
    db.close();
  });

  test("a file that is open elsewhere is packed with its last commit, and a missing one not as an empty world", async () => {
    const { db, file } = open("packed");
    db.exec("INSERT INTO things (text) VALUES ('kept')");
    fs.writeFileSync(`${file}.copy`, await unpackFile(Buffer.from(await packWorld({ file }))));
    const copy = new Sqlite(`${file}.copy`);
    expect(copy.prepare("SELECT text FROM things").pluck().all()).toEqual(["kept"]);
    copy.close();
    db.close();
    await expect(packWorld({ file: `${file}.none` })).rejects.toThrow("unable to open");
    expect(fs.existsSync(`${file}.none`)).toBe(false);
  });

  test("a trim keeps the world and shortens its log, even with concurrent appends", async () => {
    const opened = open("trimmed");
    const { db, pages } = opened;
    const at = await claimed("trimmed");
    pages.take();
    await store.rebase(at, at.seq + 1, await packFile(db.serialize()));
    at.seq += 1;
    for (let n = 0; n < 10; n += 1) {
      db.exec(`INSERT INTO things (text) VALUES ('${n}')`);
      await append(at, opened);
    }
    const earlier = { ...at };
    const whole = await packFile(db.serialize());
    db.exec("INSERT INTO things (text) VALUES ('meanwhile')");
    await append(at, opened);
    await store.rebase(earlier, earlier.seq, whole);
    const log = await database.run("SELECT seq FROM sandbox_log WHERE world = 'trimmed'");
    expect(log.map(({ seq }) => Number(seq))).toEqual([at.seq]);
    await expectSame(opened, "trimmed");
    db.close();
  });

  test("a former or outdated owner can't append, replace, trim or end", async () => {
    const at = await claimed("fenced");
    await store.rebase(at, at.seq + 1, await packFile(Buffer.from("one")));
    at.seq += 1;
    const behind = { ...at, seq: 0 };
    await database.run("UPDATE sandbox_worlds SET epoch = 2 WHERE name = 'fenced'");
    const something = await packFile(Buffer.from("two"));
    for (const stale of [at, behind, { ...at, epoch: 2, owner: randomUUID() }, { ...at, epoch: 2, seq: 0 }]) {
      await expect(store.append(stale, something, null)).rejects.toThrow(NotHeldError);
      await expect(store.rebase(stale, stale.seq + 1, something)).rejects.toThrow(NotHeldError);
      await expect(store.rebase(stale, stale.seq + 1, null)).rejects.toThrow(NotHeldError);
    }
    await expect(store.rebase(at, at.seq, something)).rejects.toThrow(NotHeldError);
    const current = { ...at, epoch: 2 };
    await store.append(current, something, null);
    for (const content of [something, null])
      await expect(store.rebase(current, 2, content)).rejects.toThrow(NotHeldError);
    await database.run("UPDATE sandbox_worlds SET seq = 1 WHERE name = 'fenced'");
    const file = path.join(folder, "fenced");
    await store.load("fenced", file);
    expect(fs.readFileSync(file, "utf8")).toBe("one");
  });

  test("refuses to rebuild a world from a log with a gap", async () => {
    const opened = open("gap");
    const { db, pages } = opened;
    const at = await claimed("gap");
    pages.take();
    await store.rebase(at, at.seq + 1, await packFile(db.serialize()));
    at.seq += 1;
    for (let n = 0; n < 3; n += 1) {
      db.exec(`INSERT INTO things (text) VALUES ('${n}')`);
      await append(at, opened);
    }
    db.close();
    await database.run("DELETE FROM sandbox_log WHERE world = 'gap' AND seq = 3");
    await expect(store.load("gap", path.join(folder, "gap"))).rejects.toThrow("nothing between 2 and 4");
  });

  test("an ended world doesn't load, and its numbering continues", async () => {
    const at = await claimed("ended");
    await store.rebase(at, at.seq + 1, await packFile(Buffer.from("one")));
    at.seq += 1;
    await store.rebase(at, at.seq + 1, null);
    expect(await store.load("ended", path.join(folder, "ended"))).toBeNull();
    const [world] = await database.run("SELECT seq FROM sandbox_worlds WHERE name = 'ended'");
    expect(Number(world?.seq)).toBe(2);
  });

  test("a world exists while it is stored or some node has its name", async () => {
    const at = await claimed("existing");
    expect([await store.exists("existing"), await store.exists("nothing")]).toEqual([true, false]);
    await database.run("UPDATE sandbox_worlds SET owner = NULL WHERE name = 'existing'");
    expect(await store.exists("existing")).toBe(false);
    await database.run("UPDATE sandbox_worlds SET owner = $1 WHERE name = 'existing'", [owner]);
    await store.rebase(at, 1, await packFile(Buffer.from("one")));
    await database.run("UPDATE sandbox_worlds SET owner = NULL WHERE name = 'existing'");
    expect(await store.exists("existing")).toBe(true);
  });

  test("an integration is found in the preferred world, and only while its world is the same", async () => {
    const [one, other] = [await claimed("b-one"), await claimed("a-other")];
    const [id, second] = [randomUUID(), randomUUID()];
    for (const [at, secret] of [[one, "1"] as const, [other, "2"] as const])
      await store.index(at, [{ integration_id: id, webhook_secret: secret }]);
    await store.index(one, [{ integration_id: second, webhook_secret: "old" }]);
    await store.index(one, [{ integration_id: second, webhook_secret: "new" }]);
    expect(await store.find(id, "b-one")).toEqual({ world: "b-one", webhook_secret: "1" });
    expect(await store.find(id, "neither")).toEqual({ world: "a-other", webhook_secret: "2" });
    expect(await store.find(second, "a-other")).toEqual({ world: "b-one", webhook_secret: "new" });
    expect(await store.find(randomUUID(), "b-one")).toBeNull();
    const { refused } = store;
    await expect(store.index({ ...one, seq: 5 }, [])).rejects.toThrow(NotHeldError);
    expect(store.refused).toBe(refused + 1);
    const content = await packFile(Buffer.from("content"));
    await store.rebase(one, 1, content, null, false);
    one.seq += 1;
    expect(await store.find(second, "b-one")).not.toBeNull();
    await store.rebase(one, 2, content);
    expect([await store.find(second, "b-one"), (await store.find(id, "b-one"))?.world]).toEqual([null, "a-other"]);
  });

  test("each change publishes the entry, and a world that ends has none", async () => {
    const at = await claimed("published");
    const entryIn = async () =>
      (await database.run("SELECT entry FROM sandbox_worlds WHERE name = 'published'"))[0]?.entry;
    const { appended } = store;
    const [one, two] = [await packFile(Buffer.from("one")), await packFile(Buffer.from("some more"))];
    await store.append(at, one, { name: "published" } as never);
    await store.append({ ...at, seq: 1 }, two, null);
    expect([await entryIn(), store.appended - appended]).toEqual(['{"name":"published"}', one.length + two.length]);
    await store.rebase({ ...at, seq: 2 }, 2, one);
    expect(await entryIn()).toBe('{"name":"published"}');
    await store.rebase({ ...at, seq: 2 }, 3, one, { name: "published", pinned: true } as never);
    expect(await entryIn()).toBe('{"name":"published","pinned":true}');
    await store.rebase({ ...at, seq: 3 }, 4, null);
    expect(await entryIn()).toBeNull();
    expect(await database.run("SELECT 1 FROM sandbox_log WHERE world = 'published'")).toEqual([]);
  });

  test("is read again if its owner replaces it meanwhile, but not if it is broken", async () => {
    const at = await claimed("replaced");
    await store.rebase(at, 1, await packFile(Buffer.from("one")));
    const get = database.get.bind(database);
    const file = path.join(folder, "replaced");
    const read = vi.spyOn(database, "get").mockImplementationOnce(async (id) => {
      await store.rebase({ ...at, seq: 1 }, 2, await packFile(Buffer.from("two")));
      return get(id);
    });
    expect(await store.load("replaced", file)).toBe(0);
    expect([fs.readFileSync(file, "utf8"), read.mock.calls.length]).toEqual(["two", 2]);
    await database.run("UPDATE sandbox_worlds SET seq = 5 WHERE name = 'replaced'");
    await expect(store.load("replaced", file)).rejects.toThrow("ends at 2, before 5");
    read.mockResolvedValueOnce(Buffer.from("no deflated bytes"));
    await expect(store.load("replaced", file)).rejects.toThrow(/invalid|incorrect|unexpected/);
  });

  test("a long log is read in parts, and its size is known", async () => {
    const opened = open("long");
    const at = await claimed("long");
    opened.pages.take();
    await store.rebase(at, 1, await packFile(opened.db.serialize()));
    at.seq += 1;
    const { appended } = store;
    for (let n = 0; n < 41; n += 1) {
      opened.db.exec(`INSERT INTO things (text) VALUES ('${n}')`);
      await append(at, opened);
    }
    expect(await store.load("long", path.join(folder, "long-size"))).toBe(store.appended - appended);
    await expectSame(opened, "long");
    opened.db.close();
  });
});
