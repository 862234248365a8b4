import type { Quotas } from "../config.ts";
import { type EventType, events } from "../contract/event-types.ts";
import { listenerAddress } from "../contract/listener.ts";
import { newId } from "../storage/new-id.ts";
import type { SubscriptionRecord } from "../storage/subscriptions-store.ts";
import type { World } from "../worlds/world.ts";
import { listeningChanged, subscriptionInserted } from "./subscriptions.ts";

export interface ListenRequest {
  readonly name: string;
  /** Null for all types. */
  readonly eventTypes: readonly EventType[] | null;
  /** Start for missed events, by the world's clock (milliseconds since 1970); null for new events only. */
  readonly since: number | null;
  /** One integration; null for all in the world. */
  readonly integrationId: string | null;
}

/** Missed events sent to a developer machine on connect, the newest. */
const MAX_MISSED = 1_000;

const sendMissed = (world: World, subscription: SubscriptionRecord, since: number): void => {
  const { credentials, outbox } = world.stores;
  const credential = credentials.findByIntegration(subscription.integration_id);
  if (!credential) return;
  const types = subscription.event_types ?? (Object.keys(events) as EventType[]);
  const ofSide = types.filter((type) => events[type].side === credential.scope);
  outbox.insertMissed(subscription, credential.organization_id, ofSide, since, MAX_MISSED, newId);
};

export const listListenerSubscriptions = ({ stores }: World, name: string): SubscriptionRecord[] =>
  stores.subscriptions.list().filter(({ url }) => url === listenerAddress(name));

/**
 * Subscribes a developer machine for each requested integration, and queues missed events. Deliveries that waited since
 * an earlier connection are sent anyway. Call again when an integration may have been installed.
 *
 * @returns whether a subscription failed because of the limit (D86)
 */
export const listen = (
  world: World,
  request: ListenRequest,
  quotas: Pick<Quotas, "subscriptions" | "worldSubscriptions">,
) =>
  world.write((append): { readonly tooMany: boolean } => {
    const { subscriptions, credentials } = world.stores;
    const url = listenerAddress(request.name);
    let tooMany = false;
    for (const { integration_id } of credentials.list()) {
      if (request.integrationId !== null && request.integrationId !== integration_id) continue;
      const others = subscriptions.listByIntegration(integration_id);
      if (!others.some((one) => one.url === url)) {
        if (others.length >= quotas.subscriptions || subscriptions.count() >= quotas.worldSubscriptions) {
          tooMany = true;
          continue;
        }
        const subscription = { id: newId(), integration_id, url, created_at: world.now() };
        subscriptions.insert(subscription);
        append("state", null, subscriptionInserted(subscription));
      }
      const own = subscriptions.listByIntegration(integration_id).find((one) => one.url === url);
      if (!own) continue;
      subscriptions.setEventTypes(own.seq, request.eventTypes);
      if (request.since !== null) sendMissed(world, { ...own, event_types: request.eventTypes }, request.since);
    }
    return { tooMany };
  });

/** Checks whether a requested integration has no subscription yet. */
export const hasNewIntegration = (world: World, { name, integrationId }: ListenRequest): boolean => {
  const known = new Set(listListenerSubscriptions(world, name).map((one) => one.integration_id));
  return world.stores.credentials
    .list()
    .some(({ integration_id: id }) => (integrationId === null || integrationId === id) && !known.has(id));
};

/** Logs a connect or disconnect of a developer machine in its world. */
export const noteListening = (world: World, name: string, connected: boolean): Promise<void> =>
  world.note((append) => {
    for (const one of listListenerSubscriptions(world, name)) append("state", null, listeningChanged(one, connected));
  });
