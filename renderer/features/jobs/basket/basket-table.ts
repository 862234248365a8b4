import type { Basket, Offer } from "../../../../sandbox/contract/resources/basket.ts";
import type { Part } from "../../../../sandbox/contract/resources/job.ts";
import { type Amount, parseAmount, times } from "../../../lib/amounts.ts";

/** An offer with what the table needs to know of it. */
export interface OfferView {
  readonly offer: Offer;
  readonly id: string;
  /** The supplier's name; its identifier where the basket names none. */
  readonly supplier: string;
  /** The job's parts it covers; parts the job no longer has are left out. */
  readonly partIds: readonly string[];
  /** Price times quantity: what choosing it costs; null when the price is no number. */
  readonly line: Amount | null;
}

interface SupplierColumn {
  readonly id: string;
  readonly name: string;
  readonly offers: readonly OfferView[];
  /** How many of the job's parts it has an offer for. */
  readonly parts: number;
}

/** What one supplier has for one part. */
export interface Cell {
  readonly offers: readonly OfferView[];
  /** How many rows it reaches over; 0 where the cell above reaches down over this one. */
  readonly span: number;
}

export interface BasketRow {
  readonly part: Part;
  /** One a supplier, in the order of the columns. */
  readonly cells: readonly Cell[];
  /** What the offers for this part alone agree on; null when they do not, or there are none. */
  readonly quantity: number | null;
}

export interface BasketTable {
  readonly columns: readonly SupplierColumn[];
  readonly rows: readonly BasketRow[];
  readonly offers: ReadonlyMap<string, OfferView>;
}

const viewOf = (offer: Offer, supplier: string | undefined, known: ReadonlySet<string>): OfferView => {
  const price = parseAmount(offer.trade_price);
  return {
    offer,
    id: offer.sellable_id,
    supplier: supplier ?? offer.supplier_business_id,
    partIds: [...new Set(offer.job_part_ids)].filter((id) => known.has(id)),
    line: price && times(price, offer.quantity),
  };
};

/** The parts' order, with parts that one offer covers together brought next to the first of them. */
const rowOrder = (partIds: readonly string[], offers: readonly OfferView[]): string[] => {
  const placed = new Set<string>();
  const partners = (id: string): string[] =>
    offers.filter((offer) => offer.partIds.includes(id)).flatMap((offer) => offer.partIds);
  const place = (id: string) => {
    if (placed.has(id)) return;
    placed.add(id);
    const together = new Set(partners(id));
    for (const other of partIds) if (together.has(other)) place(other);
  };
  for (const id of partIds) place(id);
  return [...placed];
};

/** An offer of a supplier the answer does not list is still an offer. */
const columnsOf = ({ suppliers }: Basket, offers: readonly OfferView[]): SupplierColumn[] => {
  const listed = suppliers.map(({ business_id, name }) => [business_id, name] as const);
  const offering = offers.map(({ offer, supplier }) => [offer.supplier_business_id, supplier] as const);
  return [...new Map([...listed, ...offering])].map(([id, name]) => {
    const own = offers.filter(({ offer }) => offer.supplier_business_id === id);
    return { id, name, offers: own, parts: new Set(own.flatMap(({ partIds }) => partIds)).size };
  });
};

/** Whether the offer is all its supplier has in the rows it covers, and those follow each other: then it is one cell. */
const spans = (view: OfferView, own: readonly OfferView[], order: readonly string[]): boolean => {
  const places = view.partIds.map((id) => order.indexOf(id)).sort((a, b) => a - b);
  const [first = 0] = places;
  const adjacent = places.every((place, index) => place === first + index);
  return adjacent && own.every((other) => other === view || !other.partIds.some((id) => view.partIds.includes(id)));
};

const cellsOf = ({ offers }: SupplierColumn, order: readonly string[]): Cell[] => {
  const spanning = new Set(offers.filter((view) => view.partIds.length > 1 && spans(view, offers, order)));
  return order.map((partId, row) => {
    const here = offers.filter((view) => view.partIds.includes(partId));
    const [only] = here;
    if (!only || !spanning.has(only)) return { offers: here, span: 1 };
    const starts = !only.partIds.includes(order[row - 1] ?? "");
    return { offers: here, span: starts ? only.partIds.length : 0 };
  });
};

const agreedQuantity = (partId: string, offers: readonly OfferView[]): number | null => {
  const alone = offers.filter(({ partIds }) => partIds.length === 1 && partIds[0] === partId);
  const quantities = new Set(alone.map(({ offer }) => offer.quantity));
  const [quantity] = quantities;
  return quantities.size === 1 && quantity !== undefined ? quantity : null;
};

/** The latest basket as a comparison: parts down, suppliers across. Offers for none of the job's parts are left out. */
export const basketTable = (parts: readonly Part[], basket: Basket): BasketTable => {
  const known = new Set(parts.map(({ id }) => id));
  const names = new Map(basket.suppliers.map(({ business_id, name }) => [business_id, name]));
  const offers = basket.offers
    .map((offer) => viewOf(offer, names.get(offer.supplier_business_id), known))
    .filter(({ partIds }) => partIds.length > 0);
  const order = rowOrder([...known], offers);
  const columns = columnsOf(basket, offers);
  const grid = columns.map((column) => cellsOf(column, order));
  const byId = new Map(parts.map((part) => [part.id, part]));
  const rows = order.flatMap((id, row): BasketRow[] => {
    const part = byId.get(id);
    if (!part) return [];
    const cells = grid.flatMap((column) => column[row] ?? []);
    return [{ part, cells, quantity: agreedQuantity(id, offers) }];
  });
  return { columns, rows, offers: new Map(offers.map((view) => [view.id, view])) };
};

/** Where the cursor stands: in a row, a column, and there on the how-manieth offer. */
export interface Place {
  readonly row: number;
  readonly column: number;
  readonly index: number;
}

const at = (table: BasketTable, row: number, column: number): readonly OfferView[] =>
  table.rows[row]?.cells[column]?.offers ?? [];

export const offerAt = (table: BasketTable, { row, column, index }: Place): OfferView | null =>
  at(table, row, column)[index] ?? null;

/** The first place that has an offer, from the top left; null in an empty basket. */
export const firstPlace = (table: BasketTable): Place | null => {
  for (const [row, { cells }] of table.rows.entries()) {
    const column = cells.findIndex(({ offers }) => offers.length > 0);
    if (column >= 0) return { row, column, index: 0 };
  }
  return null;
};

/** Where a key leads from here, over cells without an offer; null when there is nothing that way, or the key is not ours. */
export const moved = (table: BasketTable, { row, column, index }: Place, key: string): Place | null => {
  const across = [...table.columns.keys()].filter((one) => at(table, row, one).length > 0);
  const inRow = (to: number | undefined) => (to === undefined ? null : { row, column: to, index: 0 });
  const down = table.rows.flatMap(({ cells }, place): Place[] => {
    const cell = cells[column];
    return cell && cell.span > 0 ? cell.offers.map((_offer, nth) => ({ row: place, column, index: nth })) : [];
  });
  const here = down.findLastIndex((one) => one.row < row || (one.row === row && one.index <= index));
  switch (key) {
    case "ArrowRight":
      return inRow(across.find((one) => one > column));
    case "ArrowLeft":
      return inRow(across.findLast((one) => one < column));
    case "ArrowDown":
      return down[here + 1] ?? null;
    case "ArrowUp":
      return down[here - 1] ?? null;
    case "Home":
      return inRow(across[0]);
    case "End":
      return inRow(across.at(-1));
    default:
      return null;
  }
};
