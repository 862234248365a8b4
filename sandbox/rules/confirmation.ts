import type { ProcurementRecord } from "./records.ts";
import { workingDaysAhead } from "./working-days.ts";

/**
 * A confirmed copy of a requested procurement: every null that the confirmed stage forbids is filled (D52):
 * `condition` new, `inventory` and `trade_price` from the offer, `deliver_before` three working days ahead.
 */
export const confirmed = (procurement: ProcurementRecord, now: number): ProcurementRecord => ({
  ...procurement,
  status: "order_confirmed",
  updated_at: now,
  deliver_before: procurement.deliver_before ?? workingDaysAhead(now, 3),
  offered_items: procurement.offered_items.map((item) => ({
    ...item,
    condition: item.condition ?? { type: "new", payload: {} },
    inventory: item.inventory ?? { sellable_id: item.offer.sellable_id, warehouse_id: item.offer.warehouse_id },
    trade_price: item.trade_price ?? item.offer.trade_price,
  })),
});
