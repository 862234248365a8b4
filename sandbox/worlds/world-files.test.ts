import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { worldFileName } from "../rules/worlds/world-name.ts";
import { Database } from "../storage/database.ts";
import { OtherVersionError } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/index.ts";
import { NotDurableError } from "../storage/writer.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { buildSeedWorld } from "./seed/seed-world.ts";
import { ensureTemplate } from "./template.ts";
import { WorldFiles } from "./world-files.ts";

const EPOCH = Date.UTC(2026, 0, 15, 12);
const folder = temporaryFolder();
let template: string;
beforeAll(() => {
  template = ensureTemplate(folder, null);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const newFolder = (): string => fs.mkdtempSync(path.join(folder, "worlds-"));
const fileIn = (worlds: string, name = "team"): string => path.join(worlds, worldFileName(name));
/** World files as a new process finds them. */
const filesOf = (worlds: string): WorldFiles => new WorldFiles(worlds, template, { durability: "full" });

const open = (files: WorldFiles, name = "team"): Database => {
  const db = files.open(name);
  onTestFinished(() => db.close());
  return db;
};
const mark = (db: Database): void => void db.run("INSERT INTO meta (key, value) VALUES ('mark', 'made')");
const isMarked = (db: Database): boolean => db.get("SELECT 1 FROM meta WHERE key = 'mark'") !== undefined;
const jobsIn = (db: Database): unknown => db.get("SELECT count(*) AS n FROM jobs");
const seeded = { n: buildSeedWorld().jobs.length };

describe("a world's file", () => {
  it("D83: is a copy of the template with its own date, alone in its folder once closed", () => {
    const worlds = newFolder();
    const files = filesOf(worlds);
    files.create("team", EPOCH);
    const db = open(files);
    expect([db.epoch, jobsIn(db)]).toEqual([EPOCH, seeded]);
    db.close();
    const again = open(files);
    expect(again.epoch).toBe(EPOCH);
    again.close();
    expect(fs.readdirSync(worlds)).toEqual([worldFileName("team")]);
  });

  it("is complete and on disk, including its name, when created", () => {
    const worlds = newFolder();
    const files = filesOf(worlds);
    const steps: string[] = [];
    const sync = vi.spyOn(fs, "fsyncSync").mockImplementation(() => void steps.push("sync"));
    const rename = vi.spyOn(fs, "renameSync");
    const renamed = rename.getMockImplementation() ?? fs.renameSync;
    rename.mockImplementation((...names) => {
      steps.push("rename");
      rename.mockRestore();
      renamed(...names);
    });
    onTestFinished(() => {
      sync.mockRestore();
      rename.mockRestore();
    });
    files.create("team", EPOCH);
    expect(steps).toEqual(["sync", "rename", "sync"]);
  });

  it("keeps the log of a crash even if another crash interrupts its replacement", () => {
    const crashed = newFolder();
    {
      const worlds = newFolder();
      const files = filesOf(worlds);
      files.create("team", EPOCH);
      const db = open(files);
      mark(db);
      fs.cpSync(worlds, crashed, { recursive: true });
      db.close();
    }
    expect(fs.existsSync(`${fileIn(crashed)}-wal`)).toBe(true);
    const rename = vi.spyOn(fs, "renameSync").mockImplementation(() => {
      throw new Error("crashed");
    });
    onTestFinished(() => rename.mockRestore());
    const replaced = filesOf(crashed);
    expect(() => replaced.create("team", EPOCH + 1)).toThrow("crashed");
    expect(fs.existsSync(`${fileIn(crashed)}-wal`)).toBe(false);
    const after = open(filesOf(crashed));
    expect([after.epoch, isMarked(after)]).toEqual([EPOCH, true]);
  });

  it("is replaced even if it and its log are damaged, but not while the disk fails", () => {
    const worlds = newFolder();
    const files = filesOf(worlds);
    const damage = "x".repeat(8_192);
    for (const suffix of ["", "-wal"]) fs.writeFileSync(fileIn(worlds) + suffix, damage);
    const fresh = files.fresh("team", EPOCH);
    const pragma = Sqlite.prototype.pragma;
    const failing = vi.spyOn(Sqlite.prototype, "pragma").mockImplementation(function (this: Sqlite.Database, source) {
      if (source.startsWith("wal_checkpoint")) throw new Sqlite.SqliteError("disk I/O error", "SQLITE_IOERR");
      return pragma.call(this, source);
    });
    expect(() => files.put("team", fresh)).toThrow("disk I/O error");
    failing.mockRestore();
    expect(["", "-wal"].map((suffix) => fs.readFileSync(fileIn(worlds) + suffix, "utf8"))).toEqual([damage, damage]);
    files.create("team", EPOCH);
    expect(jobsIn(open(files))).toEqual(seeded);
  });

  it("replaces an existing one when created again", () => {
    const files = filesOf(newFolder());
    files.create("team", EPOCH);
    const db = open(files);
    mark(db);
    db.close();
    files.create("team", EPOCH + 1);
    const replacement = open(files);
    expect([replacement.epoch, isMarked(replacement)]).toEqual([EPOCH + 1, false]);
  });
});

describe("after a crash", () => {
  it("a file's log is still there", () => {
    const worlds = newFolder();
    const files = filesOf(worlds);
    files.create("team", EPOCH);
    mark(open(files));
    const killed = newFolder();
    fs.cpSync(worlds, killed, { recursive: true });
    const left = filesOf(killed);
    expect(left.scan()).toEqual({ names: ["team"], crashed: ["team"] });
    const after = open(left);
    expect([after.epoch, isMarked(after)]).toEqual([EPOCH, true]);
  });

  it("during a reset, a file shared with its checkpoint is separated before it is written", () => {
    const worlds = newFolder();
    const files = filesOf(worlds);
    files.create("team", EPOCH);
    const checkpoint = path.join(newFolder(), "world.sqlite");
    const db = open(files);
    mark(db);
    for (const suffix of ["", "-wal"]) fs.linkSync(fileIn(worlds) + suffix, checkpoint + suffix);
    const left = newFolder();
    for (const suffix of ["", "-wal"]) fs.linkSync(checkpoint + suffix, fileIn(left) + suffix);
    const kept = ["", "-wal"].map((suffix) => fs.readFileSync(checkpoint + suffix));
    const sync = vi.spyOn(fs, "fsyncSync");
    const rename = vi.spyOn(fs, "renameSync");
    const after = open(filesOf(left));
    const [syncs, renames] = [sync, rename].map(({ mock }) => mock.invocationCallOrder);
    // Each copy is on disk before it gets the file's name.
    expect(renames?.map((at, index) => at > (syncs?.[index] ?? Infinity))).toEqual([true, true]);
    after.run("INSERT INTO meta (key, value) VALUES ('later', 'made')");
    after.close();
    expect(isMarked(open(filesOf(left)))).toBe(true);
    expect(["", "-wal"].map((suffix) => fs.readFileSync(checkpoint + suffix))).toEqual(kept);
  });

  it("an unfinished file is removed with the files beside it", () => {
    const worlds = newFolder();
    const unfinished = `${fileIn(worlds)}.new`;
    const leave = () => {
      for (const suffix of ["", "-wal"]) fs.writeFileSync(unfinished + suffix, "half a cop");
    };
    const files = filesOf(worlds);
    leave();
    expect([files.scan(), fs.readdirSync(worlds)]).toEqual([{ names: [], crashed: [] }, []]);
    fs.mkdirSync(unfinished);
    expect([files.scan(), fs.readdirSync(worlds)]).toEqual([{ names: [], crashed: [] }, []]);
    leave();
    files.create("team", EPOCH);
    expect(jobsIn(open(files))).toEqual(seeded);
  });
});

describe("a file whose disk failed to confirm a change", () => {
  it("is rewritten when it is opened, once, and not when a copy of it is", () => {
    const worlds = newFolder();
    const files = filesOf(worlds);
    files.create("team", EPOCH);
    files.doubt("team");
    const copy = path.join(worlds, "copy");
    fs.copyFileSync(fileIn(worlds), copy);
    files.open("team", copy).close();
    expect(files.isDoubted("team")).toBe(true);
    const copied = vi.spyOn(fs, "copyFileSync");
    for (let times = 0; times < 2; times += 1) open(files).close();
    expect([files.isDoubted("team"), copied.mock.calls.length]).toEqual([false, 1]);
  });

  it("is not replaced before the disk confirms its content", () => {
    const worlds = newFolder();
    const files = filesOf(worlds);
    files.create("team", EPOCH);
    files.doubt("team");
    const before = fs.readFileSync(fileIn(worlds));
    const fresh = files.fresh("team", EPOCH + 1);
    vi.spyOn(fs, "fsyncSync").mockImplementation(() => {
      throw Object.assign(new Error("i/o error"), { code: "EIO" });
    });
    expect(() => files.put("team", fresh)).toThrow(NotDurableError);
    expect([fs.readFileSync(fileIn(worlds)).equals(before), fs.readdirSync(worlds)]).toEqual([
      ...[true, [worldFileName("team")]],
    ]);
  });
});

it("waits for no disk where durability is off", () => {
  const sync = vi.spyOn(fs, "fsyncSync");
  const worlds = newFolder();
  new WorldFiles(worlds, template, { durability: "off" }).create("team", EPOCH);
  expect([sync.mock.calls, fs.readdirSync(worlds)]).toEqual([[], [worldFileName("team")]]);
});

describe("a foreign file", () => {
  it("is closed again if a table is missing", () => {
    const files = filesOf(newFolder());
    files.create("team", EPOCH);
    const db = open(files);
    db.run("DROP TABLE drills");
    db.close();
    const close = vi.spyOn(Database.prototype, "close");
    expect(() => files.open("team")).toThrow("its file has no table drills");
    expect(close).toHaveBeenCalledTimes(1);
  });

  it("is never opened or replaced automatically", () => {
    for (const content of ["something else, and long enough to be looked at. ".repeat(100), "short", ""]) {
      const worlds = newFolder();
      fs.writeFileSync(fileIn(worlds), content);
      expect(() => open(filesOf(worlds))).toThrow(/is not a database/);
      expect(fs.readFileSync(fileIn(worlds), "utf8")).toBe(content);
    }
  });
});

describe("removal and replacement", () => {
  it("leave no file of a world, and never touch a newer version's file", () => {
    const worlds = newFolder();
    const files = filesOf(worlds);
    files.create("team", EPOCH);
    const db = open(files);
    db.handle.pragma(`user_version = ${migrations.length + 1}`);
    db.close();
    expect(() => files.remove("team")).toThrow(OtherVersionError);
    expect(() => files.create("team", EPOCH)).toThrow(OtherVersionError);
    files.create("other", EPOCH);
    files.remove("other");
    files.remove("never-there");
    expect([files.changedAt("never-there"), files.getBytes("never-there"), files.has("never-there")]).toEqual([
      ...[null, 0, false],
    ]);
    expect(fs.readdirSync(worlds)).toEqual([worldFileName("team")]);
  });
});
