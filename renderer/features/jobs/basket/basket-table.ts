import type { Basket, Offer } from "../../../../sandbox/contract/resources/basket.ts";
import type { Part } from "../../../../sandbox/contract/resources/job.ts";
import { type Amount, parseAmount, times } from "../../../lib/amounts.ts";

/** An offer with what the table needs to know of it. */
export interface OfferView {
  readonly offer: Offer;
  readonly id: string;
  /** The job's parts it covers; parts the job no longer has are left out. */
  readonly partIds: readonly string[];
  /** The price of one piece; null when it is no number. */
  readonly price: Amount | null;
  /** Price times quantity: what choosing it costs. */
  readonly line: Amount | null;
}

interface SupplierColumn {
  readonly id: string;
  readonly name: string;
  readonly offers: readonly OfferView[];
  /** How many of the job's parts it has an offer for. */
  readonly parts: number;
}

/** What one supplier has for one part. `under`: the cell above reaches down over this one. */
export type Cell =
  | { readonly kind: "none" }
  | { readonly kind: "under" }
  | { readonly kind: "offers"; readonly offers: readonly OfferView[]; readonly span: number };

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

const viewOf = (offer: Offer, known: ReadonlySet<string>): OfferView => {
  const price = parseAmount(offer.trade_price);
  return {
    offer,
    id: offer.sellable_id,
    partIds: [...new Set(offer.job_part_ids)].filter((id) => known.has(id)),
    price,
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

const columnsOf = (basket: Basket, offers: readonly OfferView[]): SupplierColumn[] => {
  const names = new Map(basket.suppliers.map(({ business_id, name }) => [business_id, name]));
  // An offer of a supplier the answer does not list is still an offer: its identifier stands for its name.
  const ids = new Set([...names.keys(), ...offers.map(({ offer }) => offer.supplier_business_id)]);
  return [...ids].map((id) => {
    const own = offers.filter(({ offer }) => offer.supplier_business_id === id);
    return { id, name: names.get(id) ?? id, offers: own, parts: new Set(own.flatMap(({ partIds }) => partIds)).size };
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
    if (!only) return { kind: "none" };
    if (!spanning.has(only)) return { kind: "offers", offers: here, span: 1 };
    const above = order[row - 1];
    const starts = above === undefined || !only.partIds.includes(above);
    return starts ? { kind: "offers", offers: here, span: only.partIds.length } : { kind: "under" };
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
  const offers = basket.offers.map((offer) => viewOf(offer, known)).filter(({ partIds }) => partIds.length > 0);
  const order = rowOrder([...known], offers);
  const columns = columnsOf(basket, offers);
  const grid = columns.map((column) => cellsOf(column, order));
  const byId = new Map(parts.map((part) => [part.id, part]));
  const rows = order.flatMap((id, row): BasketRow[] => {
    const part = byId.get(id);
    if (!part) return [];
    const cells = grid.map((column): Cell => column[row] ?? { kind: "none" });
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

const offersIn = (cell: Cell | undefined): readonly OfferView[] => (cell?.kind === "offers" ? cell.offers : []);

/** The row in which the cell that reaches over this place begins. */
const topOf = (table: BasketTable, row: number, column: number): number => {
  let top = row;
  while (top > 0 && table.rows[top]?.cells[column]?.kind === "under") top -= 1;
  return top;
};

const at = (table: BasketTable, row: number, column: number): readonly OfferView[] =>
  offersIn(table.rows[topOf(table, row, column)]?.cells[column]);

export const offerAt = (table: BasketTable, { row, column, index }: Place): OfferView | null =>
  at(table, row, column)[index] ?? null;

/** The first place that has an offer, from the top left; null in an empty basket. */
export const firstPlace = (table: BasketTable): Place | null => {
  for (const [row, { cells }] of table.rows.entries()) {
    const column = cells.findIndex((cell) => cell.kind === "offers");
    if (column >= 0) return { row, column, index: 0 };
  }
  return null;
};

const sideways = (table: BasketTable, { row, column }: Place, by: 1 | -1): Place | null => {
  for (let next = column + by; next >= 0 && next < table.columns.length; next += by) {
    if (at(table, row, next).length > 0) return { row, column: next, index: 0 };
  }
  return null;
};

const upAndDown = (table: BasketTable, { row, column, index }: Place, by: 1 | -1): Place | null => {
  const here = at(table, row, column);
  if (here[index + by]) return { row, column, index: index + by };
  const current = here[index];
  for (let next = row + by; next >= 0 && next < table.rows.length; next += by) {
    const there = at(table, next, column);
    if (there.length > 0 && !(here.length === 1 && there[0] === current)) {
      return { row: next, column, index: by === 1 ? 0 : there.length - 1 };
    }
  }
  return null;
};

const edge = (table: BasketTable, place: Place, end: boolean): Place | null => {
  const columns = [...table.columns.keys()].filter((column) => at(table, place.row, column).length > 0);
  const column = end ? columns.at(-1) : columns[0];
  return column === undefined ? null : { row: place.row, column, index: 0 };
};

/** Where a key leads from here, over cells without an offer; null when there is nothing that way, or the key is not ours. */
export const moved = (table: BasketTable, from: Place, key: string): Place | null => {
  switch (key) {
    case "ArrowRight":
      return sideways(table, from, 1);
    case "ArrowLeft":
      return sideways(table, from, -1);
    case "ArrowDown":
      return upAndDown(table, from, 1);
    case "ArrowUp":
      return upAndDown(table, from, -1);
    case "Home":
      return edge(table, from, false);
    case "End":
      return edge(table, from, true);
    default:
      return null;
  }
};
