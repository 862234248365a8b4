import { correctBehaviour } from "../contract/control/presets.ts";
import type { Scorecard } from "../contract/control/receiver-operations.ts";
import { drillNames } from "../contract/drill-names.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import { refuseDeployedUrl, refuseLocalUrl } from "../rules/webhooks/webhook-url.ts";
import { type DeliveryRecord, deliveryRow } from "../storage/delivery-records.ts";
import { newId } from "../storage/new-id.ts";
import type { ReceiverRow } from "../storage/receivers-store.ts";
import { otherSecret } from "../webhooks/drill-messages.ts";
import type { DrillSource } from "../webhooks/drills.ts";
import { noteOwnAddresses } from "../webhooks/own-addresses.ts";
import { receiverPath } from "../webhooks/receivers.ts";
import { subscriptionInserted, unsubscribe } from "../webhooks/subscriptions.ts";
import type { World } from "../worlds/world.ts";
import {
  type BoundControl,
  type ControlContext,
  control,
  findIntegration,
  refuseUnknown,
  refuseUnknownDelivery,
} from "./handler.ts";
import { pagedControl, toPage, upperBound } from "./paging.ts";

const noSubscription = (id: string): Refusal =>
  refuseUnknown("subscription_id", id, "subscription", "subscriptions.list");
const refuseUnknownReceiver = (id: string): Refusal => refuseUnknown("id", id, "receiver", "receivers.list");

/**
 * Secret of another integration for a drill. Prefers one whose notifications go to the same receiver, which knows that
 * secret; else the first of the world. Undefined if there is no other.
 */
const findForeignSecret = ({ stores }: World, { integration_id, url }: DeliveryRecord): string | undefined => {
  const others = stores.credentials.list().filter((one) => one.integration_id !== integration_id);
  const { origin } = new URL(url);
  const sameOrigin = stores.subscriptions.list().filter((one) => new URL(one.url).origin === origin);
  const shared = others.find((one) => sameOrigin.some((other) => other.integration_id === one.integration_id));
  return (shared ?? others.at(-1))?.webhook_secret;
};

/** Source of a drill, or the reason why it can't run. Read up front, so that no world stays leased during drills. */
const drillSource = (
  { worlds, worldName, info }: ControlContext,
  find: (world: World) => DeliveryRecord | Refusal,
): DrillSource | Refusal => {
  if (!info.deliveriesOn)
    return refuse("bad_request", "deliveries are off. Start the service with --deliveries on to run drills");
  worlds.mustHave(worldName);
  return worlds.use(worldName, (world) => {
    const delivery = find(world);
    if (delivery instanceof Refusal) return delivery;
    const credential = world.stores.credentials.findByIntegration(delivery.integration_id);
    if (!credential || !world.stores.subscriptions.get(delivery.subscription_id))
      return refuse("not_found", "the subscription of this delivery was deleted. Subscribe the address again first");
    const secret = credential.webhook_secret;
    return {
      world: worldName,
      delivery,
      secret,
      foreignSecret: findForeignSecret(world, delivery) ?? otherSecret(secret),
    };
  });
};

const newestDelivery = ({ stores: { outbox } }: World, subscription_id: string): DeliveryRecord | undefined =>
  outbox.list({ subscription_id }, Number.MAX_SAFE_INTEGER, 1).rows[0];

const scorecard = (world: World, given: string): Scorecard | Refusal => {
  const subscription_id = given.toLowerCase();
  if (!world.stores.subscriptions.get(subscription_id)) return noSubscription(given);
  const latest = world.stores.drills.latest(subscription_id);
  const newest = newestDelivery(world, subscription_id);
  return {
    subscription_id,
    items: drillNames.map((drill) => ({ drill, latest: latest.get(drill) ?? null })),
    run: latest.size,
    passed: [...latest.values()].filter(({ verdict }) => verdict === "passed").length,
    newest_delivery: newest ? deliveryRow(newest) : null,
  };
};

const withoutSeq = ({ seq: _seq, ...row }: ReceiverRow) => row;

/** Drills, built-in receivers, the test receiver, and responses of developer machines. */
export const receiverControls: readonly BoundControl[] = [
  control("deliveries.send-drill", (context, { id, drill }) => {
    const source = drillSource(
      context,
      ({ stores }) => stores.outbox.delivery(id.toLowerCase()) ?? refuseUnknownDelivery(id),
    );
    return source instanceof Refusal ? source : context.drills.run(source, drill, context.hungUp);
  }),
  control("drills.list", ({ world }, { subscription_id }) => scorecard(world, subscription_id)),
  control(
    "drills.get",
    ({ world }, { id }) =>
      world.stores.drills.get(id.toLowerCase()) ??
      refuse("not_found", `/id ${id}: no such drill. Only the newest drills are kept`),
  ),
  control("drills.run-all", async (context, { subscription_id }) => {
    const source = drillSource(context, (world) => {
      const id = subscription_id.toLowerCase();
      if (!world.stores.subscriptions.get(id)) return noSubscription(subscription_id);
      return (
        newestDelivery(world, id) ??
        refuse(
          "not_found",
          "this subscription has no deliveries yet. Send a test event or change a job, then run the drills",
        )
      );
    });
    if (source instanceof Refusal) return source;
    await context.drills.runAll(source, context.hungUp);
    // May have been deleted meanwhile.
    context.worlds.mustHave(context.worldName);
    return context.worlds.use(context.worldName, (world) => scorecard(world, subscription_id));
  }),
  control("receivers.create", ({ world, info }, { integration_id: given, behaviour }) => {
    const credential = findIntegration(world, given);
    if (credential instanceof Refusal) return credential;
    const { integration_id } = credential;
    const id = newId();
    const url = info.baseUrl + receiverPath(id, world.name);
    const reason = info.mode === "local" ? refuseLocalUrl(url) : refuseDeployedUrl(url);
    if (reason) {
      return refuse(
        "bad_request",
        `this service’s own address ${info.baseUrl} can’t be subscribed (${reason}). ` +
          "A deployed sandbox needs a public https address; a local one needs a loopback address",
      );
    }
    const { receivers, subscriptions } = world.stores;
    const most = info.quotas.subscriptions;
    return world.write((append) => {
      if (subscriptions.listByIntegration(integration_id).length >= most)
        return refuse("bad_request", `this integration already has ${most} subscriptions, the limit. Delete one first`);
      receivers.insert({ id, integration_id, url, behaviour: { ...correctBehaviour, ...behaviour } }, world.now());
      const subscription = { id: newId(), integration_id, url, created_at: world.now() };
      subscriptions.insert(subscription);
      noteOwnAddresses(world, info.baseUrl);
      append("state", null, subscriptionInserted(subscription));
      append("world", null, { what: "receivers" });
      const created = receivers.get(id);
      return created ? withoutSeq(created) : refuseUnknownReceiver(id);
    });
  }),
  control("receivers.list", ({ world }) => ({ items: world.stores.receivers.list().map(withoutSeq) })),
  control("receivers.set", ({ world }, { id, behaviour }) => {
    const { receivers } = world.stores;
    return world.write((append) => {
      const found = receivers.get(id.toLowerCase());
      if (!found) return refuseUnknownReceiver(id);
      receivers.set(found.seq, { ...found.behaviour, ...behaviour });
      append("world", null, { what: "receivers" });
      return withoutSeq(receivers.get(found.id) ?? found);
    });
  }),
  control("receivers.delete", async ({ world, deliveries }, { id }) => {
    const { receivers, subscriptions } = world.stores;
    await deliveries.written(world);
    const ended = await world.write((append) => {
      const found = receivers.get(id.toLowerCase());
      if (!found) return refuseUnknownReceiver(id);
      const ending = found.subscription_id === null ? undefined : subscriptions.get(found.subscription_id);
      if (ending) unsubscribe(world, append, ending);
      receivers.delete(found.seq);
      append("world", null, { what: "receivers" });
      return { ok: true };
    });
    deliveries.wake(world);
    return ended;
  }),
  pagedControl("receivers.received", ({ world }, { id }, pageRequest) => {
    const receiver = world.stores.receivers.get(id.toLowerCase());
    if (!receiver) return refuseUnknownReceiver(id);
    const found = world.stores.receivers.receipts(receiver.seq, upperBound(pageRequest), pageRequest.limit + 1);
    return toPage(found, pageRequest, receiver.received, ({ seq: _seq, ...row }) => row);
  }),
  control("sink.list", ({ sink }) => ({ items: sink.receipts() })),
  control("listen.answer", ({ deliveries, worldName }, { world: _world, id, ...response }) => ({
    ok: deliveries.listeners.answered(worldName, id.toLowerCase(), response),
  })),
];
