import type { BasketTable, Cell, OfferView } from "./basket-table.ts";

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

/** The offer at a place. */
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
