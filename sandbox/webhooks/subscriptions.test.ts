import { expect, it } from "vitest";
import { SUBSCRIPTION_ENDED } from "../storage/subscriptions-store.ts";
import { DeliveringWorld, INTEGRATION } from "../testing/delivering-world.ts";
import { attempt } from "../testing/outbox.ts";
import { evaluateSubscription, listeningChanged, subscribe, unsubscribe } from "./subscriptions.ts";

const HERE = { mode: "local", receiverHosts: [], allowHosts: [], origin: "http://127.0.0.1:4026" } as const;

it("ending a subscription is published, fails attempted deliveries, and deletes others", async () => {
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

it.each<["local" | "deployed", object, string, string, RegExp | undefined]>([
  ["local", {}, "missing_field", "/integration_id /url", /^`integration_id` is missing\. `url` is missing\.$/],
  ["local", { url: 1 }, "missing_field", "/integration_id /url", /`integration_id` is missing\. `url` is not text\.$/],
  ["local", { integration_id: INTEGRATION }, "missing_field", "/url", /^`url` is missing\.$/],
  ["local", { integration_id: "x" }, "missing_field", "/integration_id /url", /is not a UUID\. `url` is missing\.$/],
  ["local", { url: "http://127.0.0.1/" }, "missing_field", "/integration_id", /^`integration_id` is missing\.$/],
  ["local", { integration_id: "x", url: "http://127.0.0.1/" }, "missing_field", "/integration_id", /not a UUID/],
  ["local", { integration_id: INTEGRATION, url: "https://a.example/" }, "url_not_loopback", "/url", undefined],
  ["local", { integration_id: INTEGRATION, url: "localhost/hooks" }, "url_not_loopback", "/url", /no scheme/],
  ["deployed", { integration_id: INTEGRATION, url: "http://a.example/" }, "https_required", "/url", undefined],
  ["deployed", { integration_id: INTEGRATION, url: "a.example" }, "https_required", "/url", /no scheme/],
  [
    "deployed",
    { integration_id: INTEGRATION.replace("5", "6"), url: "https://a.example/" },
    "missing_field",
    "/integration_id",
    /no integration that is installed/,
  ],
])("a subscription is refused %s for %j: %s", (mode, value, reason, pointers, fact) => {
  const { world } = new DeliveringWorld();
  const refused = evaluateSubscription(world, { ...HERE, mode }, { value });
  expect(refused).toMatchObject({ reason, why: { pointers: pointers.split(" ") } });
  expect("why" in refused && refused.why.fact).toEqual(fact && expect.stringMatching(fact));
});

it("a subscription keeps the integration's ID in its own case", () => {
  const value = { integration_id: INTEGRATION.toUpperCase(), url: "http://127.0.0.1/" };
  const { world } = new DeliveringWorld();
  const taken = { ...value, integration_id: INTEGRATION };
  expect(evaluateSubscription(world, HERE, { value })).toEqual(taken);
});

it("an address is subscribed once, within the limits, and only by its own integration", async () => {
  const { world, published } = new DeliveringWorld();
  const { subscriptions, settings } = world.stores;
  const asking = (url: string, given = {}) =>
    subscribe(
      world,
      {
        ...HERE,
        ...{ traceId: "trace", caller: null },
        ...{ quotas: { subscriptions: 2, worldSubscriptions: 2 }, ...given },
      },
      { value: { integration_id: INTEGRATION, url } },
    );
  const urls = () => subscriptions.list().map(({ url }) => url);
  const one = { integration_id: INTEGRATION, url: "http://127.0.0.1/one" };
  expect([await asking(one.url), await asking(one.url)]).toEqual([one, one]);
  expect([urls(), settings.get("own_addresses")]).toEqual([[one.url], ""]);
  expect(published).toMatchObject([{ trace_id: "trace", data: { entity: "subscription", change: "inserted" } }]);
  const other = "http://127.0.0.1:4026/__webhooks/sink";
  const why = { pointers: ["/integration_id"] };
  expect(await asking(other, { caller: INTEGRATION.replace("5", "6") })).toMatchObject({ reason: "unauthorized", why });
  for (const [quotas, fact] of [
    [{ subscriptions: 1, worldSubscriptions: 2 }, /^The integration has .* 1\.$/],
    [{ subscriptions: 2, worldSubscriptions: 1 }, /^This world has .* 1\.$/],
  ] as const) {
    const full = { reason: "too_many_subscriptions", why: { ...why, fact: expect.stringMatching(fact) } };
    expect(await asking(other, { quotas })).toMatchObject(full);
  }
  expect(urls()).toEqual([one.url]);
  expect(await asking(other, { caller: INTEGRATION })).toMatchObject({ url: other });
  expect([urls().toSorted(), settings.get("own_addresses")]).toEqual([[one.url, other], "http://127.0.0.1:4026 team"]);
});

it("a connecting or disconnecting machine is a change of its subscription", () => {
  const { before, after, change } = listeningChanged({ id: "s", integration_id: INTEGRATION, url: "u" }, true);
  const state = { id: "s", integration_id: INTEGRATION, url: "u", pending: 0, paused_by: null, paused_at: null };
  expect([change, before, after]).toEqual(["updated", { ...state, connected: false }, { ...state, connected: true }]);
});
