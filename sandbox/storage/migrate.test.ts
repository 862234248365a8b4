import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { databaseBytes, newFile, openDatabase, schemaVersion, tableNames } from "../testing/database-files.ts";
import { APPLICATION_ID, fileVersion, migrate, OtherVersionError } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";

const others = {
  newer: { application: APPLICATION_ID, version: migrations.length + 1 },
  earlier: { application: 0, version: 9 },
} as const;

describe.each(["newer", "earlier"] as const)("a file from a version that is %s", (age) => {
  /** A closed file of that version, in WAL mode or in SQLite's default journal mode. */
  const other = (mode: "wal" | "delete"): string => {
    const file = newFile();
    const handle = new Sqlite(file);
    handle.pragma(`journal_mode = ${mode}`);
    handle.exec("CREATE TABLE of_the_future (x); INSERT INTO of_the_future VALUES (1)");
    handle.pragma(`application_id = ${others[age].application}`);
    handle.pragma(`user_version = ${others[age].version}`);
    handle.close();
    return file;
  };

  it("is refused with a sentence and a remedy", () => {
    const file = other("wal");
    expect(() => openDatabase(file)).toThrow(OtherVersionError);
    expect(() => openDatabase(file)).toThrow(
      age === "newer"
        ? `${file} was written by a newer version of Integrations Explorer. Update Integrations Explorer, or choose another data folder.`
        : `${file} was made by an earlier build of Integrations Explorer, which this one does not read. Move it away, or choose another data folder.`,
    );
  });

  it("stays unchanged, without a log beside it", () => {
    for (const mode of ["wal", "delete"] as const) {
      const file = other(mode);
      const before = databaseBytes(file);
      expect(() => openDatabase(file)).toThrow(OtherVersionError);
      expect(databaseBytes(file)).toEqual(before);
      expect(fs.readdirSync(path.dirname(file)).filter((name) => name !== path.basename(file))).toEqual([]);
    }
  });

  it("stays unchanged even with the log of a killed program", () => {
    const living = other("wal");
    const handle = new Sqlite(living);
    onTestFinished(() => void handle.close());
    handle.exec("INSERT INTO of_the_future VALUES (2)");
    const file = newFile();
    for (const suffix of ["", "-wal"]) fs.copyFileSync(living + suffix, file + suffix);
    const before = databaseBytes(file);
    expect(before[1]).toBeDefined();
    expect(() => openDatabase(file)).toThrow(OtherVersionError);
    expect(databaseBytes(file)).toEqual(before);
  });

  it("is released, so that it can be moved or deleted", () => {
    const file = other("delete");
    expect(() => openDatabase(file)).toThrow(OtherVersionError);
    const mover = new Sqlite(file, { timeout: 0 });
    onTestFinished(() => void mover.close());
    expect(() => mover.exec("BEGIN EXCLUSIVE; COMMIT")).not.toThrow();
  });
});

describe("an unreadable file", () => {
  it("is reported as not a database, unless there is another reason", () => {
    const folderThere = path.dirname(newFile());
    expect(fileVersion(folderThere)).toBe(0);
    fs.writeFileSync(`${folderThere}-wal`, "x");
    expect(fileVersion(folderThere)).toBe(0);
    const file = newFile();
    fs.writeFileSync(file, "x");
    const spy = vi.spyOn(fs, "openSync");
    onTestFinished(() => spy.mockRestore());
    const failWith = (code: string) =>
      spy.mockImplementationOnce(() => {
        throw Object.assign(new Error(code), { code });
      });
    failWith("EACCES");
    expect(fileVersion(file)).toBe(0);
    failWith("EMFILE");
    expect(() => fileVersion(file)).toThrow("EMFILE");
  });

  it("leaves no open descriptor", () => {
    const close = vi.spyOn(fs, "closeSync");
    onTestFinished(() => close.mockRestore());
    fileVersion(path.dirname(newFile()));
    expect(close).toHaveBeenCalledOnce();
  });
});

describe("migrations", () => {
  const steps = ["CREATE TABLE one (x)", "CREATE TABLE two (x); INSERT INTO one VALUES (2)", "CREATE TABLE three (x)"];
  const memory = (): Sqlite.Database => {
    const handle = new Sqlite(":memory:");
    onTestFinished(() => void handle.close());
    return handle;
  };

  it("run in order, each once, starting from the file's version", () => {
    const handle = memory();
    migrate(handle, steps.slice(0, 1));
    expect([schemaVersion(handle), tableNames(handle)]).toEqual([1, ["one"]]);
    migrate(handle, steps);
    migrate(handle, steps);
    expect([schemaVersion(handle), tableNames(handle)]).toEqual([3, ["one", "three", "two"]]);
    expect(handle.prepare("SELECT x FROM one").pluck().all()).toEqual([2]);
  });

  it("run completely or not at all", () => {
    const handle = memory();
    migrate(handle, steps.slice(0, 1));
    expect(() => migrate(handle, [...steps, "CREATE TABLE four (x); CREATE TABLE four (x)"])).toThrow(/four/);
    expect([schemaVersion(handle), tableNames(handle)]).toEqual([1, ["one"]]);
  });

  it("never run on a newer file", () => {
    const handle = memory();
    handle.pragma(`application_id = ${APPLICATION_ID}`);
    handle.pragma("user_version = 4");
    expect(() => migrate(handle, steps)).toThrow(OtherVersionError);
    expect([schemaVersion(handle), tableNames(handle)]).toEqual([4, []]);
  });
});
