import { refuseFor } from "../contract/causes.ts";
import { supplierProcurementsGet } from "../contract/operations/partner.ts";
import { handler } from "./handler.ts";
import { aboutProcurement, supplierView } from "./views.ts";

/** Contract, "supplier.procurements.get". Procurements of other suppliers are not found (D25). */
export const getSupplierProcurement = handler(supplierProcurementsGet, (context, input) => {
  const procurement = context.stores.procurements.get(input.identity.id);
  if (procurement?.supplier_organization_id !== context.caller.organization_id)
    return refuseFor("procurement_unknown", ["/identity/id"]);
  context.about(aboutProcurement(procurement));
  return supplierView(procurement);
});
