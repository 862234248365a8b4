import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { Database, migrate, NewerDataError } from "./database.ts";
import { migrations } from "./migrations/index.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const newFile = (): string => path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite");
const open = (file = newFile()): Database => {
  const db = new Database(file, { durability: "full" });
  onTestFinished(() => db.close());
  return db;
};
const versionOf = (handle: Sqlite.Database): unknown => handle.pragma("user_version", { simple: true });
const tablesOf = (handle: Sqlite.Database): unknown[] =>
  handle.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
/** A digest of a file and of its log; undefined for one that is not there. */
const bytesOf = (file: string) =>
  ["", "-wal"].map((suffix) =>
    fs.existsSync(file + suffix)
      ? createHash("sha256")
          .update(fs.readFileSync(file + suffix))
          .digest("hex")
      : undefined,
  );

describe("a world's file", () => {
  it("is created at the newest version, with a write-ahead log that is synced on every commit", () => {
    const { handle } = open();
    expect(versionOf(handle)).toBe(migrations.length);
    expect(handle.pragma("journal_mode", { simple: true })).toBe("wal");
    expect(handle.pragma("synchronous", { simple: true })).toBe(2);
    expect(tablesOf(handle)).toEqual(
      expect.arrayContaining(["jobs", "job_parts", "procurements", "deliveries", "log"]),
    );
  });

  it("that nobody keeps is not synced", () => {
    const db = new Database(newFile(), { durability: "off" });
    onTestFinished(() => db.close());
    expect(db.handle.pragma("synchronous", { simple: true })).toBe(0);
  });

  it("lets commits return before they are on disk, and wait again, where it is kept", () => {
    const [kept, off] = [open(), new Database(newFile(), { durability: "off" })];
    onTestFinished(() => off.close());
    const synchronous = () => [kept, off].map(({ handle }) => handle.pragma("synchronous", { simple: true }));
    for (const db of [kept, off]) db.waitForDisk(false);
    expect(synchronous()).toEqual([1, 0]);
    for (const db of [kept, off]) db.waitForDisk(true);
    expect(synchronous()).toEqual([2, 0]);
    kept.close();
    expect(() => kept.waitForDisk(true)).not.toThrow();
  });

  it("is nobody else's while it is open, and can be had once it was closed", () => {
    const file = newFile();
    const db = open(file);
    const read = () => {
      const other = new Sqlite(file, { timeout: 0 });
      try {
        return other.prepare("SELECT count(*) FROM jobs").pluck().get();
      } finally {
        other.close();
      }
    };
    expect(read).toThrow(expect.objectContaining({ code: "SQLITE_BUSY" }));
    db.close();
    expect(read()).toBe(0);
  });

  it("is one file again when it was closed, and closing twice does no harm", () => {
    const file = newFile();
    const db = open(file);
    db.epoch = 1;
    expect(fs.existsSync(`${file}-wal`)).toBe(true);
    db.close();
    db.close();
    expect(bytesOf(file)[1]).toBeUndefined();
    expect(open(file).epoch).toBe(1);
  });

  it("refuses values that do not fit its columns, instead of keeping them as something else", () => {
    expect(() =>
      open().run("INSERT INTO access_codes VALUES ('c', 'client', 'o', 'repairer', 'not a time', 1, NULL)"),
    ).toThrow(/INTEGER/);
  });

  it("is read again without running a migration twice", () => {
    const file = newFile();
    const first = open(file);
    const before = first.handle.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
    first.close();
    expect(open(file).handle.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all()).toEqual(before);
  });
});

describe("a file from a newer version", () => {
  /** A closed file of a newer version, in the journal mode this program uses or in SQLite's usual one. */
  const newer = (mode: "wal" | "delete"): string => {
    const file = newFile();
    const handle = new Sqlite(file);
    handle.pragma(`journal_mode = ${mode}`);
    handle.exec("CREATE TABLE of_the_future (x); INSERT INTO of_the_future VALUES (1)");
    handle.pragma(`user_version = ${migrations.length + 1}`);
    handle.close();
    return file;
  };

  it("is refused with a sentence that says what to do", () => {
    const file = newer("wal");
    expect(() => open(file)).toThrow(NewerDataError);
    expect(() => open(file)).toThrow(`${file} was written by a newer version of Integrations Explorer`);
    expect(() => open(file)).toThrow(/Update Integrations Explorer, or choose another data folder\.$/);
  });

  it("stays byte for byte as it was, and no log appears beside it", () => {
    for (const mode of ["wal", "delete"] as const) {
      const file = newer(mode);
      const before = bytesOf(file);
      expect(() => open(file)).toThrow(NewerDataError);
      expect(bytesOf(file)).toEqual(before);
      expect(fs.readdirSync(path.dirname(file)).filter((name) => name !== path.basename(file))).toEqual([]);
    }
  });

  it("stays byte for byte as it was even when its program was killed and left a log behind", () => {
    const living = newer("wal");
    const handle = new Sqlite(living);
    onTestFinished(() => void handle.close());
    handle.exec("INSERT INTO of_the_future VALUES (2)");
    const file = newFile();
    for (const suffix of ["", "-wal"]) fs.copyFileSync(living + suffix, file + suffix);
    const before = bytesOf(file);
    expect(before[1]).toBeDefined();
    expect(() => open(file)).toThrow(NewerDataError);
    expect(bytesOf(file)).toEqual(before);
  });

  it("is let go of, so that it can be moved or deleted", () => {
    const file = newer("delete");
    expect(() => open(file)).toThrow(NewerDataError);
    const other = new Sqlite(file, { timeout: 0 });
    onTestFinished(() => void other.close());
    expect(() => other.exec("BEGIN EXCLUSIVE; COMMIT")).not.toThrow();
  });
});

describe("migrations", () => {
  const steps = ["CREATE TABLE one (x)", "CREATE TABLE two (x); INSERT INTO one VALUES (2)", "CREATE TABLE three (x)"];
  const memory = (): Sqlite.Database => {
    const handle = new Sqlite(":memory:");
    onTestFinished(() => void handle.close());
    return handle;
  };

  it("run in order, each once, from where the file stands", () => {
    const handle = memory();
    migrate(handle, steps.slice(0, 1));
    expect([versionOf(handle), tablesOf(handle)]).toEqual([1, ["one"]]);
    migrate(handle, steps);
    migrate(handle, steps);
    expect([versionOf(handle), tablesOf(handle)]).toEqual([3, ["one", "three", "two"]]);
    expect(handle.prepare("SELECT x FROM one").pluck().all()).toEqual([2]);
  });

  it("run all or none", () => {
    const handle = memory();
    migrate(handle, steps.slice(0, 1));
    expect(() => migrate(handle, [...steps, "CREATE TABLE four (x); CREATE TABLE four (x)"])).toThrow(/four/);
    expect([versionOf(handle), tablesOf(handle)]).toEqual([1, ["one"]]);
  });

  it("never run on a file that has seen more of them", () => {
    const handle = memory();
    handle.pragma("user_version = 4");
    expect(() => migrate(handle, steps)).toThrow(NewerDataError);
    expect([versionOf(handle), tablesOf(handle)]).toEqual([4, []]);
  });
});

describe("times in a world's file", () => {
  it("D83: are kept as distances to the world's creation, which is kept with them", () => {
    const file = newFile();
    const first = open(file);
    expect(first.epoch).toBe(0);
    first.epoch = 1_700_000_000_000;
    expect([first.epoch, first.toStored(1_700_000_000_250), first.fromStored(-60_000)]).toEqual([
      1_700_000_000_000, 250, 1_699_999_940_000,
    ]);
    first.close();
    const again = open(file);
    expect([again.epoch, again.fromStored(250)]).toEqual([1_700_000_000_000, 1_700_000_000_250]);
    again.epoch = 5;
    expect([again.toStored(7), again.all("SELECT value FROM meta WHERE key = 'epoch'")]).toEqual([2, [{ value: "5" }]]);
  });

  it("come back to the millisecond, whatever the epoch; null stays null", () => {
    const db = open();
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
  it("is prepared once and used again", () => {
    const db = open();
    expect(db.sql("SELECT 1")).toBe(db.sql("SELECT 1"));
    expect(db.sql("SELECT 1")).not.toBe(db.sql("SELECT 2"));
  });

  it("is counted when it wrote, and not when it was refused or only read", () => {
    const db = open();
    const insert = "INSERT INTO organizations (id, name, scope) VALUES (?, ?, NULL)";
    const before = db.writes;
    db.run(insert, "a", "A");
    expect(db.writes).toBe(before + 1);
    expect(() => db.run(insert, "a", "A")).toThrow(/UNIQUE/);
    db.all("SELECT * FROM organizations");
    expect(db.writes).toBe(before + 1);
  });

  it("tells the row it inserted and how many it changed", () => {
    const db = open();
    const insert = "INSERT INTO organizations (id, name, scope) VALUES (?, ?, NULL)";
    expect(db.run(insert, "a", "A")).toEqual({ rowid: 1, changes: 1 });
    expect(db.run(insert, "b", "B")).toEqual({ rowid: 2, changes: 1 });
    expect(db.run("UPDATE organizations SET name = 'C'").changes).toBe(2);
    expect(db.get("SELECT name FROM organizations WHERE id = ?", "a")).toEqual({ name: "C" });
    expect(db.get("SELECT name FROM organizations WHERE id = ?", "z")).toBeUndefined();
  });
});
