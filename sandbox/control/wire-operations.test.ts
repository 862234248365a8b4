import { expect, it } from "vitest";
import { BusyWorld } from "../testing/busy-world.ts";
import { readTrace } from "./wire-operations.ts";

it("finds the trace of an event and of a notification among many", async () => {
  const busy = new BusyWorld();
  busy.subscribe("s");
  const first = await busy.call();
  for (let count = 0; count < 2_100; count += 1) void busy.call();
  await busy.call();
  const { event_id, message_id } = busy.world.stores.outbox.listByTrace(first)[0] ?? {};
  for (const link of [event_id ?? "", message_id ?? ""])
    expect(await readTrace(busy.world, link)).toMatchObject({ id: first, request: { id: first }, deliveries: [{}] });
  expect(await readTrace(busy.world, "none")).toBeNull();
});
