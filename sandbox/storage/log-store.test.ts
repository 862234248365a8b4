import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { Database } from "./database.ts";
import { LogStore } from "./log-store.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const EPOCH = 1_768_000_000_000;
const open = (file = path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite")) => {
  const db = new Database(file, { durability: "off" });
  onTestFinished(() => db.close());
  if (db.epoch === 0) db.epoch = EPOCH;
  const log = new LogStore(db);
  const add = (count = 1, traceId: string | null = null): number[] =>
    Array.from({ length: count }, () => log.append("world", EPOCH + 1_250, traceId, { what: "clock" }).id);
  const idsAfter = (id: number, limit = 100): number[] => log.after(id, limit).map((entry) => entry.id);
  return { file, db, log, add, idsAfter };
};

describe("a world's log", () => {
  it("gives back the entries it was given, in order", () => {
    const { log } = open();
    const change = {
      entity: "job",
      id: "j",
      label: "T-1 😀",
      change: "updated",
      job_id: "j",
      before: { a: [1, null] },
      after: {},
    } as const;
    const first = log.append("state", EPOCH + 1_250, "trace", change);
    const second = log.append("world", EPOCH + 2_000, null, { what: "policies" });
    expect(first).toEqual({
      id: 1,
      kind: "state",
      at: new Date(EPOCH + 1_250).toISOString(),
      trace_id: "trace",
      data: change,
    });
    expect(log.after(0, 10)).toEqual([first, second]);
    expect(log.ofTrace("trace")).toEqual([first]);
    expect(log.ofTrace("another")).toEqual([]);
  });

  it("numbers entries from 1 without gaps, and shows at most so many after one of them", () => {
    const { log, add, idsAfter } = open();
    expect(log.lastId()).toBe(0);
    expect(add(5)).toEqual([1, 2, 3, 4, 5]);
    expect([log.lastId(), idsAfter(0), idsAfter(2, 2), idsAfter(5), idsAfter(99)]).toEqual([
      5,
      [1, 2, 3, 4, 5],
      [3, 4],
      [],
      [],
    ]);
  });

  it("leaves no gap where an entry was undone", () => {
    const { db, add, idsAfter } = open();
    add();
    db.handle.exec("SAVEPOINT task");
    add(3);
    db.handle.exec("ROLLBACK TO task; RELEASE task");
    expect([add(), idsAfter(0)]).toEqual([[2], [1, 2]]);
  });

  it("never uses an id again, not even after everything was forgotten and the file was closed", () => {
    const { file, db, log, add, idsAfter } = open();
    add(4);
    log.trimBefore(3);
    expect([idsAfter(0), log.lastId()]).toEqual([[3, 4], 4]);
    log.trimBefore(100);
    expect([idsAfter(0), log.lastId()]).toEqual([[], 4]);
    db.close();
    const again = open(file);
    expect([again.log.lastId(), again.add()]).toEqual([4, [5]]);
  });

  it("goes on after the id it is told to, whether or not it has had entries", () => {
    const fresh = open();
    fresh.log.continueAfter(41);
    expect([fresh.log.lastId(), fresh.add()]).toEqual([41, [42]]);
    const used = open();
    used.add(3);
    used.log.continueAfter(10);
    expect([used.log.lastId(), used.add(), used.idsAfter(0)]).toEqual([10, [11], [1, 2, 3, 11]]);
  });
});
