import { makeBasket, type OfferDraft } from "../rules/procurements/baskets.ts";
import type { JobRecord } from "../rules/records.ts";
import type { SupplierRow } from "../storage/directory-store.ts";
import type { HandlerContext } from "./handler.ts";
import { metTestValue } from "./test-values.ts";

/** The latest basket of a job: what the sandbox's suppliers answer to its parts (D43), or what a test value leaves of it (D93). */
export const latestBasket = (
  context: Pick<HandlerContext, "stores" | "policies" | "note">,
  job: JobRecord,
): { readonly offers: OfferDraft[]; readonly suppliers: SupplierRow[] } => {
  const { stores } = context;
  const suppliers = stores.directory.suppliers();
  const site = stores.directory.site(job.repairer_site_id, job.organization_id);
  const offers = makeBasket({
    jobId: job.id,
    currency: site?.currency_code ?? "USD",
    parts: stores.parts.listByJob(job.id),
    suppliers,
    only: metTestValue(context, job, "offers"),
  });
  return { offers, suppliers };
};
