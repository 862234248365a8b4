import { describe, expect, it } from "vitest";
import type { EventRow } from "../contract/control/rows.ts";
import { event, NOW, openOutbox } from "../testing/outbox.ts";
import { LogStore, type Told } from "./log-store.ts";

const row: EventRow = {
  id: event.id,
  event_type: event.event_type,
  event_timestamp: new Date(event.event_timestamp).toISOString(),
  organization_id: event.organization_id,
  payload: { ...event.payload },
  trace_id: event.trace_id,
  label: event.label,
  deliveries: 2,
};

/** An outbox that holds the event, the log of its world, and what a test tells of the event. */
const open = () => {
  const { db, event_seq } = openOutbox();
  const told: Told = { kind: "event", data: row, event: event_seq };
  const texts = (): string[] => db.all<{ entries: string }>("SELECT entries FROM log").map(({ entries }) => entries);
  return { db, log: new LogStore(db), told, texts };
};

describe("what the log tells of events", () => {
  it("is all of the event, of which the log itself keeps its place only", () => {
    const { log, told, texts } = open();
    const entries = log.append(NOW, "trace", [told]);
    expect(entries).toMatchObject([{ kind: "event", trace_id: "trace", data: row }]);
    expect([log.newest(9), log.ofTrace("trace")]).toEqual([entries, entries]);
    expect(texts()).toEqual([expect.not.stringContaining(event.label)]);
  });

  it("is how many deliveries were queued for it then, whatever became of them since", () => {
    const { db, log, told } = open();
    const entries = log.append(NOW, "trace", [told]);
    db.run("UPDATE events SET deliveries = 9");
    expect(log.newest(9)).toEqual(entries);
  });

  it("is nothing once it is no longer kept, and the entries beside it keep their places", () => {
    const { db, log, told } = open();
    const clock: Told = { kind: "world", data: { what: "clock" } };
    const entries = log.append(NOW, "trace", [clock, told, clock]);
    db.run("DELETE FROM events");
    expect(log.newest(9)).toEqual([entries[0], entries[2]]);
  });

  it("is what an earlier version wrote, as it wrote it", () => {
    const { db, log } = open();
    const seq = log.take();
    const entries = JSON.stringify([{ kind: "event", data: { ...row, label: "as it was" } }]);
    db.run("INSERT INTO log (seq, at, trace_id, entries) VALUES (?, 0, 'trace', ?)", seq, entries);
    expect(log.newest(1)).toMatchObject([{ id: seq, kind: "event", data: { ...row, label: "as it was" } }]);
  });
});
