import { expect, it } from "vitest";
import type { Side } from "../contract/control/rows.ts";
import { listenerAddress } from "../contract/listener.ts";
import { DeliveringWorld, INTEGRATION } from "../testing/delivering-world.ts";
import {
  hasNewIntegration,
  type ListenRequest,
  listen,
  listListenerSubscriptions,
  noteListening,
} from "./listening.ts";

const SUPPLIER = INTEGRATION.replace("5", "6");
const all: ListenRequest = { name: "ana", eventTypes: null, since: null, integrationId: null };
const many = { subscriptions: 5, worldSubscriptions: 10 };

/** A world with an organization's integrations as a buyer and as a supplier. */
const createWorld = () => {
  const known = new DeliveringWorld();
  const { world } = known;
  const install = (integration_id: string, organization_id: string, scope: Side): void => {
    const keys = { api_key: `sbx_${integration_id}`, webhook_secret: `pwh_${integration_id}` };
    const row = { integration_id, organization_id, scope, ...keys, client_id: null, preloaded: false };
    world.stores.credentials.insert({ ...row, created_at: Date.now() });
  };
  install(SUPPLIER, "organization", "supplier");
  const machines = (name = "ana") =>
    listListenerSubscriptions(world, name).map(({ integration_id, event_types }) => ({ integration_id, event_types }));
  return { known, world, machines, install };
};
const of = (integration_id: string, event_types: readonly string[] | null = null) => ({ integration_id, event_types });

it("subscribes a machine once for each integration, and changes only what it asks for", async () => {
  const { known, world, machines } = createWorld();
  known.subscribe("another");
  expect(await listen(world, all, many)).toEqual({ tooMany: false });
  expect(machines()).toEqual(expect.arrayContaining([of(INTEGRATION), of(SUPPLIER)]));
  const inserted = { entity: "subscription", change: "inserted", label: listenerAddress("ana") };
  expect(known.published).toMatchObject([{ data: inserted }, { data: inserted }]);
  await listen(world, { ...all, eventTypes: ["repairer.jobs"], integrationId: INTEGRATION }, many);
  expect(machines()).toEqual(expect.arrayContaining([of(INTEGRATION, ["repairer.jobs"]), of(SUPPLIER)]));
  expect([machines().length, known.published.length, machines("ben")]).toEqual([2, 2, []]);
});

it.each([
  ["of an integration", { subscriptions: 1, worldSubscriptions: 10 }, [SUPPLIER]],
  ["of a world", { subscriptions: 5, worldSubscriptions: 1 }, []],
])("subscribes none beyond the limit %s, and says so", async (_, quotas, left) => {
  const { known, world, machines } = createWorld();
  known.subscribe("another");
  expect(await listen(world, all, quotas)).toEqual({ tooMany: true });
  expect(machines()).toEqual(left.map((id) => of(id)));
  // A machine that is subscribed already stays.
  await listen(world, all, many);
  expect(await listen(world, all, quotas)).toEqual({ tooMany: false });
});

it("queues what the machine missed since a time, for its organization, side and types only", async () => {
  const { known, world, install } = createWorld();
  install(INTEGRATION.replace("5", "7"), "another organization", "repairer");
  known.subscribe("another");
  const [early = "", late = ""] = known.queue("another", 2);
  const since = Date.now() - 60_000;
  const waiting = () => listListenerSubscriptions(world, "ana").map(({ pending }) => pending);
  await listen(world, { ...all, since, eventTypes: ["supplier.procurements"] }, many);
  expect(waiting()).toEqual([0, 0, 0]);
  await listen(world, { ...all, since: Date.now() + 60_000 }, many);
  expect(waiting()).toEqual([0, 0, 0]);
  await listen(world, { ...all, since }, many);
  const { rows } = world.stores.outbox.list({}, Number.MAX_SAFE_INTEGER, 10);
  const missed = rows.filter(({ url }) => url === listenerAddress("ana"));
  expect(missed.map(({ integration_id, label }) => [integration_id, label]).toReversed()).toEqual([
    [INTEGRATION, early],
    [INTEGRATION, late],
  ]);
});

it("notices an integration that a machine asked for and that was installed later", async () => {
  const { world } = createWorld();
  const one = { ...all, integrationId: INTEGRATION };
  expect([hasNewIntegration(world, all), hasNewIntegration(world, one)]).toEqual([true, true]);
  await listen(world, one, many);
  expect([hasNewIntegration(world, all), hasNewIntegration(world, one)]).toEqual([true, false]);
  await listen(world, all, many);
  expect([hasNewIntegration(world, all), hasNewIntegration(world, { ...all, name: "ben" })]).toEqual([false, true]);
});

it("says in the log of its world that a machine came or left", async () => {
  const { known, world } = createWorld();
  known.subscribe("another");
  await listen(world, { ...all, integrationId: INTEGRATION }, many);
  known.published.length = 0;
  await noteListening(world, "ana", false);
  await expect.poll(() => known.published).toHaveLength(1);
  const { data } = known.published[0] ?? {};
  expect(data).toMatchObject({
    label: listenerAddress("ana"),
    before: { connected: true },
    after: { connected: false },
  });
});
