import { describe, expect, it } from "vitest";
import { attempt, delivered, NOW, openOutbox, retry } from "../testing/outbox.ts";
import type { DeliveryRecord } from "./delivery-records.ts";
import { deliveryRow } from "./delivery-rows.ts";
import { LogStore, type Told } from "./log-store.ts";

/** An outbox with the log of its world, and what a test tells of its deliveries. */
const open = () => {
  const known = openOutbox();
  const log = new LogStore(known.db);
  const delivery = (id: string): DeliveryRecord => {
    const found = known.outbox.delivery(id);
    if (!found) throw new Error(`there is no delivery ${id}`);
    return found;
  };
  const told = (id: string): Told => ({ kind: "delivery", data: deliveryRow(delivery(id)) });
  return { ...known, log, told, delivery };
};

describe("what the log tells of deliveries", () => {
  it("is how each stood then, whatever became of it since", () => {
    const { log, queue, settle, told } = open();
    queue("a1");
    const entries = log.append(NOW, "trace", [told("a1")]);
    settle("a1", retry(NOW + 5_000), { error: "connection refused", response_status: null });
    entries.push(...log.append(NOW, null, [told("a1")]));
    settle("a1", delivered, { number: 2, response_status: 200 });
    entries.push(...log.append(NOW, null, [told("a1")]));
    expect(
      entries.map(({ data }) => ("status" in data ? [data.status, "attempts_made" in data && data.attempts_made] : [])),
    ).toEqual([
      ["pending", 0],
      ["pending", 1],
      ["delivered", 2],
    ]);
    expect(log.newest(9)).toEqual(entries);
    expect(log.page((entries[0]?.id ?? 0) - 1, 9).entries).toEqual(entries);
  });

  it("is under the trace of the delivery's event, also where many are told of at once", () => {
    const { log, queue, told } = open();
    const ids = Array.from({ length: 150 }, (_, index) => `a${index + 1}`);
    for (const id of ids) queue(id);
    const entries = log.append(NOW, null, ids.map(told));
    expect(new Set(entries.map(({ trace_id }) => trace_id))).toEqual(new Set(["trace"]));
    expect(entries.map(({ id }) => id - (entries[0]?.id ?? 0))).toEqual(ids.map((_, index) => index));
    expect(log.newest(150)).toEqual(entries);
    expect(log.page(entries[99]?.id ?? 0, 500).entries).toEqual(entries.slice(100));
  });

  it("is nothing once it is no longer kept, and the entries beside it keep their places", () => {
    const { log, subscriptions, queue, told } = open();
    for (const id of ["a1", "b1", "a2"]) queue(id);
    const entries = log.append(NOW, "trace", [told("a1"), told("b1"), told("a2")]);
    subscriptions.delete("b");
    expect(log.newest(9)).toEqual([entries[0], entries[2]]);
  });

  it("is what an earlier version wrote, as it wrote it", () => {
    const { db, log, queue, told, settle } = open();
    queue("a1");
    const before = told("a1");
    const seq = log.take();
    const entries = JSON.stringify([before]);
    db.run("INSERT INTO log (seq, at, trace_id, entries) VALUES (?, ?, 'trace', ?)", seq, 0, entries);
    settle("a1", delivered);
    expect(log.newest(1)).toMatchObject([{ id: seq, kind: "delivery", data: before.data }]);
    expect(attempt.number).toBe(1);
  });
});
