import { randomUUID } from "node:crypto";
import { isUuid } from "../contract/schema.ts";
import { refuseDeployedUrl, refuseLocalUrl, type UrlRefusal } from "../rules/webhook-url.ts";
import type { World } from "../worlds/world.ts";
import { isOwnAddress, noteOwnAddresses } from "./own-addresses.ts";
import { subscribed } from "./subscription-changes.ts";

export type SubscribeAnswer =
  | { readonly status: 200; readonly body: { readonly ok: true } }
  | {
      readonly status: 400;
      readonly body: { readonly ok: false; readonly reason: UrlRefusal | "missing_field" | "bad_body" };
    };

const refused = (reason: UrlRefusal | "missing_field" | "bad_body"): SubscribeAnswer => ({
  status: 400,
  body: { ok: false, reason },
});

/** The service that is asked to subscribe an address, and the request that asks. */
export interface Subscribing {
  readonly mode: "local" | "deployed";
  /** Where the service is reached. */
  readonly origin: string;
  readonly traceId: string;
}

/** Contract, "Subscription": registers an address for an integration of this world; the same again changes nothing (D71). */
export const subscribe = async (
  world: World,
  { mode, origin, traceId }: Subscribing,
  body: { readonly value: unknown } | { readonly problem: string },
): Promise<SubscribeAnswer> => {
  if ("problem" in body) return refused("bad_body");
  const { integration_id, url } = body.value as { readonly integration_id?: unknown; readonly url?: unknown };
  if (typeof integration_id !== "string" || !isUuid(integration_id) || typeof url !== "string")
    return refused("missing_field");
  const reason = mode === "local" ? refuseLocalUrl(url) : refuseDeployedUrl(url);
  if (reason) return refused(reason);
  await world.write((append) => {
    const { subscriptions } = world.stores;
    const row = { id: randomUUID(), integration_id: integration_id.toLowerCase(), url, created_at: world.now() };
    if (!subscriptions.insert(row)) return;
    if (isOwnAddress(url, origin)) noteOwnAddresses(world, origin);
    append("state", traceId, subscribed(row));
  });
  return { status: 200, body: { ok: true } };
};
