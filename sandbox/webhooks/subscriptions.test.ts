import { expect, it } from "vitest";
import { SUBSCRIPTION_ENDED } from "../storage/subscriptions-store.ts";
import { DeliveringWorld } from "../testing/delivering-world.ts";
import { attempt } from "../testing/outbox.ts";
import { unsubscribe } from "./subscriptions.ts";

it("a subscription that ends is published, and gives up what was attempted; what never was goes with it", async () => {
  const known = new DeliveringWorld();
  const { world, published } = known;
  const ending = known.subscribe("s");
  const attempted = known.queue("s", 2);
  const later = { status: "pending", next_attempt_at: Date.now() + 60_000, ended_at: null } as const;
  for (const id of attempted) world.stores.outbox.recordAttempt(known.delivery(id), attempt, later);
  known.queue("s", 3);
  await world.write((append) => unsubscribe(world, append, ending));
  expect(published).toMatchObject([{ kind: "state", data: { entity: "subscription", change: "deleted" } }]);
  const { rows } = world.stores.outbox.list({}, Number.MAX_SAFE_INTEGER, 10);
  expect(rows.toReversed()).toMatchObject(
    attempted.map((id) => ({ id, status: "failed", last_error: SUBSCRIPTION_ENDED })),
  );
});
