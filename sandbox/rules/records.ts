import type { PartCondition } from "../contract/resources/condition.ts";
import type { Job, Part } from "../contract/resources/job.ts";
import type { Address, BuyerPart, ProcurementVehicle, ShippingPrice } from "../contract/resources/procurement.ts";
import type { ProcurementStatus } from "../contract/values.ts";

/** Records as storage passes them to the rules. Times are milliseconds since 1970. */

export interface PartRecord extends Readonly<Part> {
  /** u8; null if the integration gave none, which counts as one. */
  readonly quantity: number | null;
}

/** A job with its internal fields. */
export interface JobRecord extends Readonly<Omit<Job, "images">> {
  readonly organization_id: string;
  /** Vehicle name, for example "Corvane Strand 2.5 AWD wagon"; null if unknown. */
  readonly vehicle_variant: string | null;
  /** Absolute URLs, or paths under `/__media/` of this service. */
  readonly images: readonly string[];
  readonly created_at: number;
  readonly updated_at: number;
}

export interface SourceItemRecord extends Readonly<BuyerPart> {
  readonly id: string;
}

export interface OfferedItemRecord {
  readonly id: string;
  readonly fulfills_source_ids: readonly string[];
  readonly description: string;
  readonly quantity: number;
  readonly condition: PartCondition | null;
  readonly inventory: { readonly sellable_id: string; readonly warehouse_id: string | null } | null;
  readonly trade_price: string | null;
  /** Source offer; fills nulls on confirmation (D52). */
  readonly offer: { readonly sellable_id: string; readonly warehouse_id: string | null; readonly trade_price: string };
}

export interface ProcurementRecord {
  readonly id: string;
  readonly job_id: string;
  readonly status: ProcurementStatus;
  readonly reference: string | null;
  readonly currency_code: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly deliver_before: number | null;
  readonly buyer_organization_id: string;
  readonly buyer_business_id: string;
  readonly buyer_shipping_address: Address;
  readonly supplier_organization_id: string;
  readonly supplier_business_id: string;
  readonly supplier_business_name: string;
  readonly total_shipping_price: ShippingPrice | null;
  readonly vehicle: Readonly<ProcurementVehicle>;
  readonly source_items: readonly SourceItemRecord[];
  readonly offered_items: readonly OfferedItemRecord[];
}

/** Kind of a supplier's stock: decides parts, conditions and prices of its offers. */
export type SupplierKind = (typeof supplierKinds)[number];
export const supplierKinds = ["genuine", "aftermarket", "dismantler", "salvage", "mechanical", "consumables"] as const;
