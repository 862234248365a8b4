import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { LiveEntry } from "../contract/live.ts";
import { exchangeRecord } from "../testing/exchanges.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { attempt, delivered, event, retryOutcome } from "../testing/outbox.ts";
import { Database } from "./database.ts";
import { openStores } from "./stores.ts";

const folder = temporaryFolder();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const EPOCH = 1_768_000_000_000;
/** ID before the first entry of a log opened now. */
const START = EPOCH * 1_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: EPOCH }));
afterEach(() => void vi.useRealTimers());

const open = (file = path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite")) => {
  const db = new Database(file, { durability: "off" });
  onTestFinished(() => db.close());
  if (db.epoch === 0) db.epoch = EPOCH;
  const stores = openStores(db);
  const { log } = stores;
  const idsOf = (entries: readonly LiveEntry[]): number[] => entries.map(({ id }) => id - START);
  /** Appends entries. @returns their IDs, relative to the start of the log */
  const add = (count = 1): number[] =>
    Array.from({ length: count }, () => {
      log.append(EPOCH + 1_250, "world", null, { what: "clock" });
      return log.lastId() - START;
    });
  const idsAfter = (id: number, limit = 100): number[] => idsOf(log.after(START + id, limit));
  return { file, db, log, stores, add, idsOf, idsAfter, last: () => log.lastId() - START };
};

const job = { entity: "job", id: "j", label: "T-1 😀", change: "updated", job_id: "j" } as const;

describe("a world's log", () => {
  it("returns its entries in order", () => {
    const { log } = open();
    const change = { ...job, before: { a: [1, null], b: "same" }, after: { a: [2], b: "same" } };
    log.append(EPOCH + 1_250, "state", "trace", change);
    log.append(EPOCH + 2_000, "world", null, { what: "policies" });
    const at = (after: number) => new Date(EPOCH + after).toISOString();
    const first = { id: START + 1, kind: "state", at: at(1_250), trace_id: "trace", data: change };
    const second = { id: START + 2, kind: "world", at: at(2_000), trace_id: null, data: { what: "policies" } };
    expect([log.after(0, 10), log.newest(10)]).toEqual([
      [first, second],
      [first, second],
    ]);
    expect([log.listByTrace("trace"), log.listByTrace("another")]).toEqual([[first], []]);
  });

  it("stores only the difference of a change, and the call's response once", () => {
    const { db, log, stores } = open();
    const after = { id: "j", plate: "new", images: ["x".repeat(500)] };
    const change = { ...job, before: { ...after, plate: "old" }, after };
    log.append(EPOCH, "state", "answered", change, true);
    stores.requests.insert(exchangeRecord("answered", { response_body: Buffer.from(JSON.stringify(after)) }));
    log.append(EPOCH, "state", "not answered", { ...change, before: null });
    log.append(EPOCH, "state", "deleted", { ...job, change: "deleted", before: after, after: null });
    const kept = db.all<{ bytes: number }>("SELECT octet_length(data) AS bytes FROM log ORDER BY seq");
    expect(kept.map(({ bytes }) => bytes < 200)).toEqual([true, false, false]);
    expect(log.after(0, 1)).toMatchObject([{ kind: "state", data: change }]);
    expect(log.listByTrace("not answered")).toMatchObject([{ data: { before: null, after } }]);
    expect(log.listByTrace("deleted")).toMatchObject([{ data: { before: after, after: null } }]);
  });

  it("shares one sequence with calls, events, deliveries and attempts, each listed once", () => {
    const { db, log, stores } = open();
    const { requests, outbox, subscriptions } = stores;
    subscriptions.insert({ id: "s", integration_id: "i", url: "http://127.0.0.1/s", created_at: EPOCH });
    const change = { ...job, before: null, after: null };
    log.append(EPOCH, "state", "call", change);
    const event_seq = outbox.insertEvent({ ...event, trace_id: "call" }, 1);
    const made = { event_seq, message_id: "m", subscription_id: "s", created_at: EPOCH, repeats_id: null };
    outbox.insertDelivery({ id: "d", ...made });
    requests.insert(exchangeRecord("call", { at: EPOCH + 5, duration_ms: 2 }));
    const failed = retryOutcome(EPOCH + 60_000);
    const waiting = outbox.delivery("d");
    const again = waiting && outbox.recordAttempt(waiting, attempt, failed);
    requests.insert(exchangeRecord("read", { at: EPOCH + 10 }));
    if (again) outbox.recordAttempt(again, { ...attempt, number: 2, response_status: 200 }, delivered);
    requests.annotate("call", { note: "why" });
    const entries = log.after(START, 100);
    expect(entries.map(({ id, kind, trace_id }) => [id - START, kind, trace_id])).toEqual([
      [1, "state", "call"],
      [2, "event", "call"],
      [3, "delivery", "call"],
      [4, "request", "call"],
      [5, "delivery", "call"],
      [6, "request", "read"],
      [7, "delivery", "call"],
    ]);
    const states = entries.flatMap((entry) => (entry.kind === "delivery" ? [entry.data] : []));
    expect(states.map(({ status, attempts_made, last_status }) => [status, attempts_made, last_status])).toEqual([
      ["pending", 0, null],
      ["pending", 1, 503],
      ["delivered", 2, 200],
    ]);
    // An entry of a call shows the call's current state.
    expect(entries[3]).toMatchObject({ at: new Date(EPOCH + 7).toISOString(), data: { id: "call", note: "why" } });
    expect(log.after(START + 3, 2)).toEqual(entries.slice(3, 5));
    expect(log.newest(3)).toEqual(entries.slice(-3));
    expect(log.countAfter(START + 2, 100)).toBe(5);
    expect(db.get("SELECT count(*) AS n FROM log")).toEqual({ n: 1 });
  });

  it("numbers entries without gaps, and reads and counts a limited number after one", () => {
    const { log, add, idsOf, idsAfter, last } = open();
    expect(last()).toBe(0);
    expect(add(5)).toEqual([1, 2, 3, 4, 5]);
    expect([last(), idsAfter(0), idsAfter(2, 2), idsAfter(5)]).toEqual([5, [1, 2, 3, 4, 5], [3, 4], []]);
    expect([idsOf(log.newest(2)), log.countAfter(START + 2, 10), log.countAfter(START, 2)]).toEqual([[4, 5], 3, 2]);
  });

  it("never reuses the ID of an undone entry", () => {
    const { db, add, idsAfter } = open();
    add();
    db.handle.exec("SAVEPOINT task");
    add(3);
    db.handle.exec("ROLLBACK TO task; RELEASE task");
    expect([add(), idsAfter(0)]).toEqual([[5], [1, 5]]);
  });

  it("never reuses an ID, even after all was deleted and the file closed", () => {
    const { file, db, add, idsAfter, last } = open();
    add(4);
    db.run("DELETE FROM log");
    expect([idsAfter(0), last()]).toEqual([[], 4]);
    db.close();
    vi.setSystemTime(EPOCH + 1);
    const again = open(file);
    expect([again.last(), again.add()]).toEqual([1_000, [1_001]]);
  });

  it("continues its numbers if the clock was set back", () => {
    const before = open();
    before.add(3);
    before.db.close();
    vi.setSystemTime(EPOCH - 3_600_000);
    expect(open(before.file).add()).toEqual([4]);
  });
});

describe("the last entry that a reader needs to resume without a gap", () => {
  it("is the world's creation at the earliest", () => {
    const { log, add } = open();
    expect(log.gaplessFrom()).toBe(START);
    add(2);
    expect(log.gaplessFrom()).toBe(START);
  });

  it("is the newest deleted entry, even after reopening the file", () => {
    const { file, db, log, add } = open();
    add(6);
    log.noteTrimmed(START + 4);
    log.noteTrimmed(START + 2);
    expect(log.gaplessFrom()).toBe(START + 4);
    db.close();
    expect(open(file).log.gaplessFrom()).toBe(START + 4);
  });
});
