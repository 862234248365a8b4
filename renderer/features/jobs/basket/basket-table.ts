import type { Basket, Offer } from "../../../../sandbox/contract/resources/basket.ts";
import type { Part } from "../../../../sandbox/contract/resources/job.ts";
import { type Amount, parseAmount, times } from "./amounts.ts";

/** An offer with its data for the table. */
export interface OfferView {
  readonly offer: Offer;
  readonly id: string;
  /** The supplier's name; its ID when the basket has no name. */
  readonly supplier: string;
  /** The covered parts of the job; parts that no longer exist are excluded. */
  readonly partIds: readonly string[];
  /** Price times quantity; null for an invalid price. */
  readonly line: Amount | null;
}

interface SupplierColumn {
  readonly id: string;
  readonly name: string;
  readonly offers: number;
  /** Number of the job's parts with an offer from this supplier. */
  readonly parts: number;
}

/** A supplier's offers for a part. */
export interface Cell {
  readonly offers: readonly OfferView[];
  /** Number of rows it spans; 0 when the cell above spans this one. */
  readonly span: number;
}

export interface BasketRow {
  readonly part: Part;
  /** Counted from 0. */
  readonly index: number;
  /** One per supplier, in the columns' order. */
  readonly cells: readonly Cell[];
  /** The common quantity of the offers for this part only; null when they differ or there are none. */
  readonly quantity: number | null;
}

export interface BasketTable {
  readonly columns: readonly SupplierColumn[];
  /** Rows connected by spanning cells, which must be drawn together. */
  readonly blocks: readonly (readonly BasketRow[])[];
  readonly parts: ReadonlyMap<string, Part>;
  readonly offers: ReadonlyMap<string, OfferView>;
  readonly byPart: ReadonlyMap<string, readonly OfferView[]>;
}

const agreedQuantity = (offers: readonly OfferView[]): number | null => {
  const alone = new Set(offers.filter(({ partIds }) => partIds.length === 1).map(({ offer }) => offer.quantity));
  const [quantity] = alone;
  return alone.size === 1 && quantity !== undefined ? quantity : null;
};

/** The parts' order, with parts of a common offer moved together. */
const rowOrder = (partIds: Iterable<string>, byPart: BasketTable["byPart"]): string[] => {
  const placed = new Set<string>();
  const place = (id: string) => {
    if (placed.has(id)) return;
    placed.add(id);
    for (const { partIds: together } of byPart.get(id) ?? []) for (const other of together) place(other);
  };
  for (const id of partIds) place(id);
  return [...placed];
};

/**
 * Builds the comparison of a basket: parts as rows, suppliers as columns. Excludes offers without a part of the job;
 * includes offers of suppliers that the response doesn't list.
 */
export const basketTable = (all: readonly Part[], basket: Basket): BasketTable => {
  const parts = new Map(all.map((part) => [part.id, part]));
  const names = new Map(basket.suppliers.map(({ business_id, name }) => [business_id, name]));
  const offers = basket.offers.flatMap((offer): OfferView[] => {
    const partIds = [...new Set(offer.job_part_ids)].filter((id) => parts.has(id));
    const price = parseAmount(offer.trade_price);
    const supplier = names.get(offer.supplier_business_id) ?? offer.supplier_business_id;
    const line = price && times(price, offer.quantity);
    return partIds.length === 0 ? [] : [{ offer, id: offer.sellable_id, supplier, partIds, line }];
  });
  const byPart = new Map<string, OfferView[]>([...parts.keys()].map((id) => [id, []]));
  for (const view of offers) for (const id of view.partIds) byPart.get(id)?.push(view);
  for (const { offer, supplier } of offers) names.set(offer.supplier_business_id, supplier);
  const columns = [...names].map(([id, name]): SupplierColumn => {
    const own = offers.filter(({ offer }) => offer.supplier_business_id === id);
    return { id, name, offers: own.length, parts: new Set(own.flatMap(({ partIds }) => partIds)).size };
  });
  const order = rowOrder(parts.keys(), byPart);
  const places = new Map(order.map((id, index) => [id, index]));
  const ofSupplier = (supplier: string, id: string) =>
    (byPart.get(id) ?? []).filter(({ offer }) => offer.supplier_business_id === supplier);

  /** A supplier's only offer in adjacent rows becomes one cell. */
  const buildCell = (supplier: string, id: string, row: number): Cell => {
    const here = ofSupplier(supplier, id);
    const [only] = here;
    if (only === undefined || only.partIds.length < 2) return { offers: here, span: 1 };
    const rows = only.partIds.map((one) => places.get(one) ?? 0);
    const [first, last] = [Math.min(...rows), Math.max(...rows)];
    const isAlone = only.partIds.every((one) => ofSupplier(supplier, one).length === 1);
    if (!isAlone || last - first !== rows.length - 1) return { offers: here, span: 1 };
    return { offers: here, span: row === first ? rows.length : 0 };
  };

  const blocks: BasketRow[][] = [];
  for (const [index, id] of order.entries()) {
    const part = parts.get(id);
    if (part === undefined) continue;
    const cells = columns.map((column) => buildCell(column.id, id, index));
    const row: BasketRow = { part, index, cells, quantity: agreedQuantity(byPart.get(id) ?? []) };
    const above = blocks.at(-1);
    if (above !== undefined && cells.some(({ span }) => span === 0)) above.push(row);
    else blocks.push([row]);
  }
  return { columns, blocks, parts, byPart, offers: new Map(offers.map((view) => [view.id, view])) };
};
