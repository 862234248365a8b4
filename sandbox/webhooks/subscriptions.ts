import { randomUUID } from "node:crypto";
import type { Quotas } from "../config.ts";
import { type StateChange, sideWords } from "../contract/control/rows.ts";
import type { RefusedFor } from "../contract/errors.ts";
import { isUuid } from "../contract/schema.ts";
import { isoOrNull } from "../rules/timestamp.ts";
import { refuseDeployedUrl, refuseLocalUrl, type UrlRefusal } from "../rules/webhook-url.ts";
import type { CredentialRow } from "../storage/credentials-store.ts";
import { deliveryRow } from "../storage/delivery-records.ts";
import type { SubscriptionRecord } from "../storage/subscriptions-store.ts";
import type { Append, World } from "../worlds/world.ts";
import { isOwnAddress, noteOwnAddresses } from "./own-addresses.ts";

type Shown = Pick<SubscriptionRecord, "id" | "integration_id" | "url"> &
  Partial<Pick<SubscriptionRecord, "paused_at" | "paused_by" | "pending">>;

const stateOf = ({ id, integration_id, url, paused_at = null, paused_by = null, pending = 0 }: Shown) => ({
  ...{ id, integration_id, url, pending, paused_by },
  paused_at: isoOrNull(paused_at),
});

const changeOf = (
  of: Shown,
  change: StateChange["change"],
  before: Shown | null,
  after: Shown | null,
): StateChange => ({
  ...{ entity: "subscription", id: of.id, label: of.url, change, job_id: null },
  before: before && stateOf(before),
  after: after && stateOf(after),
});

/** What the world's log says of a new subscription. */
export const subscribed = (made: Shown): StateChange => changeOf(made, "inserted", null, made);

/** What the world's log says of one that was paused or resumed. */
export const subscriptionChanged = (before: Shown, after: Shown): StateChange =>
  changeOf(after, "updated", before, after);

/** What a subscription did, in words: for the side of the integration that is known by its key. */
export const subscribedOutcome = (subscriber: CredentialRow | undefined): string =>
  subscriber ? `${sideWords[subscriber.scope]} subscribed` : "subscribed";

type Refused = UrlRefusal | "missing_field" | "bad_body" | "too_many_subscriptions";

export type SubscribeAnswer =
  | { readonly status: 200; readonly body: { readonly ok: true } }
  | { readonly status: 400; readonly body: { readonly ok: false; readonly reason: Refused } };

const refused = (reason: Refused): SubscribeAnswer => ({ status: 400, body: { ok: false, reason } });

/** The service that is asked to subscribe an address, and the request that asks. */
export interface Subscribing {
  readonly mode: "local" | "deployed";
  /** Where the service is reached. */
  readonly origin: string;
  readonly traceId: string;
  /** How many subscriptions an integration and a world may have (D86). */
  readonly quotas: Pick<Quotas, "subscriptions" | "worldSubscriptions">;
}

type Body = { readonly value: unknown } | { readonly problem: string };
interface Fields {
  readonly integration_id?: unknown;
  readonly url?: unknown;
}

/** What a body of `webhooks.subscribe` asks for, or why it is refused in any world. */
export const asked = (
  mode: Subscribing["mode"],
  body: Body,
): { readonly integration_id: string; readonly url: string } | { readonly reason: Refused } => {
  if ("problem" in body) return { reason: "bad_body" };
  const { integration_id, url } = body.value as Fields;
  if (typeof integration_id !== "string" || !isUuid(integration_id) || typeof url !== "string")
    return { reason: "missing_field" };
  const reason = mode === "local" ? refuseLocalUrl(url) : refuseDeployedUrl(url);
  return reason ? { reason } : { integration_id: integration_id.toLowerCase(), url };
};

/** D85: deployed, nobody subscribes for an integration that is not installed; it is refused as one that is not named. */
const isUnknown = (world: World, mode: Subscribing["mode"], integrationId: string): boolean =>
  mode === "deployed" && world.stores.credentials.byIntegration(integrationId) === undefined;

/** Whether a body can be accepted by a world that is made for it. */
export const acceptable = (seed: World, mode: Subscribing["mode"], body: Body): boolean => {
  const judged = asked(mode, body);
  return !("reason" in judged) && !isUnknown(seed, mode, judged.integration_id);
};

/** A reason as a cause, with the fields at fault. */
export const whyRefused = (reason: Refused, body: Body): RefusedFor => {
  if ("problem" in body || reason === "bad_body") return { cause: "not_json", pointers: [""] };
  if (reason === "too_many_subscriptions") return { cause: reason, pointers: ["/integration_id"] };
  if (reason !== "missing_field") return { cause: reason, pointers: ["/url"] };
  const { integration_id, url } = body.value as Fields;
  const isNamed = typeof integration_id === "string" && isUuid(integration_id);
  const pointers = [...(isNamed ? [] : ["/integration_id"]), ...(typeof url === "string" ? [] : ["/url"])];
  // Both are there: no integration has this id.
  return { cause: "subscription_fields", pointers: pointers.length === 0 ? ["/integration_id"] : pointers };
};

/** Contract, "Subscription": registers an address for an integration of this world; the same again changes nothing (D71). */
export const subscribe = async (
  world: World,
  { mode, origin, traceId, quotas }: Subscribing,
  body: Body,
): Promise<SubscribeAnswer> => {
  const judged = asked(mode, body);
  if ("reason" in judged) return refused(judged.reason);
  if (isUnknown(world, mode, judged.integration_id)) return refused("missing_field");
  const { url } = judged;
  const row = { id: randomUUID(), ...judged, created_at: world.now() };
  const full = await world.write((append) => {
    const { subscriptions } = world.stores;
    const others = subscriptions.ofIntegration(row.integration_id);
    if (others.some((one) => one.url === url)) return false;
    if (others.length >= quotas.subscriptions || subscriptions.count() >= quotas.worldSubscriptions) return true;
    subscriptions.insert(row);
    if (isOwnAddress(url, origin)) noteOwnAddresses(world, origin);
    append("state", traceId, subscribed(row));
    return false;
  });
  return full ? refused("too_many_subscriptions") : { status: 200, body: { ok: true } };
};

/** So many deliveries are published in one commit: a backlog of any size holds nobody up. */
const PUBLISHED_AT_ONCE = 500;

/** A subscription that has ended in the file, and whose last deliveries may not all be published yet. */
export interface Ended {
  /** Publishes those that are left, once the write is committed. */
  readonly publishRest: () => Promise<void>;
}

/**
 * Ends a subscription with what waits for it, all in one write: what was attempted is given up, the rest never happened.
 * The subscription and each delivery that was given up are published, the first of them at once.
 */
export const unsubscribe = (world: World, append: Append, ending: SubscriptionRecord): Ended => {
  const at = Date.now();
  const publish = (to: Append, after: number): number | null => {
    const given = world.stores.outbox.failedAt(ending.seq, at, after, PUBLISHED_AT_ONCE);
    for (const delivery of given) to("delivery", delivery.event.trace_id, deliveryRow(delivery));
    return given.length < PUBLISHED_AT_ONCE ? null : (given.at(-1)?.seq ?? null);
  };
  append("state", null, changeOf(ending, "deleted", ending, null));
  world.stores.subscriptions.end(ending.id, at);
  const next = publish(append, 0);
  const publishRest = async (): Promise<void> => {
    for (let after = next; after !== null; ) {
      const from = after;
      after = await world.write((more) => publish(more, from));
    }
  };
  return { publishRest };
};
