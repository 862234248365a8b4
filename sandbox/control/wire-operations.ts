import { randomUUID } from "node:crypto";
import {
  deliveriesGet,
  deliveriesList,
  deliveriesRedeliver,
  eventsList,
  requestsGet,
  requestsList,
  subscriptionsDelete,
  subscriptionsList,
  tracesGet,
} from "../contract/control/operations.ts";
import type { Attempt, DeliveryRow, EventRow, StateChange } from "../contract/control/rows.ts";
import { refuse } from "../contract/errors.ts";
import { SIGNATURE_HEADER } from "../contract/events.ts";
import { verifyNotification } from "../rules/webhook-signature.ts";
import { deliveryRow } from "../storage/delivery-rows.ts";
import { type AttemptRecord, DELIVERY_SELECT } from "../storage/outbox-store.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, control, iso } from "./handler.ts";
import { Conditions, decodeCursor, encodeCursor, olderThan, pageOf } from "./paging.ts";

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

const isA =
  <T>(kind: string) =>
  (entry: { readonly kind: string; readonly data: unknown }): T[] =>
    entry.kind === kind ? [entry.data as T] : [];

const listEvents = (world: World, cursor: string | undefined, limit: number) => {
  const from = cursor === undefined ? null : decodeCursor(cursor);
  type Stored = Omit<EventRow, "event_timestamp" | "payload"> & {
    seq: number;
    event_timestamp: number;
    payload: string;
  };
  const found = world.db.all<Stored>(
    "SELECT e.seq, e.id, e.event_type, e.event_timestamp, e.organization_id, e.payload, e.trace_id, e.label, " +
      "(SELECT count(*) FROM deliveries d WHERE d.event_seq = e.seq) AS deliveries FROM events e WHERE e.seq < ? ORDER BY e.seq DESC LIMIT ?",
    from?.seq ?? Number.MAX_SAFE_INTEGER,
    limit + 1,
  );
  const { rows, last } = pageOf(found, limit);
  return {
    items: rows.map(({ seq: _seq, ...row }) => ({
      ...row,
      event_timestamp: iso(world.db.fromStored(row.event_timestamp)),
      payload: JSON.parse(row.payload) as Record<string, string>,
    })),
    next_cursor: last ? encodeCursor(0, last.seq) : null,
    total: new Conditions().count(world.db, "events"),
  };
};

/** What went over the wire: subscriptions, events, deliveries, exchanges and the traces that join them. */
export const wireControls: readonly BoundControl[] = [
  control(subscriptionsList, ({ world }) => {
    const { subscriptions, credentials, directory } = world.stores;
    return {
      items: subscriptions.list().map((row) => {
        const credential = credentials.byIntegration(row.integration_id);
        return {
          ...row,
          created_at: iso(row.created_at),
          scope: credential?.scope ?? null,
          organization_name: credential ? (directory.organization(credential.organization_id)?.name ?? "") : "",
          ...subscriptions.counts(row.id),
        };
      }),
    };
  }),
  control(subscriptionsDelete, async ({ world }, { id }) => {
    const found = await world.write((append) => {
      const deleted = world.stores.subscriptions.delete(id.toLowerCase());
      if (deleted) append("world", null, { what: "subscriptions" });
      return deleted;
    });
    return found ? { ok: true } : refuse("not_found", `/id ${id} is no subscription of this world`);
  }),
  control(eventsList, ({ world }, { cursor, limit = LIMIT }) => listEvents(world, cursor, limit)),
  control(deliveriesList, ({ world }, { status, integration_id, cursor, limit = LIMIT }) => {
    const filtered = () => {
      const conditions = new Conditions();
      if (status) conditions.add("d.status = ?", status);
      if (integration_id) conditions.add("d.integration_id = ?", integration_id.toLowerCase());
      return conditions;
    };
    const page = olderThan(filtered(), cursor, "d.seq", "d.seq");
    const found = world.db
      .all<Parameters<World["stores"]["outbox"]["record"]>[0]>(
        `${DELIVERY_SELECT}${page.where} ORDER BY d.seq DESC LIMIT ?`,
        ...page.values,
        limit + 1,
      )
      .map(world.stores.outbox.record);
    const { rows: records, last } = pageOf(found, limit);
    return {
      items: records.map(deliveryRow),
      next_cursor: last ? encodeCursor(last.seq, last.seq) : null,
      total: filtered().count(world.db, "deliveries d"),
    };
  }),
  control(deliveriesGet, ({ world }, { id }) => {
    const { outbox, credentials } = world.stores;
    const delivery = outbox.delivery(id.toLowerCase());
    if (!delivery) return refuse("not_found", `/id ${id} is no delivery of this world`);
    const secret = credentials.byIntegration(delivery.integration_id)?.webhook_secret ?? null;
    return {
      ...deliveryRow(delivery),
      attempts: outbox.attempts(delivery.seq).map((attempt) => attemptRow(attempt, secret)),
    };
  }),
  control(deliveriesRedeliver, async ({ world, deliveries }, { id }) => {
    const { outbox } = world.stores;
    const original = outbox.delivery(id.toLowerCase());
    if (!original) return refuse("not_found", `/id ${id} is no delivery of this world`);
    if (!world.stores.subscriptions.list().some((one) => one.id === original.subscription_id)) {
      return refuse(
        "not_found",
        "the subscription of this delivery has ended; subscribe the address again and repeat the call that made the event",
      );
    }
    const made = await world.write((append): DeliveryRow | null => {
      const delivery = original;
      const again = randomUUID();
      outbox.insertDelivery({
        id: again,
        event_seq: delivery.event_seq,
        message_id: delivery.message_id,
        integration_id: delivery.integration_id,
        subscription_id: delivery.subscription_id,
        url: delivery.url,
        created_at: Date.now(),
        repeats_id: delivery.id,
      });
      const inserted = outbox.delivery(again);
      if (!inserted) return null;
      append("delivery", inserted.event.trace_id, deliveryRow(inserted));
      return deliveryRow(inserted);
    });
    if (!made) return refuse("not_found", `/id ${id} is no delivery of this world`);
    deliveries.wake(world);
    return made;
  }),
  control(requestsList, ({ world }, { search, job_id, procurement_id, cursor, limit = LIMIT }) => {
    const from = cursor === undefined ? null : decodeCursor(cursor);
    const { rows, last, total } = world.stores.requests.list({
      search,
      job_id,
      procurement_id,
      before: from?.seq,
      limit,
    });
    return { items: rows, next_cursor: last === null ? null : encodeCursor(0, last), total };
  }),
  control(
    requestsGet,
    ({ world }, { id }) =>
      world.stores.requests.get(id.toLowerCase()) ?? refuse("not_found", `/id ${id} is no exchange that is still kept`),
  ),
  control(tracesGet, ({ world }, { id }) => {
    const traceId = id.toLowerCase();
    const { log, requests, outbox } = world.stores;
    const entries = log.ofTrace(traceId);
    const request = requests.ofTrace(traceId) ?? null;
    if (entries.length === 0 && !request) return refuse("not_found", `/id ${id} is no trace that is still kept`);
    const latest = new Map(
      entries.flatMap(isA<DeliveryRow>("delivery")).map((row) => [row.id, outbox.delivery(row.id)]),
    );
    return {
      id: traceId,
      request,
      changes: entries.flatMap(isA<StateChange>("state")),
      events: entries.flatMap(isA<EventRow>("event")),
      deliveries: [...latest.values()].flatMap((delivery) => (delivery ? [deliveryRow(delivery)] : [])),
    };
  }),
];
