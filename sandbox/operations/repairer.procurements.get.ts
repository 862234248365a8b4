import { refuseFor } from "../contract/causes.ts";
import { repairerProcurementsGet } from "../contract/operations/partner.ts";
import { handler } from "./handler.ts";
import { aboutProcurement, buyerView } from "./views.ts";

/** Contract, "repairer.procurements.get". Procurements of other buyers are not found (D25). */
export const getBuyerProcurement = handler(repairerProcurementsGet, (context, input) => {
  const procurement = context.stores.procurements.get(input.identity.id);
  if (procurement?.buyer_organization_id !== context.caller.organization_id)
    return refuseFor("procurement_unknown", ["/identity/id"]);
  context.about(aboutProcurement(procurement));
  return buyerView(procurement);
});
