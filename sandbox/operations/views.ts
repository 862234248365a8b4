import { isDeepStrictEqual } from "node:util";
import type { Job, Part } from "../contract/resources/job.ts";
import type { BuyerProcurement, SupplierProcurement } from "../contract/resources/procurement.ts";
import { shortId } from "../contract/text.ts";
import type { JobRecord, PartRecord, ProcurementRecord } from "../rules/records.ts";
import { iso, isoOrNull } from "../rules/timestamp.ts";

/** Images of this service are stored as paths and returned as absolute URLs. */
const publicUrl = (image: string, baseUrl: string): string => (image.startsWith("/") ? baseUrl + image : image);

/** Contract, "Job (JobV1)". */
export const jobView = (job: JobRecord, baseUrl: string): Job => {
  const {
    organization_id: _organization,
    vehicle_variant: _variant,
    created_at: _made,
    updated_at: _at,
    ...seen
  } = job;
  return { ...seen, images: job.images.map((image) => ({ public_url: publicUrl(image, baseUrl) })) };
};

/** Contract, "Job part (PartV1)". */
export const partView = ({ id, description, status, external_id, ghca_id, note }: PartRecord): Part => ({
  id,
  description,
  status,
  external_id,
  ghca_id,
  note,
});

/**
 * Changed parts before and after a call, in the same order, then new ones. Unchanged parts are left out, because a job
 * can have thousands.
 */
export const changedParts = (
  before: readonly PartRecord[],
  after: readonly PartRecord[],
): { readonly before: Part[]; readonly after: Part[] } => {
  const known = new Map(before.map((part) => [part.id, part]));
  const changed = after.flatMap((part) => {
    const was = known.get(part.id);
    return was && !isDeepStrictEqual(was, part) ? [{ was, part }] : [];
  });
  const inserted = after.filter(({ id }) => !known.has(id));
  return {
    before: changed.map(({ was }) => partView(was)),
    after: [...changed.map(({ part }) => part), ...inserted].map(partView),
  };
};

const common = (p: ProcurementRecord) => ({
  id: p.id,
  job_id: p.job_id,
  created_at: iso(p.created_at),
  updated_at: iso(p.updated_at),
  currency_code: p.currency_code,
  reference: p.reference,
  source_items: p.source_items.map(({ id, ...buyer_part }) => ({ id, type: "buyer_requested", buyer_part })),
  total_shipping_price: p.total_shipping_price,
  vehicle: p.vehicle,
  deliver_before: isoOrNull(p.deliver_before),
});

const offeredItems = (p: ProcurementRecord, withWarehouse: boolean) =>
  p.offered_items.map(({ id, fulfills_source_ids, description, quantity, condition, inventory, trade_price }) => ({
    id,
    fulfills_source_ids,
    supplied_offer: {
      type: "single",
      description,
      quantity,
      condition,
      inventory: inventory && (withWarehouse ? inventory : { sellable_id: inventory.sellable_id }),
      trade_price,
    },
  }));

/**
 * Contract, "Procurement, buyer view". The status variants differ only in nullable fields, which the confirmation fills
 * (D52).
 */
export const buyerView = (p: ProcurementRecord): BuyerProcurement =>
  ({
    status: p.status,
    ...common(p),
    supplier_business: { id: p.supplier_business_id, name: p.supplier_business_name },
    supplier_organization: { id: p.supplier_organization_id },
    offered_items: offeredItems(p, false),
  }) as BuyerProcurement;

/** Contract, "Procurement, supplier view"; offered items follow D53. */
export const supplierView = (p: ProcurementRecord): SupplierProcurement =>
  ({
    status: p.status,
    ...common(p),
    buyer_business: { id: p.buyer_business_id },
    buyer_organization: { id: p.buyer_organization_id },
    buyer_shipping_address: p.buyer_shipping_address,
    offered_items: offeredItems(p, true),
  }) as SupplierProcurement;

/** Display name of a job: number, external ID, or the shortened ID. */
export const jobLabel = (job: JobRecord): string => job.job_number ?? job.external_id ?? shortId(job.id);

/** Display name of a procurement: reference, or the shortened ID. */
export const procurementLabel = (p: ProcurementRecord): string => p.reference ?? shortId(p.id);

/** Links for a call about a job. */
export const aboutJob = (job: JobRecord) => ({ job_id: job.id, label: jobLabel(job) });

/** Links for a call about a procurement. */
export const aboutProcurement = (p: ProcurementRecord) => ({
  job_id: p.job_id,
  procurement_id: p.id,
  label: procurementLabel(p),
});
