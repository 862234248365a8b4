import {
  deliveriesGet,
  deliveriesList,
  deliveriesRedeliver,
  subscriptionsDelete,
  subscriptionsList,
} from "../contract/control/operations.ts";
import type { Attempt, Subscription } from "../contract/control/rows.ts";
import { subscriptionsPause, subscriptionsResume } from "../contract/control/subscription-operations.ts";
import { refuse } from "../contract/errors.ts";
import { SIGNATURE_HEADER } from "../contract/events.ts";
import { newId } from "../new-id.ts";
import { verifyNotification } from "../rules/webhook-signature.ts";
import type { AttemptRecord } from "../storage/delivery-records.ts";
import { deliveryRow } from "../storage/delivery-rows.ts";
import type { Standing } from "../storage/subscriptions-store.ts";
import { subscriptionChanged } from "../webhooks/subscription-changes.ts";
import { unsubscribe } from "../webhooks/unsubscribe.ts";
import { type BoundControl, type ControlContext, control, iso } from "./handler.ts";
import { decodeCursor, encodeCursor, pageOf } from "./paging.ts";

const LIMIT = 100;

const attemptRow = (attempt: AttemptRecord, secret: string | null): Attempt => ({
  number: attempt.number,
  started_at: iso(attempt.started_at),
  duration_ms: attempt.duration_ms,
  request_headers: attempt.request_headers,
  request_body_base64: attempt.request_body.toString("base64"),
  response_status: attempt.response_status,
  response_headers: attempt.response_headers,
  response_body_base64: attempt.response_body.toString("base64"),
  response_truncated: attempt.response_truncated,
  error: attempt.error,
  verification: [
    ...verifyNotification({
      body: attempt.request_body,
      header: attempt.request_headers.find(([name]) => name === SIGNATURE_HEADER)?.[1] ?? null,
      secret,
      now: attempt.started_at,
    }).steps,
  ],
});

const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

const nextAttemptAt = ({ world, info }: ControlContext, { lane, pending, paused_at }: Standing): number | null => {
  if (!info.deliveriesOn || pending === 0 || paused_at !== null) return null;
  const { outbox } = world.stores;
  return outbox.untriedSince(lane) ?? outbox.nextRetryAt(lane);
};

const subscriptionRow = (context: ControlContext, standing: Standing): Subscription => {
  const { credentials, directory } = context.world.stores;
  const credential = credentials.byIntegration(standing.integration_id);
  const { lane: _lane, ...row } = standing;
  return {
    ...row,
    created_at: iso(row.created_at),
    scope: credential?.scope ?? null,
    organization_name: credential ? (directory.organization(credential.organization_id)?.name ?? "") : "",
    last_success_at: isoOrNull(row.last_success_at),
    failing_since: isoOrNull(row.failing_since),
    next_attempt_at: isoOrNull(nextAttemptAt(context, standing)),
    paused_at: isoOrNull(row.paused_at),
  };
};

const noSubscription = (id: string) => refuse("not_found", `/id ${id} is no subscription of this world`);
const noDelivery = (id: string) => refuse("not_found", `/id ${id} is no delivery of this world`);

/** Changes a subscription and lets the deliveries follow. The same again changes nothing. */
const changed = async (context: ControlContext, id: string, change: (standing: Standing) => boolean) => {
  const { world, deliveries } = context;
  const { subscriptions } = world.stores;
  const after = await world.write((append) => {
    const standing = subscriptions.standing(id.toLowerCase());
    if (!standing) return null;
    const different = change(standing);
    const now = subscriptions.standing(standing.id) ?? standing;
    if (different) append("state", null, subscriptionChanged(standing, now));
    return now;
  });
  if (!after) return noSubscription(id);
  deliveries.wake(world);
  return subscriptionRow(context, after);
};

/** Subscriptions, how they fare, and what was and will be sent to them. */
export const deliveryControls: readonly BoundControl[] = [
  control(subscriptionsList, (context) => ({
    items: context.world.stores.subscriptions.standings().map((standing) => subscriptionRow(context, standing)),
  })),
  control(subscriptionsDelete, async ({ world, deliveries }, { id }) => {
    const ended = await world.write((append) => {
      const ending = world.stores.subscriptions.standing(id.toLowerCase());
      return ending ? unsubscribe(world, append, ending) : null;
    });
    if (!ended) return noSubscription(id);
    deliveries.wake(world);
    await ended.tellRest();
    return { ok: true };
  }),
  control(subscriptionsPause, (context, { id }) =>
    changed(context, id, ({ lane, paused_at }) => {
      if (paused_at !== null) return false;
      context.world.stores.subscriptions.pause(lane, Date.now(), "person");
      return true;
    }),
  ),
  control(subscriptionsResume, (context, { id }) =>
    changed(context, id, ({ lane, paused_at }) => {
      if (paused_at === null) return false;
      const { subscriptions, outbox } = context.world.stores;
      subscriptions.resume(lane);
      // As if the address had not failed before: nothing waits for what it did wrong.
      outbox.tryAtOnce(lane, Date.now());
      return true;
    }),
  ),
  control(deliveriesList, ({ world }, { status, integration_id, subscription_id, cursor, limit = LIMIT }) => {
    const { outbox } = world.stores;
    const filter = {
      status,
      integration_id: integration_id?.toLowerCase(),
      subscription_id: subscription_id?.toLowerCase(),
    };
    const before = (cursor === undefined ? null : decodeCursor(cursor))?.seq ?? Number.MAX_SAFE_INTEGER;
    const { rows, last } = pageOf(outbox.newest(filter, before, limit + 1), limit);
    return {
      items: rows.map(deliveryRow),
      next_cursor: last ? encodeCursor(last.seq, last.seq) : null,
      total: outbox.count(filter),
    };
  }),
  control(deliveriesGet, ({ world }, { id }) => {
    const { outbox, credentials } = world.stores;
    const delivery = outbox.delivery(id.toLowerCase());
    if (!delivery) return noDelivery(id);
    const secret = credentials.byIntegration(delivery.integration_id)?.webhook_secret ?? null;
    return {
      ...deliveryRow(delivery),
      attempts: outbox.attempts(delivery.seq).map((attempt) => attemptRow(attempt, secret)),
    };
  }),
  control(deliveriesRedeliver, async ({ world, deliveries }, { id }) => {
    const { outbox, subscriptions } = world.stores;
    const made = await world.write((append) => {
      const original = outbox.delivery(id.toLowerCase());
      if (!original) return noDelivery(id);
      if (!subscriptions.standing(original.subscription_id)) {
        return refuse(
          "not_found",
          "the subscription of this delivery has ended; subscribe the address again and repeat the call that made the event",
        );
      }
      const row = deliveryRow(outbox.insertRepeat(original, newId(), Date.now()));
      append("delivery", row.trace_id, row);
      return row;
    });
    deliveries.wake(world);
    return made;
  }),
];
