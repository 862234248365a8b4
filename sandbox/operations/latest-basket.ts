import { type BasketSupplier, makeBasket, type OfferDraft } from "../rules/procurements/baskets.ts";
import type { JobRecord } from "../rules/records.ts";
import type { HandlerContext } from "./handler.ts";
import { readTestValue } from "./test-values.ts";

/** Latest basket of a job: the suppliers' offers for its parts (D43), possibly restricted by a test value (D93). */
export const latestBasket = (
  context: Pick<HandlerContext, "stores" | "policies" | "note">,
  job: JobRecord,
): { readonly offers: OfferDraft[]; readonly suppliers: BasketSupplier[] } => {
  const { stores } = context;
  const suppliers = stores.directory.suppliers();
  const site = stores.directory.site(job.repairer_site_id, job.organization_id);
  const offers = makeBasket({
    jobId: job.id,
    currency: site?.currency_code ?? "USD",
    parts: stores.parts.listByJob(job.id),
    suppliers,
    only: readTestValue(context, job, "offers"),
  });
  return { offers, suppliers };
};
