import { randomUUID } from "node:crypto";
import type { Quotas } from "../config.ts";
import type { Cause } from "../contract/causes.ts";
import type { StateChange } from "../contract/control/rows.ts";
import { Refusal, type RefusalReason } from "../contract/errors.ts";
import { isUuid } from "../contract/schema.ts";
import { urlMistake } from "../contract/url-mistake.ts";
import { isoOrNull } from "../rules/timestamp.ts";
import { refuseDeployedUrl, refuseLocalUrl, type UrlRefusal } from "../rules/webhooks/webhook-url.ts";
import type { Append } from "../storage/log-store.ts";
import type { SubscriptionRecord } from "../storage/subscriptions-store.ts";
import type { World } from "../worlds/world.ts";
import { isOwnAddress, noteOwnAddresses, toLoopback } from "./own-addresses.ts";

type ShownSubscription = Pick<SubscriptionRecord, "id" | "integration_id" | "url"> &
  Partial<Pick<SubscriptionRecord, "paused_at" | "paused_by" | "pending">>;

const toState = ({ id, integration_id, url, paused_at = null, paused_by = null, pending = 0 }: ShownSubscription) => ({
  ...{ id, integration_id, url, pending, paused_by },
  paused_at: isoOrNull(paused_at),
});

const createChange = (
  { id, url }: ShownSubscription,
  change: StateChange["change"],
  before: ShownSubscription | null,
  after: ShownSubscription | null,
): StateChange => ({
  ...{ entity: "subscription", id, label: url, change, job_id: null },
  before: before && toState(before),
  after: after && toState(after),
});

export const subscriptionInserted = (subscription: ShownSubscription): StateChange =>
  createChange(subscription, "inserted", null, subscription);

export const subscriptionChanged = (before: ShownSubscription, after: ShownSubscription): StateChange =>
  createChange(after, "updated", before, after);

/** Log entry for a connected or disconnected developer machine. */
export const listeningChanged = (one: ShownSubscription, connected: boolean): StateChange => ({
  ...createChange(one, "updated", one, one),
  before: { ...toState(one), connected: !connected },
  after: { ...toState(one), connected },
});

/** Context of a request to subscribe. */
interface SubscribeContext {
  readonly mode: "local" | "deployed";
  /** Additional hosts a local service may send to (D95). */
  readonly receiverHosts: readonly string[];
  /** Additional names of the service itself (D95). */
  readonly allowHosts: readonly string[];
  /** The service's origin. */
  readonly origin: string;
  readonly traceId: string;
  /** Integration of the request's credentials, if the world requires them. It may subscribe only itself. */
  readonly caller: string | null;
  /** Subscription limits of an integration and a world (D86). */
  readonly quotas: Pick<Quotas, "subscriptions" | "worldSubscriptions">;
}

type Addresses = Pick<SubscribeContext, "mode" | "receiverHosts" | "allowHosts" | "origin">;

type Body = { readonly value: unknown } | Refusal;

/** Refusal as returned, and its cause with the invalid fields. */
interface SubscriptionRefusal {
  readonly reason: UrlRefusal | "missing_field" | "bad_body" | "too_many_subscriptions" | "unauthorized";
  readonly why: RefusalReason;
}

/** A valid request: lower-case integration ID, and a permitted address. */
interface SubscriptionRequest {
  readonly integration_id: string;
  readonly url: string;
}

/** @param problems what is wrong with each field; null: nothing */
const refuseFields = (problems: Readonly<Record<string, string | null>>): SubscriptionRefusal => {
  const wrong = Object.entries(problems).filter(([, problem]) => problem !== null);
  const fact = wrong.map(([name, problem]) => `\`${name}\` ${problem}.`).join(" ");
  const pointers = wrong.map(([name]) => `/${name}`);
  return { reason: "missing_field", why: { cause: "subscription_fields", pointers, fact } };
};
const describeWrong = (value: unknown, expected: string): string =>
  value === undefined ? "is missing" : `is not ${expected}`;

/** Causes for addresses that are malformed, wherever they lead. */
const malformedCauses: Readonly<Record<UrlRefusal, Cause>> = {
  url_not_loopback: "url_invalid",
  https_required: "public_url_invalid",
  private_or_reserved_host: "private_or_reserved_host",
};

/** Validates a request to subscribe. @returns the request, or a refusal */
export const evaluateSubscription = (
  { stores }: World,
  { mode, receiverHosts, allowHosts, origin }: Addresses,
  body: Body,
): SubscriptionRequest | SubscriptionRefusal => {
  if (body instanceof Refusal) return { reason: "bad_body", why: body.why ?? { cause: "not_json", pointers: [""] } };
  const { integration_id, url } = body.value as { readonly integration_id?: unknown; readonly url?: unknown };
  const isNamed = typeof integration_id === "string" && isUuid(integration_id);
  if (!isNamed || typeof url !== "string")
    return refuseFields({
      integration_id: isNamed ? null : describeWrong(integration_id, "a UUID"),
      url: typeof url === "string" ? null : describeWrong(url, "text"),
    });
  const own = mode === "local" ? toLoopback(url, origin, allowHosts) : null;
  const reason = mode === "local" ? refuseLocalUrl(url, own ? allowHosts : receiverHosts) : refuseDeployedUrl(url);
  const fact = reason && urlMistake(url);
  if (reason)
    return {
      reason,
      why: { pointers: ["/url"], ...(fact ? { cause: malformedCauses[reason], fact } : { cause: reason }) },
    };
  const known = integration_id.toLowerCase();
  // D85: deployed, only installed integrations can be subscribed.
  if (mode === "deployed" && !stores.credentials.findByIntegration(known))
    return refuseFields({ integration_id: "is of no integration that is installed in this world" });
  return { integration_id: known, url: own ?? url };
};

/**
 * Contract, "Subscription": registers an address for an integration of this world. Repeats change nothing (D71).
 *
 * @returns the subscription, or a refusal
 */
export const subscribe = async (
  world: World,
  subscribing: SubscribeContext,
  body: Body,
): Promise<SubscriptionRequest | SubscriptionRefusal> => {
  const { origin, traceId, caller, quotas } = subscribing;
  const verdict = evaluateSubscription(world, subscribing, body);
  if ("reason" in verdict) return verdict;
  if (caller !== null && caller !== verdict.integration_id)
    return { reason: "unauthorized", why: { cause: "subscription_of_another", pointers: ["/integration_id"] } };
  const row = { id: randomUUID(), ...verdict, created_at: world.now() };
  return world.write((append) => {
    const { subscriptions } = world.stores;
    const others = subscriptions.listByIntegration(row.integration_id);
    if (others.some((one) => one.url === row.url)) return verdict;
    const isFull = others.length >= quotas.subscriptions;
    if (isFull || subscriptions.count() >= quotas.worldSubscriptions) {
      const reason = "too_many_subscriptions";
      const fact = isFull
        ? `The integration has reached its limit of subscriptions in this world, ${quotas.subscriptions}.`
        : `This world has reached its limit of subscriptions of all integrations, ${quotas.worldSubscriptions}.`;
      return { reason, why: { cause: reason, pointers: ["/integration_id"], fact } };
    }
    subscriptions.insert(row);
    if (isOwnAddress(row.url, origin)) noteOwnAddresses(world, origin);
    append("state", traceId, subscriptionInserted(row));
    return verdict;
  });
};

/**
 * Ends a subscription and its waiting deliveries in one write. Attempted ones fail; others are deleted. The feed
 * reports only the subscription, and its readers reload the deliveries.
 */
export const unsubscribe = ({ stores }: World, append: Append, ending: SubscriptionRecord): void => {
  append("state", null, createChange(ending, "deleted", ending, null));
  stores.subscriptions.end(ending.id);
};
