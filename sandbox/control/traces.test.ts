import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BusyWorld } from "../testing/busy-world.ts";
import { traceOf } from "./traces.ts";

const HOUR = 3_600_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 15, 12) }));
afterEach(() => void vi.useRealTimers());

it("finds an event and a notification, which are in no index, among many of both", async () => {
  const busy = new BusyWorld();
  busy.subscribe("s");
  const first = await busy.call();
  for (let count = 0; count < 2_100; count += 1) void busy.call();
  await busy.call();
  const { event, message_id } = busy.world.stores.outbox.newest({}, 2, 1)[0] ?? {};
  for (const link of [event?.id ?? "", message_id ?? ""])
    expect(await traceOf(busy.world, link)).toMatchObject({ id: first, request: { id: first }, deliveries: [{}] });
  expect(await traceOf(busy.world, "none")).toBeNull();
});

it("shows of a chain whose beginning is forgotten what is left: the delivery and its event", async () => {
  const busy = new BusyWorld();
  busy.world.stores.retention.set({ max_age_hours: 24, max_megabytes: 100 });
  busy.subscribe("s");
  const trace = await busy.call();
  vi.setSystemTime(Date.now() + 20 * HOUR);
  await busy.deliver("s");
  await busy.call();
  vi.setSystemTime(Date.now() + 20 * HOUR);
  busy.forget();
  const [delivery] = busy.world.stores.outbox.newest({}, 2, 1);
  const chain = await traceOf(busy.world, delivery?.id ?? "");
  expect(chain).toMatchObject({ id: trace, request: null, changes: [], events: [{ deliveries: 1 }] });
  expect(chain?.deliveries.map(({ id, status }) => [id, status])).toEqual([[delivery?.id, "delivered"]]);
  expect(await traceOf(busy.world, delivery?.event.id ?? "")).toMatchObject({ id: trace, events: [{}] });
  expect(await traceOf(busy.world, trace)).toBeNull();
});
