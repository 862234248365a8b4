import { refuseFor } from "../contract/causes.ts";
import { invoicesReconcile } from "../contract/operations/partner.ts";
import { findInvalidPrice, reconcile } from "../rules/procurements/invoice.ts";
import { handler } from "./handler.ts";
import { aboutProcurement } from "./views.ts";

/** Extension: compares an invoice with a confirmed procurement. Read-only. */
export const reconcileInvoice = handler(invoicesReconcile, (context, input) => {
  const procurement = context.stores.procurements.get(input.identity.id);
  if (procurement?.buyer_organization_id !== context.caller.organization_id)
    return refuseFor("procurement_unknown", ["/identity/id"]);
  context.about(aboutProcurement(procurement));
  if (procurement.status !== "order_confirmed") {
    return refuseFor(
      "procurement_not_confirmed",
      ["/identity/id"],
      `the procurement is ${procurement.status}; an invoice is compared with a confirmed one`,
    );
  }
  const currency = procurement.currency_code ?? "USD";
  const bad = findInvalidPrice(input.lines, currency);
  if (bad >= 0)
    return refuseFor(
      "not_an_amount",
      [`/lines/${bad}/unit_price`],
      `/lines/${bad}/unit_price must be an amount in ${currency}, at most a million`,
    );
  return reconcile(procurement.offered_items, input.lines, currency);
});
