import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { DeliveryRow } from "../contract/control/rows.ts";
import type { LiveEntry } from "../contract/live.ts";
import { exchangeRecord } from "../testing/exchanges.ts";
import { Database } from "./database.ts";
import { LogStore, type Told } from "./log-store.ts";
import { RequestsStore } from "./requests-store.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const EPOCH = 1_768_000_000_000;
/** The place from which a log that is opened now goes on. */
const START = EPOCH * 1_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: EPOCH }));
afterEach(() => void vi.useRealTimers());

const clock: Told = { kind: "world", data: { what: "clock" } };
const open = (file = path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite")) => {
  const db = new Database(file, { durability: "off" });
  onTestFinished(() => db.close());
  if (db.epoch === 0) db.epoch = EPOCH;
  const log = new LogStore(db);
  const requests = new RequestsStore(db);
  /** So many mutations, each telling so many entries. @returns their ids, counted from the start of the log */
  const add = (count = 1, entries = 1): number[] =>
    Array.from({ length: count }, () => log.append(EPOCH + 1_250, null, Array<Told>(entries).fill(clock)))
      .flat()
      .map(({ id }) => id - START);
  /** An exchange at the next place. */
  const exchange = (id: string): number => {
    const seq = log.take();
    requests.insert(exchangeRecord(id, { seq, at: EPOCH + 1_250 }));
    return seq - START;
  };
  const idsOf = (entries: readonly LiveEntry[]): number[] => entries.map(({ id }) => id - START);
  const idsAfter = (id: number, rows = 100): number[] => idsOf(log.page(START + id, rows).entries);
  return { file, db, log, requests, add, exchange, idsOf, idsAfter, last: () => log.lastId() - START };
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
    const first = log.append(EPOCH + 1_250, "trace", [{ kind: "state", data: change }]);
    const second = log.append(EPOCH + 2_000, null, [{ kind: "world", data: { what: "policies" } }, clock]);
    expect(first).toEqual([
      { id: START + 1, kind: "state", at: new Date(EPOCH + 1_250).toISOString(), trace_id: "trace", data: change },
    ]);
    expect(second).toMatchObject([
      { id: START + 2, kind: "world", trace_id: null, data: { what: "policies" } },
      { id: START + 3, kind: "world", trace_id: null, data: { what: "clock" } },
    ]);
    expect(log.page(0, 10).entries).toEqual([...first, ...second]);
    expect(log.newest(10)).toEqual([...first, ...second]);
    expect(log.ofTrace("trace")).toEqual(first);
    expect(log.ofTrace("another")).toEqual([]);
  });

  it("numbers entries on without gaps, and is read so many rows at a time after one of them", () => {
    const { add, idsAfter, last } = open();
    expect(last()).toBe(0);
    expect(add(5)).toEqual([1, 2, 3, 4, 5]);
    expect([last(), idsAfter(0), idsAfter(2, 2), idsAfter(5), idsAfter(99)]).toEqual([
      5,
      [1, 2, 3, 4, 5],
      [3, 4],
      [],
      [],
    ]);
  });

  it("goes on in the middle of what one mutation told", () => {
    const { log, add, idsAfter, idsOf } = open();
    expect(add(2, 3)).toEqual([1, 2, 3, 4, 5, 6]);
    for (let id = 0; id <= 6; id += 1) {
      expect(idsAfter(id)).toEqual([1, 2, 3, 4, 5, 6].slice(id));
      expect(idsAfter(id, 1)).toEqual([1, 2, 3, 4, 5, 6].slice(id, id < 3 ? 3 : 6));
    }
    expect([idsOf(log.newest(2)), idsOf(log.newest(4))]).toEqual([
      [5, 6],
      [3, 4, 5, 6],
    ]);
  });

  it("tells exchanges among what mutations told, each as it is listed", () => {
    const { log, requests, add, exchange, idsAfter, idsOf } = open();
    add(1, 2);
    expect(exchange("first")).toBe(3);
    add();
    exchange("second");
    expect([idsAfter(0), idsAfter(2), idsAfter(2, 1), idsOf(log.newest(3))]).toEqual([
      [1, 2, 3, 4, 5],
      [3, 4, 5],
      [3],
      [3, 4, 5],
    ]);
    const [second, first] = requests.list({ limit: 2 }).rows;
    expect(log.page(START + 2, 10).entries.filter(({ kind }) => kind === "request")).toEqual([
      { id: START + 3, kind: "request", at: first?.at, trace_id: "first", data: first },
      { id: START + 5, kind: "request", at: second?.at, trace_id: "second", data: second },
    ]);
  });

  it("tells an exchange that is written later in its place", () => {
    const { log, requests, add, idsAfter } = open();
    const seq = log.take();
    add();
    expect(idsAfter(0)).toEqual([2]);
    requests.insert(exchangeRecord("late", { seq }));
    expect(idsAfter(0)).toEqual([1, 2]);
  });

  it("never gives the id of an entry again that was undone", () => {
    const { db, add, idsAfter } = open();
    add();
    db.handle.exec("SAVEPOINT task");
    add(3);
    db.handle.exec("ROLLBACK TO task; RELEASE task");
    expect([add(), idsAfter(0)]).toEqual([[5], [1, 5]]);
  });

  it("never gives an id again, not even after everything was forgotten and the file was closed", () => {
    const { file, db, add, idsAfter, last } = open();
    add(4);
    db.run("DELETE FROM log");
    expect([idsAfter(0), last()]).toEqual([[], 4]);
    db.close();
    vi.setSystemTime(EPOCH + 1);
    const again = open(file);
    expect([again.last(), again.add()]).toEqual([1_000, [1_001]]);
  });

  it("goes on after what the file holds where the clock was set back, be it of a mutation or an exchange", () => {
    for (const newest of ["mutation", "exchange"]) {
      vi.setSystemTime(EPOCH);
      const before = open();
      before.add(3);
      if (newest === "exchange") before.exchange("a");
      const last = before.last();
      before.db.close();
      vi.setSystemTime(EPOCH - 3_600_000);
      expect(open(before.file).add()).toEqual([last + 1]);
    }
  });
});

describe("what a reader must have seen to go on without a gap", () => {
  it("is nothing older than the world", () => {
    const { log, add } = open();
    expect(log.gaplessFrom()).toBe(START);
    add(2);
    expect(log.gaplessFrom()).toBe(START);
  });

  it("is the newest of what was lost, also when the file is opened again once that was written down", () => {
    const { file, db, log, add } = open();
    add(6);
    log.lose(START + 4);
    log.lose(START + 2);
    expect(log.gaplessFrom()).toBe(START + 4);
    log.noteLost();
    db.close();
    const again = open(file);
    expect(again.log.gaplessFrom()).toBe(START + 4);
    again.log.lose(START + 3);
    again.log.noteLost();
    expect(again.log.gaplessFrom()).toBe(START + 4);
    again.db.close();
    expect(open(file).log.gaplessFrom()).toBe(START + 4);
  });
});

describe("a page of the log", () => {
  it("ends where one of its two tables was not read any further, so that nothing between is left out", () => {
    const { log, add, exchange, idsOf } = open();
    for (let count = 0; count < 5; count += 1) exchange(`early ${count}`);
    add(5);
    exchange("late");
    const pages: [number[], number | null][] = [];
    for (let id: number | null = START; id !== null; ) {
      const { entries, through } = log.page(id, 2);
      pages.push([idsOf(entries), through === null ? null : through - START]);
      id = through;
    }
    expect(pages).toEqual([
      [[1, 2], 2],
      [[3, 4], 4],
      [[5, 6, 7], 7],
      [[8, 9], 9],
      [[10, 11], null],
    ]);
  });

  it("says how far it was read also where nothing is left to tell of it", () => {
    const { log, add } = open();
    const gone: Told = {
      kind: "delivery",
      // Of a delivery that ended with its subscription.
      data: { id: "gone", status: "pending", trace_id: "t" } as DeliveryRow,
    };
    const [last] = [log.append(EPOCH, null, [gone]), log.append(EPOCH, null, [gone])].flat().slice(-1);
    add();
    expect(log.page(START, 2)).toEqual({ entries: [], through: last?.id });
    expect(log.page(last?.id ?? 0, 2)).toMatchObject({ entries: [{ id: START + 3 }], through: null });
  });
});

describe("how many rows follow an id", () => {
  it("is counted in both tables, as far as somebody wants to know", () => {
    const { log, add, exchange } = open();
    add(3, 2);
    exchange("a");
    expect([0, 2, 3, 6, 7].map((id) => log.rowsAfter(START + id, 100))).toEqual([4, 3, 3, 1, 0]);
    expect([log.rowsAfter(START, 4), log.rowsAfter(START, 2)]).toEqual([4, 2]);
  });
});
