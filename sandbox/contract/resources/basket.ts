import type { Static } from "typebox";
import * as Type from "typebox";
import { Nullable, Text, U16, Uuid } from "../schema.ts";
import { PartCondition } from "./condition.ts";

/** Contract, "Offer (OfferV1)": all fields required. */
export const Offer = Type.Object({
  condition: Nullable(PartCondition),
  job_part_ids: Type.Array(Uuid(), { description: "Job parts this offer covers" }),
  name: Text("Name of the offered sellable"),
  quantity: U16("Quantity offered"),
  sellable_id: Uuid("Offered sellable"),
  supplier_business_id: Text("Supplier business providing the offer"),
  trade_price: Text("Price of the offered sellable"),
});
export type Offer = Static<typeof Offer>;

/** Contract, "Supplier (SupplierV1)". */
export const Supplier = Type.Object({ business_id: Text(), name: Text() });

/** Contract, "Basket (BasketsLatestGetResponseV1)". */
export const Basket = Type.Object({
  offers: Type.Array(Offer),
  suppliers: Type.Array(Supplier),
});
export type Basket = Static<typeof Basket>;
