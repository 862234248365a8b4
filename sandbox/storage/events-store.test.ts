import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BusyWorld } from "../testing/busy-world.ts";

const START = Date.UTC(2026, 0, 15, 12);
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: START }));
afterEach(() => void vi.useRealTimers());

it("lists the newest events first, each as it was emitted, with how many deliveries it has", async () => {
  const busy = new BusyWorld();
  const first = await busy.call();
  busy.subscribe("s");
  const second = await busy.call();
  const { events } = busy.world.stores;
  expect(events.newest(Number.MAX_SAFE_INTEGER, 10)).toEqual([
    { seq: 2, row: expect.objectContaining({ trace_id: second, deliveries: 1 }) },
    {
      seq: 1,
      row: {
        id: expect.any(String),
        event_type: "repairer.jobs",
        event_timestamp: new Date(START).toISOString(),
        organization_id: "organization",
        payload: { job_id: first, change_action: "inserted" },
        trace_id: first,
        label: "T-1",
        deliveries: 0,
      },
    },
  ]);
  expect(events.newest(2, 10).map(({ seq }) => seq)).toEqual([1]);
  expect([events.get(2)?.trace_id, events.get(3)]).toEqual([second, undefined]);
});

it("looks for one by its id or a notification's, some rows at a time, and says where to go on", async () => {
  const busy = new BusyWorld();
  busy.subscribe("s");
  for (let count = 0; count < 5; count += 1) await busy.call();
  const { events, outbox } = busy.world.stores;
  const { message_id = "", event } = outbox.newest({}, 3, 1)[0] ?? {};
  expect(events.find(event?.id ?? "", 6, 2)).toEqual({ found: null, last: 4 });
  expect(events.find(event?.id ?? "", 4, 2)).toEqual({ found: 2, last: 2 });
  expect(events.findByMessage(message_id, 4, 2)).toEqual({ found: 2, last: 2 });
  expect(events.find("none", 2, 2)).toEqual({ found: null, last: 1 });
  expect(events.find("none", 1, 2)).toEqual({ found: null, last: null });
});
