import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { FolderInUseError, NewerServiceDataError, ServiceDatabase } from "./service-database.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const newFile = (): string => path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite");
const open = (file = newFile()): ServiceDatabase => {
  const service = new ServiceDatabase(file);
  onTestFinished(() => service.close());
  return service;
};

describe("the service's own file", () => {
  it("keeps settings and worlds from one start to the next", () => {
    const file = newFile();
    const first = open(file);
    expect([first.setting("token"), first.worlds()]).toEqual([undefined, []]);
    first.setSetting("token", "a");
    first.setSetting("token", "b");
    first.saveWorld({ name: "team", created_at: 1_000, last_active_at: 2_000, pinned: false });
    first.saveWorld({ name: "Team", created_at: 3_000, last_active_at: 4_000, pinned: true });
    first.saveWorld({ name: "team", created_at: 1_000, last_active_at: 9_000, pinned: true });
    first.saveWorld({ name: "gone", created_at: 1, last_active_at: 1, pinned: false });
    first.removeWorld("gone");
    first.close();

    const again = open(file);
    expect(again.setting("token")).toBe("b");
    expect(again.worlds()).toEqual([
      { name: "Team", created_at: 3_000, last_active_at: 4_000, pinned: true },
      { name: "team", created_at: 1_000, last_active_at: 9_000, pinned: true },
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

  it("is refused untouched when a newer version wrote it", () => {
    const file = newFile();
    open(file).close();
    const newer = new Sqlite(file);
    newer.pragma("user_version = 1000");
    newer.close();
    const before = fs.readFileSync(file);
    expect(() => new ServiceDatabase(file)).toThrow(NewerServiceDataError);
    expect(fs.readFileSync(file).equals(before)).toBe(true);
    expect(fs.readdirSync(path.dirname(file)).filter((name) => name !== path.basename(file))).toEqual([]);
  });

  it("is no database when something else lies there, and that is left as it is", () => {
    const file = newFile();
    fs.writeFileSync(file, "something else that is long enough to have a header ".repeat(10));
    expect(() => new ServiceDatabase(file)).toThrow(/not a database/);
    expect(fs.readFileSync(file, "utf8")).toMatch(/^something else/);
  });
});
