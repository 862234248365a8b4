import { isDeepStrictEqual } from "node:util";
import type { Job, Part } from "../contract/resources/job.ts";
import type { BuyerProcurement, SupplierProcurement } from "../contract/resources/procurement.ts";
import type { JobRecord, PartRecord, ProcurementRecord } from "../rules/records.ts";
import { iso, isoOrNull } from "../rules/timestamp.ts";

/** An image kept by this service is stored as a path and handed out as an absolute URL. */
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
 * The parts of a job that a call changed, as they were and as they are: those that were there in one order on both sides,
 * then those that are new. A job can have thousands, so that what stayed is in no record of a change.
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
 * Contract, "Procurement, buyer view". The status variants differ only in what may be null, which the record
 * guarantees: a confirmed one was filled by the confirmation (D52).
 */
export const buyerView = (p: ProcurementRecord): BuyerProcurement =>
  ({
    status: p.status,
    ...common(p),
    supplier_business: { id: p.supplier_business_id, name: p.supplier_business_name },
    supplier_organization: { id: p.supplier_organization_id },
    offered_items: offeredItems(p, false),
  }) as BuyerProcurement;

/** Contract, "Procurement, supplier view"; offered items as D53 decides. */
export const supplierView = (p: ProcurementRecord): SupplierProcurement =>
  ({
    status: p.status,
    ...common(p),
    buyer_business: { id: p.buyer_business_id },
    buyer_organization: { id: p.buyer_organization_id },
    buyer_shipping_address: p.buyer_shipping_address,
    offered_items: offeredItems(p, true),
  }) as SupplierProcurement;

/** What a person calls a job: its number, its external id, or the head of its id. */
export const jobLabel = (job: JobRecord): string => job.job_number ?? job.external_id ?? job.id.slice(0, 8);

/** What a person calls a procurement: its reference, or the head of its id. */
export const procurementLabel = (p: ProcurementRecord): string => p.reference ?? p.id.slice(0, 8);

/** What an exchange about a job is linked with. */
export const aboutJob = (job: JobRecord) => ({ job_id: job.id, label: jobLabel(job) });

/** The same of a procurement. */
export const aboutProcurement = (p: ProcurementRecord) => ({
  job_id: p.job_id,
  procurement_id: p.id,
  label: procurementLabel(p),
});
