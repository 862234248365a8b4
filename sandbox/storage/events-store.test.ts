import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BusyWorld } from "../testing/busy-world.ts";

const START = Date.UTC(2026, 0, 15, 12);
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: START }));
afterEach(() => void vi.useRealTimers());

it("returns an event as emitted, with its number of deliveries", async () => {
  const busy = new BusyWorld();
  const { events } = busy.world.stores;
  const start = busy.world.db.lastSeq;
  const first = await busy.call();
  busy.subscribe("s");
  const second = await busy.call();
  expect(events.get(start + 2)).toEqual({
    id: expect.any(String),
    event_type: "repairer.jobs",
    event_timestamp: new Date(START).toISOString(),
    organization_id: "organization",
    payload: { job_id: first, change_action: "inserted" },
    trace_id: first,
    label: "T-1",
    deliveries: 0,
  });
  expect(events.get(start + 5)).toMatchObject({ trace_id: second, deliveries: 1 });
  expect(events.get(start + 3)).toBeUndefined();
});

it("finds an event by its ID or a notification's", async () => {
  const busy = new BusyWorld();
  busy.subscribe("s");
  for (let count = 0; count < 5; count += 1) await busy.call();
  const { events, outbox } = busy.world.stores;
  const { message_id = "", event_id = "", event_seq } = outbox.list({}, Number.MAX_SAFE_INTEGER, 3).rows[2] ?? {};
  expect([events.find(event_id), events.find(message_id), events.find("none")]).toEqual([
    event_seq,
    event_seq,
    undefined,
  ]);
});
