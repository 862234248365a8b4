import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { worldFileName } from "../rules/world-name.ts";
import { type Database, NewerDataError } from "../storage/database.ts";
import { migrations } from "../storage/migrations/index.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { buildSeedWorld } from "./seed/seed-world.ts";
import { ensureTemplate } from "./template.ts";
import { type OpenedFile, WorldFiles } from "./world-files.ts";

const EPOCH = Date.UTC(2026, 0, 15, 12);
const folder = temporaryFolder();
let template: string;
beforeAll(() => {
  template = ensureTemplate(folder, null);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const newFolder = (): string => fs.mkdtempSync(path.join(folder, "worlds-"));
const fileIn = (worlds: string, name = "team"): string => path.join(worlds, worldFileName(name));
/** What a process finds that starts on a folder. */
const filesOf = (worlds: string): WorldFiles => new WorldFiles(worlds, template, { durability: "full" });

const open = (files: WorldFiles, kept = false, epoch = EPOCH): OpenedFile => {
  const opened = files.open("team", epoch, kept);
  onTestFinished(() => opened.db.close());
  return opened;
};
const mark = (db: Database): void => void db.run("INSERT INTO meta (key, value) VALUES ('mark', 'made')");
const isMarked = (db: Database): boolean => db.get("SELECT 1 FROM meta WHERE key = 'mark'") !== undefined;
const jobsIn = (db: Database): unknown => db.get("SELECT count(*) AS n FROM jobs");
const seeded = { n: buildSeedWorld().jobs.length };

/** A folder as a process leaves it that was killed while it had the world open. */
const killed = (worlds: string): string => {
  const left = newFolder();
  for (const name of fs.readdirSync(worlds)) fs.copyFileSync(path.join(worlds, name), path.join(left, name));
  return left;
};
/** What a call answers, or the error it fails with. */
const attempt = (call: () => unknown): unknown => {
  try {
    return call();
  } catch (error) {
    return error;
  }
};
const digest = (file: string): string => createHash("sha256").update(fs.readFileSync(file)).digest("hex");

describe("a world's file", () => {
  it("D83: is a copy of the template, dated as it is told, and nothing lies beside it once it is closed", () => {
    const worlds = newFolder();
    const files = filesOf(worlds);
    const { db, fresh } = open(files);
    expect([fresh, db.epoch, jobsIn(db)]).toEqual([true, EPOCH, seeded]);
    db.close();
    const again = open(files, false, EPOCH + 1);
    expect([again.fresh, again.db.epoch]).toEqual([false, EPOCH]);
    again.db.close();
    expect(fs.readdirSync(worlds)).toEqual([worldFileName("team")]);
  });

  it("holds what the template holds, whatever the date of the copy before", () => {
    const worlds = newFolder();
    const files = filesOf(worlds);
    files.open("one", EPOCH, false).db.close();
    const other = files.open("other", EPOCH + 12_345, false).db;
    onTestFinished(() => other.close());
    expect(other.epoch).toBe(EPOCH + 12_345);
    expect(files.look().names.toSorted()).toEqual(["one", "other"]);
    const untouched = new Set(fs.readFileSync(template).toString("latin1").split("epoch0000000000000"));
    expect(untouched.size).toBe(2);
  });

  it("is brought to the disk once, before the first change that waits for it", () => {
    const { db } = open(filesOf(newFolder()));
    expect(db.settled).toBe(false);
    db.settle();
    expect([db.settled, db.handle.pragma("synchronous", { simple: true })]).toEqual([true, 2]);
    const writes = db.writes;
    db.settle();
    expect(db.writes).toBe(writes);
  });

  it("that somebody copied from the template by hand is dated when it is opened", () => {
    const worlds = newFolder();
    fs.copyFileSync(template, fileIn(worlds));
    const { db, fresh } = open(filesOf(worlds));
    expect([fresh, db.epoch > EPOCH, jobsIn(db)]).toEqual([false, true, seeded]);
  });
});

describe("after a crash", () => {
  it("what was not acknowledged but came to the file is still there", () => {
    const worlds = newFolder();
    const { db } = open(filesOf(worlds));
    mark(db);
    const left = filesOf(killed(worlds));
    expect(left.look()).toEqual({ names: ["team"], crashed: ["team"] });
    const after = open(left);
    expect([after.fresh, after.db.epoch, isMarked(after.db)]).toEqual([false, EPOCH, true]);
  });

  it("a copy that was never finished is cleared away", () => {
    const worlds = newFolder();
    const unfinished = `${fileIn(worlds)}.new`;
    fs.writeFileSync(unfinished, "half a cop");
    const files = filesOf(worlds);
    expect([files.look(), fs.existsSync(unfinished)]).toEqual([{ names: [], crashed: [] }, false]);
    fs.writeFileSync(unfinished, "half a cop");
    expect(jobsIn(open(files).db)).toEqual(seeded);
  });

  const torn: readonly [string, (bytes: Buffer) => Buffer][] = [
    ["has no content", () => Buffer.alloc(0)],
    ["has lost its end", (bytes) => bytes.subarray(0, bytes.length / 2)],
    ["has lost its beginning", (bytes) => Buffer.concat([Buffer.alloc(8_192), bytes.subarray(8_192)])],
    ["has lost pages in its middle", (bytes) => Buffer.from(bytes).fill(0, 65_536, 131_072)],
  ];
  for (const [how, tear] of torn) {
    it(`a copy that ${how}, in which nothing was acknowledged, is made anew`, () => {
      const worlds = newFolder();
      filesOf(worlds)
        .open("team", EPOCH - 1, false)
        .db.close();
      fs.writeFileSync(fileIn(worlds), tear(fs.readFileSync(fileIn(worlds))));
      const { db, fresh } = open(filesOf(worlds));
      expect([fresh, db.epoch, jobsIn(db), db.isSound()]).toEqual([true, EPOCH, seeded, true]);
    });

    it(`a file that ${how} is never replaced when something in it is known to have been acknowledged`, () => {
      const worlds = newFolder();
      const { db } = filesOf(worlds).open("team", EPOCH, false);
      db.settle();
      db.close();
      fs.writeFileSync(fileIn(worlds), tear(fs.readFileSync(fileIn(worlds))));
      const before = digest(fileIn(worlds));
      const opening = () => open(filesOf(worlds), true).fresh;
      if (how === "has no content" || how === "has lost its beginning") expect(opening).toThrow(/is not a database/);
      else expect(attempt(opening)).not.toBe(true);
      expect(digest(fileIn(worlds))).toBe(before);
    });
  }
});

describe("what is no world's file", () => {
  it("is never replaced, whatever it is", () => {
    for (const content of [
      "something else, and long enough to be looked at. ".repeat(100),
      "short",
      "x".repeat(8_192),
    ]) {
      const worlds = newFolder();
      fs.writeFileSync(fileIn(worlds), content);
      expect(() => open(filesOf(worlds))).toThrow(/is not a database/);
      expect(fs.readFileSync(fileIn(worlds), "utf8")).toBe(content);
    }
  });
});

describe("removing and copying", () => {
  it("leaves nothing of a world behind, and never removes a newer version's file", () => {
    const worlds = newFolder();
    const files = filesOf(worlds);
    const { db } = open(files);
    db.handle.pragma(`user_version = ${migrations.length + 1}`);
    db.close();
    expect(() => files.remove("team")).toThrow(NewerDataError);
    expect(files.has("team")).toBe(true);
    const other = files.open("other", EPOCH, false).db;
    mark(other);
    other.close();
    files.remove("other");
    files.remove("never there");
    expect(fs.readdirSync(worlds)).toEqual([worldFileName("team")]);
  });

  it("copies a world as it is now, with what is only in its log", () => {
    const files = filesOf(newFolder());
    const { db } = open(files);
    mark(db);
    files.copy(db, "copied");
    const { db: copied, fresh } = files.open("copied", EPOCH + 1, false);
    onTestFinished(() => copied.close());
    expect([fresh, isMarked(copied), copied.epoch]).toEqual([false, true, EPOCH]);
  });
});
