import type { ResponseOf } from "../../../../sandbox/contract/operation.ts";
import type { invoicesReconcile } from "../../../../sandbox/contract/operations/partner.ts";

export type Reconciliation = ResponseOf<typeof invoicesReconcile>;

/** What the reconciliation says of one line of the invoice. A line can differ in price and in quantity. */
export interface LineVerdict {
  readonly kind: "matched" | "differs" | "unexpected";
  /** The ordered price, where the invoiced one is another. */
  readonly price: string | null;
  /** The ordered quantity, where the invoiced one is another. */
  readonly quantity: number | null;
}

const orderedAt = (differences: Reconciliation["price_differences"], line: number) =>
  differences.find((one) => one.line === line)?.ordered ?? null;

/** The verdicts by the place of the line, as many as were sent. */
export const verdictsOf = (result: Reconciliation, count: number): LineVerdict[] =>
  Array.from({ length: count }, (_, line) => {
    const price = orderedAt(result.price_differences, line);
    const quantity = orderedAt(result.quantity_differences, line);
    if (price !== null || quantity !== null)
      return {
        kind: "differs",
        price: price === null ? null : String(price),
        quantity: quantity === null ? null : Number(quantity),
      };
    const isMatched = result.matched.some((one) => one.line === line);
    return { kind: isMatched ? "matched" : "unexpected", price: null, quantity: null };
  });

/** How many lines of each kind there are, in reading order; kinds without any are left out. */
export const tallyOf = (
  result: Reconciliation,
): ReadonlyArray<{
  readonly kind: "matched" | "price" | "quantity" | "missing" | "unexpected";
  readonly count: number;
}> =>
  [
    { kind: "matched", count: result.matched.length } as const,
    { kind: "price", count: result.price_differences.length } as const,
    { kind: "quantity", count: result.quantity_differences.length } as const,
    { kind: "missing", count: result.missing.length } as const,
    { kind: "unexpected", count: result.unexpected.length } as const,
  ].filter(({ count }) => count > 0);

/** Whether the invoice says exactly what was ordered. */
export const isClean = (result: Reconciliation): boolean => tallyOf(result).every(({ kind }) => kind === "matched");
