import type { Attempt, Subscription } from "../contract/control/rows.ts";
import { refuse } from "../contract/errors.ts";
import { listenerName } from "../contract/listener.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { queueTestEvent } from "../operations/write-outbox.ts";
import { iso, isoOrNull } from "../rules/timestamp.ts";
import { countRecent } from "../rules/webhooks/subscription-health.ts";
import { verifyNotification } from "../secrets/webhook-signature.ts";
import { type AttemptRecord, type DeliveryRecord, deliveryRow } from "../storage/delivery-records.ts";
import { newId } from "../storage/new-id.ts";
import { realTime } from "../storage/real-time.ts";
import { mapSliced } from "../storage/slices.ts";
import type { SubscriptionRecord } from "../storage/subscriptions-store.ts";
import { describeReceived, findOtherWorlds } from "../webhooks/receives.ts";
import { subscriptionChanged, unsubscribe } from "../webhooks/subscriptions.ts";
import type { World } from "../worlds/world.ts";
import { explainAttempt } from "./attempt-explanation.ts";
import { type BoundControl, type ControlContext, control, refuseUnknown, refuseUnknownDelivery } from "./handler.ts";
import { pagedControl, toPage, upperBound } from "./paging.ts";

/** Attempts that delayed this one: a subscription sends one notification at a time (D73). */
const countWaitedBehind = (
  world: World,
  delivery: DeliveryRecord,
  attempts: readonly AttemptRecord[],
  index: number,
) => {
  const [before, attempt] = [attempts[index - 1], attempts[index]];
  const since = before ? Date.parse(before.started_at) + before.duration_ms : Date.parse(delivery.created_at);
  if (!attempt || Date.parse(attempt.started_at) - since < 1_000) return {};
  const ended = world.stores.outbox.countEndedBefore(delivery, attempt.number, since);
  return ended.unanswered === 0 ? {} : { waited_behind: ended };
};

const attemptRow = (
  attempt: AttemptRecord,
  secret: string | null,
  left: Parameters<typeof explainAttempt>[1],
): Attempt => {
  const body = Buffer.from(attempt.request_body_base64, "base64");
  const header = attempt.request_headers.find(([name]) => name === SIGNATURE_HEADER)?.[1] ?? null;
  const now = Date.parse(attempt.started_at);
  const verification = [...verifyNotification({ body, header, secret, now }).steps];
  return { ...attempt, verification, explanation: explainAttempt({ ...attempt, verification }, left) };
};

/** Deliveries summarized for each subscription, and for all listed ones together. */
const MAX_RECENT = 100;
const MAX_RECENT_TOTAL = 5_000;

type OtherWorlds = ReadonlyMap<string, string>;
const findOthers = (
  { world, worlds, maySee }: ControlContext,
  all: readonly SubscriptionRecord[],
): Promise<OtherWorlds> =>
  findOtherWorlds(
    worlds,
    world,
    all.map(({ integration_id }) => integration_id),
    maySee,
  );

/** @param listed number of subscriptions in the same response */
const subscriptionRow = (
  context: ControlContext,
  subscription: SubscriptionRecord,
  others: OtherWorlds,
  listed = 1,
): Subscription => {
  const { credentials, directory, outbox } = context.world.stores;
  const credential = credentials.findByIntegration(subscription.integration_id);
  const { seq, event_types, ...row } = subscription;
  const machine = listenerName(row.url);
  const connected = machine !== null && context.deliveries.listeners.isConnected(context.worldName, machine);
  const goes = machine === null || connected;
  const isSent = context.info.deliveriesOn && row.pending > 0 && row.paused_at === null && goes;
  return {
    ...row,
    created_at: iso(row.created_at),
    scope: credential?.scope ?? null,
    organization_name: credential ? (directory.organization(credential.organization_id)?.name ?? "") : "",
    receives: describeReceived(context.world, subscription, others),
    last_success_at: isoOrNull(row.last_success_at),
    failing_since: isoOrNull(row.failing_since),
    recent: countRecent(outbox.listLastEnded(seq, Math.min(MAX_RECENT, Math.ceil(MAX_RECENT_TOTAL / listed)))),
    next_attempt_at: isoOrNull(isSent ? outbox.dueAt(seq) : null),
    paused_at: isoOrNull(row.paused_at),
    ...(machine === null
      ? {}
      : { listener: { name: machine, connected, event_types: event_types && [...event_types] } }),
  };
};

const noSubscription = (id: string) => refuseUnknown("id", id, "subscription", "subscriptions.list");

/** Changes a subscription and starts its deliveries. Repeating a change has no effect. */
const changeSubscription = async (
  context: ControlContext,
  id: string,
  change: (subscription: SubscriptionRecord) => boolean,
) => {
  const { world, deliveries } = context;
  const { subscriptions } = world.stores;
  const after = await world.write((append) => {
    const before = subscriptions.get(id.toLowerCase());
    if (!before) return null;
    const different = change(before);
    const now = subscriptions.get(before.id) ?? before;
    if (different) append("state", null, subscriptionChanged(before, now));
    return now;
  });
  if (!after) return noSubscription(id);
  deliveries.wake(world);
  return subscriptionRow(context, after, await findOthers(context, [after]));
};

export const deliveryControls: readonly BoundControl[] = [
  control("subscriptions.list", async (context) => {
    const all = context.world.stores.subscriptions.list();
    const others = await findOthers(context, all);
    const rowOf = (one: SubscriptionRecord): Subscription => subscriptionRow(context, one, others, all.length);
    return { items: await context.inSlices(() => mapSliced(all, rowOf)) };
  }),
  control("subscriptions.delete", async ({ world, deliveries }, { id }) => {
    await deliveries.written(world);
    const ended = await world.write((append) => {
      const ending = world.stores.subscriptions.get(id.toLowerCase());
      if (!ending) return noSubscription(id);
      unsubscribe(world, append, ending);
      return { ok: true };
    });
    deliveries.wake(world);
    return ended;
  }),
  control("subscriptions.pause", (context, { id }) =>
    changeSubscription(context, id, ({ seq, paused_at }) => {
      if (paused_at !== null) return false;
      context.world.stores.subscriptions.pause(seq, realTime(), "person");
      return true;
    }),
  ),
  control("subscriptions.resume", (context, { id }) =>
    changeSubscription(context, id, (subscription) => {
      if (subscription.paused_at === null) return false;
      const { subscriptions, outbox } = context.world.stores;
      subscriptions.resume(subscription);
      // Earlier failures are cleared, so waiting retries are due now.
      outbox.retryAtOnce(subscription.seq, realTime());
      return true;
    }),
  ),
  control("subscriptions.send-test", async ({ world, deliveries, info }, { id }) => {
    if (!info.deliveriesOn)
      return refuse("bad_request", "deliveries are off. Start the service with --deliveries on to send a test event");
    const queued = await world.write(() => {
      const { subscriptions, credentials } = world.stores;
      const subscription = subscriptions.get(id.toLowerCase());
      const credential = subscription && credentials.findByIntegration(subscription.integration_id);
      return subscription && credential ? queueTestEvent(world, subscription, credential) : noSubscription(id);
    });
    deliveries.wake(world);
    return queued;
  }),
  pagedControl("deliveries.list", ({ world }, { ids, status, ...of }, pageRequest) => {
    const filter = {
      ...{ status, ids: ids?.map((id) => id.toLowerCase()) },
      integration_id: of.integration_id?.toLowerCase(),
      subscription_id: of.subscription_id?.toLowerCase(),
      message_id: of.message_id?.toLowerCase(),
      job_id: of.job_id?.toLowerCase(),
      failed: of.attempt_cause && {
        cause: of.attempt_cause,
        status: of.attempt_status ?? null,
        from: of.attempts_from === undefined ? 0 : Date.parse(of.attempts_from),
      },
    };
    const { rows, total } = world.stores.outbox.list(filter, upperBound(pageRequest), pageRequest.limit + 1);
    return toPage(rows, pageRequest, total, deliveryRow);
  }),
  control("deliveries.get", ({ world }, { id }) => {
    const { outbox, credentials, subscriptions } = world.stores;
    const delivery = outbox.delivery(id.toLowerCase());
    if (!delivery) return refuseUnknownDelivery(id);
    const ended = !subscriptions.get(delivery.subscription_id);
    const left = ended ? "subscribe" : delivery.status === "failed" ? "resend" : null;
    const secret = credentials.findByIntegration(delivery.integration_id)?.webhook_secret ?? null;
    const attempts = outbox.attempts(delivery.seq);
    return {
      ...deliveryRow(delivery),
      attempts: attempts.map((attempt, index) => ({
        ...attemptRow(attempt, secret, left),
        ...countWaitedBehind(world, delivery, attempts, index),
      })),
    };
  }),
  control("deliveries.redeliver", async ({ world, deliveries }, { id }) => {
    const { outbox, subscriptions } = world.stores;
    const redelivery = await world.write(() => {
      const original = outbox.delivery(id.toLowerCase());
      if (!original) return refuseUnknownDelivery(id);
      if (!subscriptions.get(original.subscription_id)) {
        return refuse(
          "not_found",
          "the subscription of this delivery was deleted. Subscribe the address again and repeat the call that caused the event",
        );
      }
      return deliveryRow(outbox.insertRepeat(original, newId(), realTime()));
    });
    deliveries.wake(world);
    return redelivery;
  }),
];
