import { refuseFor } from "../contract/causes.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import { procurementsPlace } from "../contract/operations/partner.ts";
import type { BasketSupplier, OfferDraft } from "../rules/procurements/baskets.ts";
import type { JobRecord, PartRecord, ProcurementRecord } from "../rules/records.ts";
import type { SiteRow } from "../storage/directory-store.ts";
import { type CallerContext, handler } from "./handler.ts";
import { latestBasket } from "./latest-basket.ts";
import { groupBySupplier, orderItems, orderReference, shippingPrice } from "./placing.ts";
import { appendChange, emitBothSides, updatePartStatus } from "./procurement-changes.ts";
import { findNamedJob, scheduleResponse } from "./test-values.ts";
import { aboutJob, aboutProcurement, buyerView, jobLabel } from "./views.ts";

const pickOffers = (sellableIds: readonly string[], offers: readonly OfferDraft[]): OfferDraft[] | Refusal => {
  const bySellable = new Map(offers.map((offer) => [offer.sellable_id, offer]));
  const chosen: OfferDraft[] = [];
  for (const [index, id] of sellableIds.entries()) {
    const offer = bySellable.get(id.toLowerCase());
    if (!offer)
      return refuseFor(
        "offer_unknown",
        [`/sellable_ids/${index}`],
        `/sellable_ids/${index} ${id} is not an offer of the job’s latest basket`,
      );
    if (chosen.includes(offer))
      return refuseFor(
        "offer_repeated",
        [`/sellable_ids/${index}`],
        `/sellable_ids/${index} ${id} repeats an earlier ID (compared without case)`,
      );
    chosen.push(offer);
  }
  return chosen;
};

interface PlacementInput {
  readonly job: JobRecord;
  readonly site: SiteRow;
  readonly parts: readonly PartRecord[];
  readonly supplier: BasketSupplier;
  readonly offers: readonly OfferDraft[];
  readonly ordinal: number;
}

const createProcurement = (
  context: CallerContext,
  { job, site, parts, supplier, offers, ordinal }: PlacementInput,
): ProcurementRecord => ({
  id: context.newId(),
  job_id: job.id,
  status: "order_requested",
  reference: orderReference(site.reference_prefix, job.job_number, job.id, ordinal),
  currency_code: site.currency_code,
  created_at: context.now,
  updated_at: context.now,
  deliver_before: null,
  buyer_organization_id: job.organization_id,
  buyer_business_id: site.id,
  buyer_shipping_address: site.address,
  supplier_organization_id: supplier.organization_id,
  supplier_business_id: supplier.business_id,
  supplier_business_name: supplier.name,
  total_shipping_price: shippingPrice(offers.length, site.currency_code),
  vehicle: {
    chassis_number: job.vehicle?.chassis_number ?? null,
    plate_number: job.vehicle?.plate_number ?? null,
    variant: { description: job.vehicle_variant ?? "" },
  },
  ...orderItems(offers, parts, () => context.newId()),
});

/** Extension: places offers of the latest basket as one procurement per supplier, each with both events. */
export const placeProcurements = handler(procurementsPlace, (context, input) => {
  const { stores, caller } = context;
  const job = findNamedJob(context, input.job_identity, "/job_identity");
  if (job instanceof Refusal) return job;
  const site = stores.directory.site(job.repairer_site_id, caller.organization_id);
  if (!site) return refuseFor("job_unknown", ["/job_identity"]);
  const { offers, suppliers } = latestBasket(context, job);
  const chosen = pickOffers(input.sellable_ids, offers);
  if (!Array.isArray(chosen)) return chosen;

  const parts = stores.parts.listByJob(job.id);
  const records: ProcurementRecord[] = [];
  let ordinal = stores.procurements.countByJob(job.id);
  for (const [businessId, group] of groupBySupplier(chosen)) {
    const supplier = suppliers.find((one) => one.business_id === businessId);
    if (!supplier) return refuse("unprocessable", `supplier ${businessId} no longer exists`);
    ordinal += 1;
    const record = createProcurement(context, { job, site, parts, supplier, offers: group, ordinal });
    stores.procurements.insert(record);
    for (const item of record.source_items)
      if (item.job_part_id !== null) stores.parts.cover(item.job_part_id, record.id);
    appendChange(context, null, record);
    updatePartStatus(context, record, jobLabel(job));
    emitBothSides(context, record, "order_requested", job);
    scheduleResponse(context, job, record);
    records.push(record);
  }
  const [only, ...others] = records;
  context.about({
    ...(only && others.length === 0 ? aboutProcurement(only) : aboutJob(job)),
    outcome: `${records.length} requested`,
  });
  return { items: records.map(buyerView) };
});
