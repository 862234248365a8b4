import { describe, expect, it } from "vitest";
import { SUBSCRIPTION_ENDED } from "../storage/ended-deliveries.ts";
import { DeliveringWorld } from "../testing/delivering-world.ts";
import { attempt } from "../testing/outbox.ts";
import { unsubscribe } from "./unsubscribe.ts";

describe("a subscription that ends", () => {
  const setUp = (tried: number, untried: number) => {
    const known = new DeliveringWorld();
    const { world, published } = known;
    const ending = known.subscribe("s");
    const ids = known.queue("s", tried);
    const later = { status: "pending", next_attempt_at: Date.now() + 60_000, settled_at: null } as const;
    for (const id of ids) world.stores.outbox.settle(known.delivery(id), attempt, later);
    known.queue("s", untried);
    const end = async (): Promise<void> => {
      const { tellRest } = await world.write((append) => unsubscribe(world, append, ending));
      await tellRest();
    };
    return { known, world, published, ids, end };
  };

  it("is told of with all that was given up for it, each under its own trace", async () => {
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

  it("is told of to the last delivery, however many there are, and ends whole before that", async () => {
    const { world, published, ids, end } = setUp(1_234, 1);
    const told = end();
    await expect.poll(() => published.length).toBeGreaterThan(0);
    expect(world.stores.outbox.count({ status: "pending" })).toBe(0);
    await told;
    const deliveries = published.flatMap((entry) => (entry.kind === "delivery" ? [entry.data.id] : []));
    expect(deliveries).toEqual(ids);
    expect(new Set(published.map(({ id }) => id)).size).toBe(ids.length + 1);
  });

  it("is told of alone when nothing was tried", async () => {
    const { published, end } = setUp(0, 2);
    await end();
    expect(published).toMatchObject([{ kind: "state", data: { entity: "subscription", change: "deleted" } }]);
  });
});
