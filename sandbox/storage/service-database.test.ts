import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { FolderInUseError, NewerServiceDataError, ServiceDatabase, type WorldEntry } from "./service-database.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const newFile = (): string => path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite");
const open = (file = newFile()): ServiceDatabase => {
  const service = new ServiceDatabase(file);
  onTestFinished(() => service.close());
  return service;
};

describe("the service's own file", () => {
  const entry = (name: string, changes: Partial<WorldEntry> = {}): WorldEntry => ({
    name,
    created_at: 1_000,
    last_active_at: 2_000,
    pinned: false,
    settled: false,
    summary: null,
    ...changes,
  });

  it("keeps settings and worlds from one start to the next", () => {
    const file = newFile();
    const first = open(file);
    expect([first.setting("token"), first.worlds()]).toEqual([undefined, []]);
    first.setSetting("token", "a");
    first.setSetting("token", "b");
    const summary = { jobs: 1, procurements: 2, credentials: 3, subscriptions: 4, clock_offset: 5 };
    const upper = entry("Team", { pinned: true, settled: true, summary });
    first.saveWorlds([entry("team"), upper, entry("gone")]);
    first.saveWorlds([entry("team", { last_active_at: 9_000, pinned: true })], ["gone", "never there"]);
    first.close();

    const again = open(file);
    expect(again.setting("token")).toBe("b");
    expect(again.worlds()).toEqual([upper, entry("team", { last_active_at: 9_000, pinned: true })]);
  });

  it("keeps what is in each world, be it the same as in others or not", () => {
    const file = newFile();
    const first = open(file);
    const same = { jobs: 1, procurements: 0, credentials: 2, subscriptions: 0, clock_offset: 0 };
    const other = { ...same, jobs: 2 };
    const worlds = [same, null, same, other].map((summary, index) => entry(`world-${index}`, { summary }));
    first.saveWorlds(worlds);
    first.close();
    expect(open(file).worlds()).toEqual(worlds);
  });

  it("keeps when what waits in closed worlds is due, soonest first, and forgets it with the world", () => {
    const file = newFile();
    const first = open(file);
    first.setDue("b", 20);
    first.setDue("a", 30);
    first.setDue("c", 5);
    first.setDue("d", 1);
    first.setDue("a", 10);
    first.clearDue("c");
    first.saveWorlds([], ["d"]);
    first.close();
    expect(open(file).due()).toEqual([
      { name: "a", at: 10 },
      { name: "b", at: 20 },
    ]);
  });

  it("of the first version is read with everything in it", () => {
    const file = newFile();
    const old = new Sqlite(file);
    old.exec(
      `CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
       CREATE TABLE worlds (
         name TEXT PRIMARY KEY, created_at INTEGER NOT NULL, last_active_at INTEGER NOT NULL, pinned INTEGER NOT NULL DEFAULT 0
       ) STRICT, WITHOUT ROWID;
       CREATE TABLE due (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
       INSERT INTO settings VALUES ('control_token', 'kept');
       INSERT INTO worlds VALUES ('default', 1000, 2000, 0), ('team', 3000, 4000, 1);
       INSERT INTO due VALUES ('team', 5000);
       PRAGMA user_version = 1`,
    );
    old.close();
    const service = open(file);
    expect([service.setting("control_token"), service.due()]).toEqual(["kept", [{ name: "team", at: 5_000 }]]);
    expect(service.worlds()).toEqual([
      entry("default", { settled: true }),
      entry("team", { created_at: 3_000, last_active_at: 4_000, pinned: true, settled: true }),
    ]);
  });

  it("belongs to one service at a time, and to the next as soon as that one has ended", () => {
    const file = newFile();
    const first = open(file);
    expect(() => new ServiceDatabase(file)).toThrow(FolderInUseError);
    first.setSetting("still", "works");
    first.close();
    expect(open(file).setting("still")).toBe("works");
  });

  it("is refused untouched when a newer version wrote it, also when that was killed and left a log behind", () => {
    const file = newFile();
    open(file).close();
    const newer = new Sqlite(file);
    onTestFinished(() => void newer.close());
    newer.pragma("user_version = 1000");
    newer.exec("INSERT INTO settings VALUES ('of the', 'future')");
    const killed = newFile();
    for (const suffix of ["", "-wal"]) fs.copyFileSync(file + suffix, killed + suffix);
    newer.close();
    const whole = (of: string) =>
      ["", "-wal"].map((suffix) => fs.existsSync(of + suffix) && fs.readFileSync(of + suffix, "hex"));
    for (const left of [file, killed]) {
      const before = whole(left);
      expect(() => new ServiceDatabase(left)).toThrow(NewerServiceDataError);
      expect(whole(left)).toEqual(before);
    }
    expect(fs.readdirSync(path.dirname(file)).filter((name) => name !== path.basename(file))).toEqual([]);
  });

  it("is no database when something else lies there, and that is left as it is", () => {
    const file = newFile();
    fs.writeFileSync(file, "something else that is long enough to have a header ".repeat(10));
    expect(() => new ServiceDatabase(file)).toThrow(/not a database/);
    expect(fs.readFileSync(file, "utf8")).toMatch(/^something else/);
  });
});
