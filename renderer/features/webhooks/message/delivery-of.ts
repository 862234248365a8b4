import { queryOptions } from "@tanstack/react-query";
import type { Receipt } from "../../../../sandbox/contract/control/receiver-rows.ts";
import type { DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { isId } from "../../../lib/search-params.ts";
import { callControl } from "../../../lib/service-client.ts";
import { type WhereTo, whereTo } from "../where-to.tsx";

/** Among the deliveries of a message, the one that came here: the last that was made before it arrived. */
export const pickDelivery = (
  rows: readonly DeliveryRow[],
  receipt: Pick<Receipt, "message_id" | "at">,
  here: WhereTo,
  origin: string,
): DeliveryRow | null => {
  const ofMessage = rows.filter((row) => {
    const to = whereTo(row.url, origin);
    return row.message_id === receipt.message_id && to.kind === here.kind && to.id === here.id;
  });
  const newestFirst = ofMessage.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  return newestFirst.find((row) => Date.parse(row.created_at) <= Date.parse(receipt.at)) ?? newestFirst[0] ?? null;
};

/** Whether a receipt came after its delivery was settled: then it is no attempt of it. */
export const cameLater = ({ at }: Pick<Receipt, "at">, { ended_at }: Pick<DeliveryRow, "ended_at">): boolean =>
  ended_at !== null && Date.parse(at) > Date.parse(ended_at);

/** The deliveries of a message, newest first; none when the message is another world's, or another program's own. */
export const deliveriesOfMessage = async (
  world: string,
  integration_id: string | null,
  message_id: string | null,
  signal: AbortSignal,
): Promise<readonly DeliveryRow[]> => {
  if (integration_id === null || message_id === null || !isId(integration_id) || !isId(message_id)) return [];
  return (await callControl("deliveries.list", { integration_id, message_id, world }, { signal })).items;
};

/** The delivery of this world that a receipt is of, or null. */
export const deliveryOfQuery = (world: string, receipt: Receipt, here: WhereTo) =>
  queryOptions({
    // Out of the live feed's reach: which delivery it was does not change.
    queryKey: [...worldKeys(world).all, "delivery-of", receipt.id] as const,
    queryFn: async ({ signal }): Promise<DeliveryRow | null> => {
      const rows = await deliveriesOfMessage(world, receipt.integration_id, receipt.message_id, signal);
      return pickDelivery(rows, receipt, here, window.location.origin);
    },
  });
