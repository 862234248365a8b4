import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { exchangeRecord } from "../testing/exchanges.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { Database } from "./database.ts";
import { entryOf, type LogRow, LogStore } from "./log-store.ts";
import { RequestsStore } from "./requests-store.ts";

const folder = temporaryFolder();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const EPOCH = 1_768_000_000_000;
/** The id after which a log that is opened now goes on. */
const START = EPOCH * 1_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: EPOCH }));
afterEach(() => void vi.useRealTimers());

const open = (file = path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite")) => {
  const db = new Database(file, { durability: "off" });
  onTestFinished(() => db.close());
  if (db.epoch === 0) db.epoch = EPOCH;
  const log = new LogStore(db);
  const idsOf = (rows: readonly LogRow[]): number[] => rows.map(({ id }) => id - START);
  /** @returns the ids of so many entries more, counted from the start of the log */
  const add = (count = 1): number[] =>
    idsOf(Array.from({ length: count }, () => log.append(EPOCH + 1_250, "world", null, { what: "clock" })));
  const idsAfter = (id: number, limit = 100): number[] => idsOf(log.after(START + id, limit));
  return { file, db, log, add, idsOf, idsAfter, last: () => log.lastId() - START };
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
    const first = log.append(EPOCH + 1_250, "state", "trace", change);
    const second = log.append(EPOCH + 2_000, "world", null, { what: "policies" });
    const at = new Date(EPOCH + 1_250).toISOString();
    expect(entryOf(first)).toEqual({ id: START + 1, kind: "state", at, trace_id: "trace", data: change });
    expect(second).toMatchObject({ id: START + 2, kind: "world", trace_id: null, data: '{"what":"policies"}' });
    expect([log.after(0, 10), log.newest(10)]).toEqual([
      [first, second],
      [first, second],
    ]);
    expect([log.ofTrace("trace"), log.ofTrace("another")]).toEqual([[entryOf(first)], []]);
  });

  it("keeps an exchange once, and says of it what is known of it now", () => {
    const { db, log } = open();
    const requests = new RequestsStore(db);
    const exchange = exchangeRecord("one", { at: EPOCH + 5 });
    requests.insert(exchange);
    const published = log.append(EPOCH + 5, "request", "one", null);
    expect(JSON.parse(published.data)).toEqual(requests.ofTrace("one"));
    expect(db.get("SELECT data FROM log")).toEqual({ data: "null" });
    requests.annotate("one", { note: "why" });
    expect(log.ofTrace("one")).toMatchObject([{ kind: "request", data: { id: "one", note: "why" } }]);
  });

  it("numbers entries on without gaps, and is read and counted so many at a time after one of them", () => {
    const { log, add, idsOf, idsAfter, last } = open();
    expect(last()).toBe(0);
    expect(add(5)).toEqual([1, 2, 3, 4, 5]);
    expect([last(), idsAfter(0), idsAfter(2, 2), idsAfter(5)]).toEqual([5, [1, 2, 3, 4, 5], [3, 4], []]);
    expect([idsOf(log.newest(2)), log.countAfter(START + 2, 10), log.countAfter(START, 2)]).toEqual([[4, 5], 3, 2]);
  });

  it("never gives the id of an entry again that was undone", () => {
    const { db, add, idsAfter } = open();
    add();
    db.handle.exec("SAVEPOINT task");
    add(3);
    db.handle.exec("ROLLBACK TO task; RELEASE task");
    expect([add(), idsAfter(0)]).toEqual([[5], [1, 5]]);
  });

  it("never gives an id again, not even after everything was deleted and the file was closed", () => {
    const { file, db, add, idsAfter, last } = open();
    add(4);
    db.run("DELETE FROM log");
    expect([idsAfter(0), last()]).toEqual([[], 4]);
    db.close();
    vi.setSystemTime(EPOCH + 1);
    const again = open(file);
    expect([again.last(), again.add()]).toEqual([1_000, [1_001]]);
  });

  it("goes on after what the file holds where the clock was set back", () => {
    const before = open();
    before.add(3);
    before.db.close();
    vi.setSystemTime(EPOCH - 3_600_000);
    expect(open(before.file).add()).toEqual([4]);
  });
});

describe("what a reader must have seen to go on without a gap", () => {
  it("is nothing older than the world", () => {
    const { log, add } = open();
    expect(log.gaplessFrom()).toBe(START);
    add(2);
    expect(log.gaplessFrom()).toBe(START);
  });

  it("is the newest entry that was deleted, also when the file is opened again", () => {
    const { file, db, log, add } = open();
    add(6);
    log.noteTrimmed(START + 4);
    log.noteTrimmed(START + 2);
    expect(log.gaplessFrom()).toBe(START + 4);
    db.close();
    expect(open(file).log.gaplessFrom()).toBe(START + 4);
  });
});
