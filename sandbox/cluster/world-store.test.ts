import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../testing/harness.ts";
import { NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import { SharedDatabase } from "./database.ts";
import { CommittedPages, packFile, packPages } from "./pages.ts";
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
    const log = ["autovacuum_vacuum_scale_factor=0", "autovacuum_vacuum_threshold=1000"];
    const worlds = ["fillfactor=50", "autovacuum_vacuum_scale_factor=0", "autovacuum_vacuum_threshold=1000"];
    expect([await optionsOf("sandbox_log"), await optionsOf("sandbox_worlds")]).toEqual([log, worlds]);
    const asBefore = () => database.run("DELETE FROM sandbox_settings WHERE key = 'tables_version'");
    await database.run("ALTER TABLE sandbox_log RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold)");
    await asBefore();
    await database.prepare("");
    expect(await optionsOf("sandbox_log")).toEqual(log);
    // An operator's own settings stay.
    await database.run("ALTER TABLE sandbox_log SET (autovacuum_vacuum_threshold = 50)");
    await asBefore();
    await database.prepare("");
    expect(await optionsOf("sandbox_log")).toEqual(expect.arrayContaining(["autovacuum_vacuum_threshold=50"]));
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
    db.close();
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
});
