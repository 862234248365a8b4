import fs from "node:fs";
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { databaseBytes, newFile, openDatabase, schemaVersion, tableNames } from "../testing/database-files.ts";
import { delaySyncs, diskFailure } from "../testing/held-sync.ts";
import { Database } from "./database.ts";
import { migrations } from "./migrations/index.ts";
import { SettingsStore } from "./settings-store.ts";

describe("a world's file", () => {
  it("is created at the newest version, with a write-ahead log that commits don't sync", () => {
    const { handle } = openDatabase();
    expect(schemaVersion(handle)).toBe(migrations.length);
    expect(handle.pragma("journal_mode", { simple: true })).toBe("wal");
    expect(handle.pragma("synchronous", { simple: true })).toBe(1);
    expect(handle.pragma("page_size", { simple: true })).toBe(2048);
    expect(handle.pragma("wal_autocheckpoint", { simple: true })).toBe(32_000);
    expect(tableNames(handle)).toEqual(
      expect.arrayContaining(["jobs", "job_parts", "procurements", "deliveries", "log"]),
    );
  });

  it("that isn't stored is never synced", () => {
    const db = new Database(newFile(), { durability: "off" });
    onTestFinished(() => db.close());
    expect(db.handle.pragma("synchronous", { simple: true })).toBe(0);
    expect(db.sync()).toBeUndefined();
  });

  it("keeps its log's descriptor while a sync uses it, then closes it", async () => {
    const { held, restore } = delaySyncs();
    const closed = vi.spyOn(fs, "closeSync");
    const db = openDatabase();
    const syncs = [db.sync(), db.sync()];
    const descriptor = held[0]?.descriptor ?? -1;
    db.close();
    held[0]?.end(diskFailure());
    await expect(syncs[0]).rejects.toThrow("EIO");
    expect(closed).not.toHaveBeenCalledWith(descriptor);
    held[1]?.end();
    await syncs[1];
    await vi.waitFor(() => expect(closed).toHaveBeenCalledWith(descriptor));
    restore();
  });

  it("knows how much of its log is not yet in the file", () => {
    const db = openDatabase();
    db.handle.pragma("wal_checkpoint(TRUNCATE)");
    expect(db.unfoldedBytes()).toBe(0);
    db.epoch = 1;
    const [{ log = 0 } = {}] = db.handle.pragma("wal_checkpoint(NOOP)") as { log?: number }[];
    expect([log > 0, db.unfoldedBytes()]).toEqual([true, log * 2_048]);
    db.handle.pragma("wal_checkpoint(PASSIVE)");
    expect(db.unfoldedBytes()).toBe(0);
  });

  it("is closed if it is unusable", () => {
    const file = newFile();
    fs.writeFileSync(file, "no database at all".repeat(1_000));
    const close = vi.spyOn(Sqlite.prototype, "close");
    expect(() => openDatabase(file)).toThrow(/not a database/);
    expect(close.mock.contexts.filter((one) => (one as Sqlite.Database).name === file).length).toBeGreaterThan(0);
  });

  it("is left alone if abandoned after closing", () => {
    const file = newFile();
    const db = openDatabase(file);
    db.close();
    fs.rmSync(file);
    db.abandon();
    expect(fs.existsSync(file)).toBe(false);
  });

  it("compares texts without case, and other values unchanged", () => {
    const folded = openDatabase().get("SELECT folded('ÄbC') AS text, folded(NULL) AS none, folded(4) AS number");
    expect(folded).toEqual({ text: "äbc", none: null, number: null });
  });

  it("numbers new rows above all existing ones, even after the clock was set back", () => {
    const file = newFile();
    const db = openDatabase(file);
    const last = db.lastSeq;
    db.insert("log", { seq: last * 2, trace_id: null, kind: "world", data: "{}", at: 0 });
    db.close();
    expect(openDatabase(file).nextSeq()).toBe(last * 2 + 1);
  });

  it.each(["log_trimmed", "log_restored"] as const)(
    "numbers new rows above those deleted through %s, even after the clock was set back",
    (through) => {
      const file = newFile();
      const db = openDatabase(file);
      const last = db.lastSeq;
      new SettingsStore(db).set(through, last * 2);
      db.close();
      expect(openDatabase(file).nextSeq()).toBe(last * 2 + 1);
    },
  );

  it("can be read concurrently from a snapshot", () => {
    const file = newFile();
    const db = openDatabase(file);
    const reader = new Sqlite(file, { readonly: true });
    onTestFinished(() => void reader.close());
    const count = () => reader.prepare("SELECT count(*) FROM meta").pluck().get();
    reader.exec("BEGIN");
    const before = count();
    db.run("INSERT INTO meta (key, value) VALUES ('added', '1')");
    expect(count()).toBe(before);
    reader.exec("COMMIT");
    expect(count()).toBe(Number(before) + 1);
  });

  it("is a single file after closing, and may be closed twice", () => {
    const file = newFile();
    const db = openDatabase(file);
    db.epoch = 1;
    expect(fs.existsSync(`${file}-wal`)).toBe(true);
    db.close();
    db.close();
    expect(databaseBytes(file)[1]).toBeUndefined();
    expect(openDatabase(file).epoch).toBe(1);
  });

  it("refuses values of the wrong type", () => {
    expect(() =>
      openDatabase().run("INSERT INTO access_codes VALUES ('c', 'client', 'o', 'repairer', 'not a time', 1, NULL)"),
    ).toThrow(/INTEGER/);
  });

  it("runs no migration twice", () => {
    const file = newFile();
    const first = openDatabase(file);
    const before = first.handle.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
    first.close();
    expect(openDatabase(file).handle.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all()).toEqual(
      before,
    );
  });
});

describe("times in a world's file", () => {
  it("D83: are stored relative to the world's creation, which is stored with them", () => {
    const file = newFile();
    const first = openDatabase(file);
    expect(first.epoch).toBe(0);
    first.epoch = 1_700_000_000_000;
    expect([first.epoch, first.toStored(1_700_000_000_250), first.fromStored(-60_000)]).toEqual([
      1_700_000_000_000, 250, 1_699_999_940_000,
    ]);
    first.close();
    const again = openDatabase(file);
    expect([again.epoch, again.fromStored(250)]).toEqual([1_700_000_000_000, 1_700_000_000_250]);
    again.epoch = 5;
    expect([again.toStored(7), again.all("SELECT value FROM meta WHERE key = 'epoch'")]).toEqual([2, [{ value: "5" }]]);
  });

  it("are read back to the millisecond for any epoch, and null stays null", () => {
    const db = openDatabase();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), fc.double({ min: -4e12, max: 4e12, noNaN: true }), (epoch, at) => {
        db.epoch = epoch;
        expect(Number.isInteger(db.toStored(at))).toBe(true);
        expect(db.fromStored(db.toStored(at))).toBe(Math.round(at) + 0);
      }),
      { numRuns: 50 },
    );
    expect([db.toStored(null), db.fromStored(null)]).toEqual([null, null]);
  });
});

describe("a statement", () => {
  it("is prepared once and reused", () => {
    const db = openDatabase();
    expect(db.sql("SELECT 1")).toBe(db.sql("SELECT 1"));
    expect(db.sql("SELECT 1")).not.toBe(db.sql("SELECT 2"));
  });

  it("returns the inserted row and the number of changes", () => {
    const db = openDatabase();
    const insert = "INSERT INTO organizations (id, name, scope) VALUES (?, ?, NULL)";
    expect(db.run(insert, "a", "A")).toEqual({ rowid: 1, changes: 1 });
    expect(db.run(insert, "b", "B")).toEqual({ rowid: 2, changes: 1 });
    expect(db.run("UPDATE organizations SET name = 'C'").changes).toBe(2);
    expect(db.get("SELECT name FROM organizations WHERE id = ?", "a")).toEqual({ name: "C" });
    expect(db.get("SELECT name FROM organizations WHERE id = ?", "z")).toBeUndefined();
  });
});
