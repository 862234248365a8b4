import type { Basket, Offer } from "../../sandbox/contract/resources/basket.ts";
import type { PartCondition } from "../../sandbox/contract/resources/condition.ts";
import type { Part } from "../../sandbox/contract/resources/job.ts";

// Baskets in compact notation.
export const part = (id: string): Part => ({
  id,
  description: `Part ${id}`,
  status: "estimated",
  external_id: null,
  ghca_id: null,
  note: null,
});

export const asNew: PartCondition = { type: "new", payload: {} };
export const graded = (payload: "grade0" | "grade_a" | "grade_b" | "grade_c"): PartCondition => ({
  type: "used",
  payload: { type: "panel", payload },
});

/** `offer("M", "b c", "10.00")` is offer "M:b c" of supplier M for parts b and c. */
export const offer = (
  supplier: string,
  parts: string,
  price: string,
  {
    condition = asNew,
    quantity = 1,
    id = `${supplier}:${parts}`,
  }: { condition?: PartCondition | null; quantity?: number; id?: string } = {},
): Offer => ({
  condition,
  job_part_ids: parts.split(" "),
  name: `Part ${parts}`,
  quantity,
  sellable_id: id,
  supplier_business_id: supplier,
  trade_price: price,
});

export const basket = (suppliers: string, ...offers: readonly Offer[]): Basket => ({
  offers: [...offers],
  suppliers: suppliers.split(" ").map((id) => ({ business_id: id, name: `Supplier ${id}` })),
});
