import type { RequestOf, ResponseOf } from "../../../../sandbox/contract/operation.ts";
import type { invoicesReconcile } from "../../../../sandbox/contract/operations/partner.ts";
import type { BuyerProcurement } from "../../../../sandbox/contract/resources/procurement.ts";
import { type Amount, parseAmount, sumOf, times } from "../../../lib/amounts.ts";
import { fieldIn } from "../../../lib/field-in.ts";
import { plural } from "../../../lib/formatting.ts";

/** A line of the invoice as it is being written: everything is text until it is sent. */
export interface InvoiceLine {
  /** Stays with the line while others come and go. */
  readonly key: string;
  /** What was supplied; empty where the description is to be compared instead. */
  readonly sellable_id: string;
  readonly description: string;
  readonly quantity: string;
  readonly unit_price: string;
}
export type LineField = Exclude<keyof InvoiceLine, "key">;
type InvoiceRequest = RequestOf<typeof invoicesReconcile>;

type OfferedItems = BuyerProcurement["offered_items"];

/** An invoice that says exactly what was ordered. */
export const linesOfOrder = (items: OfferedItems): InvoiceLine[] =>
  items.map(({ id, supplied_offer: { inventory, description, quantity, trade_price } }) => ({
    key: id,
    sellable_id: inventory?.sellable_id ?? "",
    description,
    quantity: String(quantity),
    unit_price: trade_price ?? "",
  }));

/** A line that is not in the order, to be filled in. */
export const emptyLine = (key: string): InvoiceLine => ({
  key,
  sellable_id: "",
  description: "",
  quantity: "1",
  unit_price: "",
});

/** 0 to 65,535 (u16); null for what cannot be sent as such a number. */
export const quantityIn = (text: string): number | null => {
  const quantity = /^\d{1,5}$/.test(text.trim()) ? Number(text) : null;
  return quantity !== null && quantity <= 65_535 ? quantity : null;
};

/** What keeps a line from being sent at all; null when nothing does. Whether it is right is the service's to say. */
export const quantityProblem = ({ quantity }: InvoiceLine): string | null =>
  quantityIn(quantity) === null ? "A whole number up to 65,535" : null;

/** The request an invoice makes; null while a line cannot be sent. An empty cell is left out of it. */
export const requestOf = (id: string, lines: readonly InvoiceLine[]): InvoiceRequest | null => {
  const sent = lines.flatMap(({ sellable_id, description, quantity, unit_price }) => {
    const count = quantityIn(quantity);
    if (count === null) return [];
    return [
      {
        ...(sellable_id.trim() === "" ? {} : { sellable_id: sellable_id.trim() }),
        ...(description === "" ? {} : { description }),
        quantity: count,
        unit_price: unit_price.trim(),
      },
    ];
  });
  return sent.length === lines.length ? { identity: { id }, lines: sent } : null;
};

/** Quantity times price; null while one of them is no number. */
export const amountOf = ({ quantity, unit_price }: InvoiceLine): Amount | null => {
  const count = quantityIn(quantity);
  const price = parseAmount(unit_price.trim());
  return count === null || price === null ? null : times(price, count);
};

/** The sum of the lines whose amounts are known, and whether that is all of them. */
export const totalOf = (lines: readonly InvoiceLine[]): { readonly total: Amount; readonly whole: boolean } => {
  const amounts = lines.map(amountOf);
  const known = amounts.filter((amount) => amount !== null);
  return { total: sumOf(known), whole: known.length === amounts.length };
};

/** Where in the invoice a refusal points to: "/lines/2/unit_price must be …" is the third line's price, which must be so. */
export const refusedIn = (message: string) => {
  const match = /^\/lines\/(\d+)\/(sellable_id|description|quantity|unit_price)\b/.exec(message);
  if (!match) return null;
  const [path, line, field] = match;
  return { line: Number(line), field: field as LineField, message: message.slice(path.length).trim() };
};

export type RefusedLine = NonNullable<ReturnType<typeof refusedIn>>;

/** Lines that were written down, as far as they still are lines; null when they are not. */
export const restoredLines = (stored: unknown): InvoiceLine[] | null => {
  if (!Array.isArray(stored)) return null;
  const isLine = (line: unknown): line is InvoiceLine =>
    Object.keys(emptyLine("")).every((field) => typeof fieldIn(line, field) === "string");
  return stored.every(isLine) ? stored : null;
};

export type Reconciliation = ResponseOf<typeof invoicesReconcile>;

const orderedAt = (differences: Reconciliation["price_differences"], line: number) =>
  differences.find((one) => one.line === line)?.ordered ?? null;

/** What it says of one line of the invoice, which can differ in price and in quantity: then what was ordered. */
export const verdictOn = (result: Reconciliation, line: number) => {
  const price = orderedAt(result.price_differences, line);
  const quantity = orderedAt(result.quantity_differences, line);
  const isMatched = result.matched.some((one) => one.line === line);
  const kind = isMatched ? "matched" : price === null && quantity === null ? "unexpected" : "differs";
  return { kind, price, quantity } as const;
};

export type LineVerdict = ReturnType<typeof verdictOn>;

/** How many lines of each kind there are: "1 matched, 2 price differences"; kinds without any are left out. */
export const tallyOf = ({ matched, price_differences, quantity_differences, missing, unexpected }: Reconciliation) =>
  [
    matched.length > 0 && `${matched.length} matched`,
    price_differences.length > 0 && plural(price_differences.length, "price difference"),
    quantity_differences.length > 0 && plural(quantity_differences.length, "quantity difference"),
    missing.length > 0 && `${missing.length} missing`,
    unexpected.length > 0 && `${unexpected.length} unexpected`,
  ]
    .filter(Boolean)
    .join(", ") || "no lines in either";

/** Whether the invoice says exactly what was ordered. */
export const isClean = ({ price_differences, quantity_differences, missing, unexpected }: Reconciliation): boolean =>
  [price_differences, quantity_differences, missing, unexpected].every(({ length }) => length === 0);
