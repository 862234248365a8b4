import type { Static, TProperties } from "typebox";
import * as Type from "typebox";
import { Nullable, OneOf, Text, Timestamp, U16, Uuid } from "../schema.ts";
import { PartCondition } from "./condition.ts";

/** Contract, "Buyer part". */
export const BuyerPart = Type.Object({
  description: Text(),
  job_part_id: Nullable(Uuid()),
  part_identity: Nullable(Type.Object({ gapc_brand_id: Text(), mpn: Text() })),
  quantity: U16(),
});
export type BuyerPart = Static<typeof BuyerPart>;

/** Contract, "Source item". */
export const SourceItem = Type.Object({
  id: Uuid(),
  type: Type.Literal("buyer_requested"),
  buyer_part: BuyerPart,
});
export type SourceItem = Static<typeof SourceItem>;

const BuyerInventory = { sellable_id: Uuid() };
const SupplierInventory = { sellable_id: Uuid(), warehouse_id: Nullable(Uuid("The stock location (D53)")) };

const offeredItem = <O extends TProperties>(suppliedOffer: O) =>
  Type.Object({
    id: Uuid(),
    fulfills_source_ids: Type.Array(Uuid()),
    supplied_offer: Type.Object({
      type: Type.Literal("single"),
      description: Text(),
      quantity: U16(),
      ...suppliedOffer,
    }),
  });

const requestedItem = <I extends TProperties>(inventory: I) =>
  offeredItem({
    condition: Nullable(PartCondition),
    inventory: Nullable(Type.Object(inventory)),
    trade_price: Nullable(Text()),
  });

const confirmedItem = <I extends TProperties>(inventory: I) =>
  offeredItem({ condition: PartCondition, inventory: Type.Object(inventory), trade_price: Text() });

/** Contract, "Shipping price". */
export const ShippingPrice = Type.Object({
  type: OneOf(
    ["derived", "absolute"],
    "derived: each item’s shipping price times quantity; absolute: given by the supplier",
  ),
  value: Text(),
});
export type ShippingPrice = Static<typeof ShippingPrice>;

/** Contract, "Procurement vehicle". */
export const ProcurementVehicle = Type.Object({
  chassis_number: Nullable(Text()),
  plate_number: Nullable(Text()),
  variant: Type.Object({ description: Text() }),
});
export type ProcurementVehicle = Static<typeof ProcurementVehicle>;

/** Contract, "Address": all nine keys required, each nullable. */
export const Address = Type.Object({
  city: Nullable(Text()),
  country_code: Nullable(Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166 alpha-2" })),
  name: Nullable(Text("Store or warehouse name")),
  postcode: Nullable(Text()),
  state: Nullable(Text()),
  street_name: Nullable(Text()),
  street_number: Nullable(Text("May be non-numeric")),
  suburb: Nullable(Text()),
  unit: Nullable(Text()),
});
export type Address = Static<typeof Address>;

const common = {
  id: Uuid("Procurement identifier"),
  job_id: Uuid("Job the procurement belongs to"),
  created_at: Timestamp("Creation time (D10)"),
  updated_at: Timestamp("Last update time (D10)"),
  currency_code: Nullable(Type.String({ description: "Alpha-3 currency code" })),
  reference: Nullable(Text("Human-friendly reference shared by buyer and supplier")),
  source_items: Type.Array(SourceItem, { description: "Items requested" }),
  total_shipping_price: Nullable(ShippingPrice),
  vehicle: ProcurementVehicle,
};

const buyerSide = {
  supplier_business: Type.Object({ id: Uuid(), name: Text() }),
  supplier_organization: Type.Object({ id: Uuid() }),
};

const supplierSide = {
  buyer_business: Type.Object({ id: Uuid() }),
  buyer_organization: Type.Object({ id: Uuid() }),
  buyer_shipping_address: Address,
};

const variants = <S extends TProperties, I extends TProperties>(side: S, inventory: I) => {
  const open = {
    deliver_before: Nullable(Timestamp("Until when the parts are wanted")),
    offered_items: Type.Array(requestedItem(inventory)),
  };
  const confirmed = {
    deliver_before: Timestamp("Until when the parts are delivered (D52)"),
    offered_items: Type.Array(confirmedItem(inventory)),
  };
  return Type.Union([
    Type.Object({ status: Type.Literal("order_requested"), ...common, ...side, ...open }),
    Type.Object({ status: Type.Literal("order_confirmed"), ...common, ...side, ...confirmed }),
    Type.Object({ status: Type.Literal("cancelled"), ...common, ...side, ...open }),
  ]);
};

/** Contract, "Procurement, buyer view". */
export const BuyerProcurement = variants(buyerSide, BuyerInventory);
export type BuyerProcurement = Static<typeof BuyerProcurement>;

/** Contract, "Procurement, supplier view"; its offered items follow D53. */
export const SupplierProcurement = variants(supplierSide, SupplierInventory);
export type SupplierProcurement = Static<typeof SupplierProcurement>;
