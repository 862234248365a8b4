import type { RequestOf, ResponseOf } from "../../contract/operation.ts";
import type { invoicesReconcile } from "../../contract/operations/partner.ts";
import type { OfferedItemRecord } from "../records.ts";
import { formatMinor, isAmount, parseMinor, sum, times } from "./money.ts";

export type InvoiceLine = RequestOf<typeof invoicesReconcile>["lines"][number];
type Reconciliation = ResponseOf<typeof invoicesReconcile>;

const fold = (text: string): string => text.trim().replace(/\s+/g, " ").toLowerCase();

/** Keeps totals of a thousand lines within safe integers. */
const MAX_PRICE_MINOR = 100_000_000;

/** Index of the first line with an invalid or excessive price; -1 if there is none. */
export const findInvalidPrice = (lines: readonly InvoiceLine[], currency: string): number =>
  lines.findIndex(
    (line) => !isAmount(line.unit_price, currency) || Math.abs(parseMinor(line.unit_price, currency)) > MAX_PRICE_MINOR,
  );

/**
 * Matches invoice lines with the items of a confirmed procurement: by sellable, else by description, each item and line
 * once, in order. A matched line has the same price and quantity; others report the difference.
 *
 * @param lines prices must be valid amounts in `currency`; see {@link findInvalidPrice}
 */
export const reconcile = (
  items: readonly OfferedItemRecord[],
  lines: readonly InvoiceLine[],
  currency: string,
): Reconciliation => {
  const price = (text: string | null): number => parseMinor(text ?? "0", currency);
  const open = [...items];
  const result: Omit<Reconciliation, "ordered_total" | "invoiced_total"> = {
    matched: [],
    price_differences: [],
    quantity_differences: [],
    missing: [],
    unexpected: [],
  };
  for (const [line, invoiced] of lines.entries()) {
    const at = open.findIndex((item) =>
      invoiced.sellable_id
        ? item.inventory?.sellable_id === invoiced.sellable_id.toLowerCase()
        : invoiced.description !== undefined &&
          invoiced.description !== null &&
          fold(item.description) === fold(invoiced.description),
    );
    const [item] = at < 0 ? [] : open.splice(at, 1);
    if (!item) {
      result.unexpected.push({ line });
      continue;
    }
    const about = { line, offered_item_id: item.id };
    const samePrice = price(item.trade_price) === price(invoiced.unit_price);
    if (!samePrice)
      result.price_differences.push({ ...about, ordered: item.trade_price ?? "0", invoiced: invoiced.unit_price });
    if (item.quantity !== invoiced.quantity)
      result.quantity_differences.push({ ...about, ordered: item.quantity, invoiced: invoiced.quantity });
    if (samePrice && item.quantity === invoiced.quantity) result.matched.push(about);
  }
  result.missing.push(
    ...open.map((item) => ({ offered_item_id: item.id, description: item.description, quantity: item.quantity })),
  );
  return {
    ...result,
    ordered_total: formatMinor(sum(items.map((item) => times(price(item.trade_price), item.quantity))), currency),
    invoiced_total: formatMinor(sum(lines.map((line) => times(price(line.unit_price), line.quantity))), currency),
  };
};
