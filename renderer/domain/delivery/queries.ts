import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { controlQuery, itemsQuery } from "../../lib/control-query.ts";

/** Subscriptions of all integrations. */
export const subscriptionsQuery = (world: string) =>
  itemsQuery(worldKeys(world).subscriptions("list"), "subscriptions.list", { world });

/** A delivery with every attempt, byte for byte. */
export const deliveryQuery = (world: string, id: string) =>
  controlQuery(worldKeys(world).deliveries("detail", id), "deliveries.get", { id, world });
