import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { OtherVersionError } from "./migrate.ts";
import { FolderInUseError, ServiceDatabase, type WorldEntry } from "./service-database.ts";

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
    due_at: null,
    closed: null,
    ...changes,
  });

  it("keeps settings and worlds between starts", () => {
    const file = newFile();
    const first = open(file);
    expect([first.setting("token"), first.worlds()]).toEqual([undefined, []]);
    first.setSetting("token", "a");
    first.setSetting("token", "b");
    const summary = {
      jobs: 1,
      procurements: 2,
      credentials: 3,
      subscriptions: 4,
      clock_offset: 5,
      last_called_at: null,
    };
    const upper = entry("Team", { pinned: true, due_at: 7, closed: { summary, changed_at: 1.5 } });
    first.saveWorlds([entry("team"), upper, entry("gone")], [], true);
    first.saveWorlds([entry("team", { last_active_at: 9_000, pinned: true })], ["gone", "never there"], false);
    first.close();

    const again = open(file);
    expect(again.setting("token")).toBe("b");
    expect(again.worlds()).toEqual([upper, entry("team", { last_active_at: 9_000, pinned: true })]);
  });

  it("belongs to one service at a time, and is free when that ends", () => {
    const file = newFile();
    const first = open(file);
    expect(() => new ServiceDatabase(file)).toThrow(FolderInUseError);
    first.setSetting("still", "works");
    first.close();
    expect(open(file).setting("still")).toBe("works");
  });

  it("of a newer version is refused and unchanged, even if killed with a log", () => {
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
      expect(() => new ServiceDatabase(left)).toThrow(OtherVersionError);
      expect(whole(left)).toEqual(before);
    }
    expect(fs.readdirSync(path.dirname(file)).filter((name) => name !== path.basename(file))).toEqual([]);
  });

  it("isn't opened if another file has its place, which stays unchanged", () => {
    const file = newFile();
    fs.writeFileSync(file, "something else that is long enough to have a header ".repeat(10));
    expect(() => new ServiceDatabase(file)).toThrow(/not a database/);
    expect(fs.readFileSync(file, "utf8")).toMatch(/^something else/);
  });
});
