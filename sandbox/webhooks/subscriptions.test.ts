import { describe, expect, it } from "vitest";
import { SUBSCRIPTION_ENDED } from "../storage/subscriptions-store.ts";
import { DeliveringWorld } from "../testing/delivering-world.ts";
import { attempt } from "../testing/outbox.ts";
import { unsubscribe } from "./subscriptions.ts";

describe("a subscription that ends", () => {
  const setUp = (attempted: number, fresh: number) => {
    const known = new DeliveringWorld();
    const { world, published } = known;
    const ending = known.subscribe("s");
    const ids = known.queue("s", attempted);
    const later = { status: "pending", next_attempt_at: Date.now() + 60_000, ended_at: null } as const;
    for (const id of ids) world.stores.outbox.recordAttempt(known.delivery(id), attempt, later);
    known.queue("s", fresh);
    const end = async (): Promise<void> => {
      const { publishRest } = await world.write((append) => unsubscribe(world, append, ending));
      await publishRest();
    };
    return { known, world, published, ids, end };
  };

  it("is published with all that was given up for it, each under its own trace", async () => {
    const { world, published, ids, end } = setUp(2, 3);
    await end();
    expect(published.map(({ kind, trace_id }) => [kind, trace_id])).toEqual([
      ["state", null],
      ...ids.map((id) => ["delivery", `trace of ${id}`]),
    ]);
    expect(published.slice(1).map(({ data }) => data)).toMatchObject(
      ids.map((id) => ({ id, status: "failed", last_error: SUBSCRIPTION_ENDED })),
    );
    expect(world.stores.outbox.count({})).toBe(2);
  });

  it("is published to the last delivery, however many there are, and ends whole before that", async () => {
    const { world, published, ids, end } = setUp(1_234, 1);
    const ended = end();
    await expect.poll(() => published.length).toBeGreaterThan(0);
    expect(world.stores.outbox.count({ status: "pending" })).toBe(0);
    await ended;
    const deliveries = published.flatMap((entry) => (entry.kind === "delivery" ? [entry.data.id] : []));
    expect(deliveries).toEqual(ids);
    expect(new Set(published.map(({ id }) => id)).size).toBe(ids.length + 1);
  });

  it("is published alone when nothing was attempted", async () => {
    const { published, end } = setUp(0, 2);
    await end();
    expect(published).toMatchObject([{ kind: "state", data: { entity: "subscription", change: "deleted" } }]);
  });
});
