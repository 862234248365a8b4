import { correctBehaviour } from "../contract/control/correct-behaviour.ts";
import {
  deliveriesSendDrill,
  drillsGet,
  drillsList,
  drillsRunAll,
  receiversCreate,
  receiversDelete,
  receiversList,
  receiversReceived,
  receiversReset,
  receiversSet,
  sinkList,
} from "../contract/control/receiver-operations.ts";
import type { Receiver, Scorecard } from "../contract/control/receiver-rows.ts";
import type { DeliveryRow } from "../contract/control/rows.ts";
import { type DrillName, drillNames } from "../contract/drill-names.ts";
import { drills } from "../contract/drills.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import { adviceOf } from "../rules/drill-advice.ts";
import { iso } from "../rules/timestamp.ts";
import { refuseDeployedUrl, refuseLocalUrl } from "../rules/webhook-url.ts";
import { DEFAULT_WORLD } from "../rules/world-name.ts";
import { deliveryRow } from "../storage/delivery-records.ts";
import { newId } from "../storage/new-id.ts";
import type { ReceiverRow } from "../storage/receivers-store.ts";
import type { DrillSource } from "../webhooks/drills.ts";
import { noteOwnAddresses } from "../webhooks/own-addresses.ts";
import { receiptRow } from "../webhooks/receipts.ts";
import { receiverPath } from "../webhooks/receiver.ts";
import { subscribed, unsubscribe } from "../webhooks/subscriptions.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, type ControlContext, control } from "./handler.ts";
import { pagedControl, pageOf } from "./paging.ts";

const isSubscribed = (world: World, id: string): boolean => world.stores.subscriptions.get(id) !== undefined;

/** The delivery a drill is made from, or why there can be none. */
const drillSource = ({ world, info }: ControlContext, id: string): DrillSource | Refusal => {
  if (!info.deliveriesOn)
    return refuse(
      "bad_request",
      "this service sends nothing (--deliveries off); start it with --deliveries on for drills",
    );
  const delivery = world.stores.outbox.delivery(id);
  if (!delivery) return refuse("not_found", `/id ${id} is no delivery of this world`);
  const credential = world.stores.credentials.byIntegration(delivery.integration_id);
  if (!credential || !isSubscribed(world, delivery.subscription_id))
    return refuse("not_found", "the subscription of this delivery has ended; subscribe the address again first");
  return { delivery, secret: credential.webhook_secret };
};

const newestDelivery = ({ stores: { drills, outbox } }: World, subscriptionId: string): DeliveryRow | null => {
  const id = drills.newestDelivery(subscriptionId);
  const delivery = id === null ? undefined : outbox.delivery(id);
  return delivery ? deliveryRow(delivery) : null;
};

/** What a receiver answered to good notifications that it did not acknowledge. */
const answersToGood = ({ stores: { drills } }: World, items: Scorecard["items"]): (number | null)[] =>
  items
    .filter(({ expected, latest }) => expected.answer === "acknowledge" && latest?.verdict === "failed")
    .flatMap(({ latest }) => (latest && drills.get(latest.id)?.exchanges) ?? [])
    .flatMap(({ verdict, response_status }) => (verdict === "failed" ? [response_status] : []));

const scorecard = (world: World, subscriptionId: string): Scorecard => {
  const items = drillNames.map((drill) => {
    const { title, sends, why, expects } = drills[drill];
    const latest = world.stores.drills.latest(subscriptionId, drill);
    return { drill, title, sends, why, expected: expects, latest };
  });
  const results = new Map<DrillName, "passed" | "failed">(
    items.flatMap(({ drill, latest }) => (latest ? [[drill, latest.verdict] as const] : [])),
  );
  return {
    subscription_id: subscriptionId,
    items,
    run: results.size,
    passed: items.filter(({ latest }) => latest?.verdict === "passed").length,
    advice: adviceOf(results, answersToGood(world, items)),
    newest_delivery: newestDelivery(world, subscriptionId),
  };
};

const noSubscription = (id: string): Refusal =>
  refuse("not_found", `/subscription_id ${id} is no subscription of this world`);
const noReceiver = (id: string): Refusal => refuse("not_found", `/id ${id} is no receiver of this world`);

const receiverRow = ({ seq: _seq, created_at, ...row }: ReceiverRow): Receiver => ({
  ...row,
  created_at: iso(created_at),
});

/** Changes a receiver in the world's writer. */
const changed = async (world: World, id: string, change: (found: ReceiverRow) => void): Promise<Receiver | Refusal> => {
  const { receivers } = world.stores;
  const after = await world.write((append) => {
    const found = receivers.get(id.toLowerCase());
    if (!found) return undefined;
    change(found);
    append("world", null, { what: "receivers" });
    return receivers.get(found.id);
  });
  return after ? receiverRow(after) : noReceiver(id);
};

/** Drills, the built-in receivers and the sink. */
export const receiverControls: readonly BoundControl[] = [
  control(deliveriesSendDrill, (context, { id, drill }) => {
    const source = drillSource(context, id.toLowerCase());
    return source instanceof Refusal ? source : context.drills.run(context.world, source, drill, context.hungUp);
  }),
  control(drillsList, ({ world }, { subscription_id }) => {
    const id = subscription_id.toLowerCase();
    return isSubscribed(world, id) ? scorecard(world, id) : noSubscription(subscription_id);
  }),
  control(
    drillsGet,
    ({ world }, { id }) =>
      world.stores.drills.get(id.toLowerCase()) ?? refuse("not_found", `/id ${id} is no drill that is still kept`),
  ),
  control(drillsRunAll, async (context, { subscription_id, delivery_id }) => {
    const { world } = context;
    const id = subscription_id.toLowerCase();
    if (!isSubscribed(world, id)) return noSubscription(subscription_id);
    const from = delivery_id?.toLowerCase() ?? world.stores.drills.newestDelivery(id);
    if (from === null) {
      return refuse(
        "not_found",
        "nothing was notified to this subscription yet; change a job or a procurement it hears of, then run the drills",
      );
    }
    const source = drillSource(context, from);
    if (source instanceof Refusal) return source;
    if (source.delivery.subscription_id !== id)
      return refuse("bad_request", `/delivery_id ${from} is a delivery of another subscription`);
    await context.drills.runAll(world, source, context.hungUp);
    return scorecard(world, id);
  }),
  control(receiversCreate, async ({ world, info }, { integration_id, behaviour }) => {
    const integrationId = integration_id.toLowerCase();
    if (!world.stores.credentials.byIntegration(integrationId))
      return refuse("not_found", `/integration_id ${integration_id} is no integration of this world`);
    const id = newId();
    const url = info.baseUrl + receiverPath(id, world.name, DEFAULT_WORLD);
    const reason = info.mode === "local" ? refuseLocalUrl(url) : refuseDeployedUrl(url);
    if (reason) {
      return refuse(
        "bad_request",
        `this service's own address ${info.baseUrl} may not be subscribed (${reason}); ` +
          "a deployed sandbox needs a public https address, a local one a loopback address",
      );
    }
    const { receivers, subscriptions } = world.stores;
    const created_at = world.now();
    const most = info.quotas.subscriptions;
    const made = await world.write((append) => {
      if (subscriptions.ofIntegration(integrationId).length >= most)
        return refuse("bad_request", `this integration has ${most} subscriptions already; delete one first`);
      receivers.insert({
        id,
        integration_id: integrationId,
        url,
        created_at,
        behaviour: { ...correctBehaviour, ...behaviour },
      });
      const subscription = { id: newId(), integration_id: integrationId, url, created_at };
      subscriptions.insert(subscription);
      noteOwnAddresses(world, info.baseUrl);
      append("state", null, subscribed(subscription));
      append("world", null, { what: "receivers" });
      return receivers.get(id);
    });
    return made instanceof Refusal ? made : made ? receiverRow(made) : noReceiver(id);
  }),
  control(receiversList, ({ world }) => ({ items: world.stores.receivers.list().map(receiverRow) })),
  control(receiversSet, ({ world }, { id, behaviour }) =>
    changed(world, id, (found) => world.stores.receivers.set(found.seq, { ...found.behaviour, ...behaviour })),
  ),
  control(receiversReset, ({ world }, { id }) => changed(world, id, ({ seq }) => world.stores.receivers.reset(seq))),
  control(receiversDelete, async ({ world, deliveries }, { id }) => {
    const { receivers, subscriptions } = world.stores;
    await deliveries.written(world);
    const ended = await world.write((append) => {
      const found = receivers.get(id.toLowerCase());
      if (!found) return null;
      const ending = found.subscription_id === null ? undefined : subscriptions.get(found.subscription_id);
      const subscription = ending && unsubscribe(world, append, ending);
      receivers.delete(found.seq);
      append("world", null, { what: "receivers" });
      return { subscription };
    });
    if (!ended) return noReceiver(id);
    deliveries.wake(world);
    await ended.subscription?.publishRest();
    return { ok: true };
  }),
  pagedControl(receiversReceived, ({ world }, { id }, asked) => {
    const receiver = world.stores.receivers.get(id.toLowerCase());
    if (!receiver) return noReceiver(id);
    const found = world.stores.receivers.receipts(receiver.seq, asked.after?.seq ?? null, asked.limit + 1);
    return pageOf(found, asked, receiver.received, ({ seq: _seq, ...row }) => receiptRow(row));
  }),
  control(sinkList, ({ sink }) => ({ items: sink.receipts().map(receiptRow) })),
];
