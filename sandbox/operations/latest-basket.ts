import { makeBasket, type OfferDraft } from "../rules/baskets.ts";
import type { JobRecord } from "../rules/records.ts";
import type { SupplierRow } from "../storage/directory-store.ts";
import type { HandlerContext } from "./handler.ts";

/** The latest basket of a job: what the sandbox's suppliers answer to its parts (D43). */
export const latestBasket = (
  { stores }: Pick<HandlerContext, "stores">,
  job: JobRecord,
): { readonly offers: OfferDraft[]; readonly suppliers: SupplierRow[] } => {
  const suppliers = stores.directory.suppliers();
  const site = stores.directory.site(job.repairer_site_id, job.organization_id);
  const offers = makeBasket({
    jobId: job.id,
    currency: site?.currency_code ?? "USD",
    parts: stores.parts.ofJob(job.id),
    suppliers,
  });
  return { offers, suppliers };
};
