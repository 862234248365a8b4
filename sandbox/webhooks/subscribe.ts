import { randomUUID } from "node:crypto";
import { isUuid } from "../contract/schema.ts";
import { refuseDeployedUrl, refuseLocalUrl, type UrlRefusal } from "../rules/webhook-url.ts";
import type { World } from "../worlds/world.ts";

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

/** Contract, "Subscription": registers an address for an integration of this world; the same again changes nothing (D71). */
export const subscribe = async (
  world: World,
  mode: "local" | "deployed",
  body: { readonly value: unknown } | { readonly problem: string },
): Promise<SubscribeAnswer> => {
  if ("problem" in body) return refused("bad_body");
  const { integration_id, url } = body.value as { readonly integration_id?: unknown; readonly url?: unknown };
  if (typeof integration_id !== "string" || !isUuid(integration_id) || typeof url !== "string")
    return refused("missing_field");
  const reason = mode === "local" ? refuseLocalUrl(url) : refuseDeployedUrl(url);
  if (reason) return refused(reason);
  await world.write((append) => {
    const row = { id: randomUUID(), integration_id: integration_id.toLowerCase(), url, created_at: world.now() };
    if (world.stores.subscriptions.insert(row)) append("world", null, { what: "subscriptions" });
  });
  return { status: 200, body: { ok: true } };
};
