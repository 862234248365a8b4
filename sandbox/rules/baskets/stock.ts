import type { CatalogueEntry, PartCategory } from "../catalogue.ts";
import type { SupplierKind } from "../records.ts";

/** How a kind of supplier answers for a category. */
export interface Stock {
  /** In how many of a hundred cases it has the part. */
  readonly has: number;
  /** In how many of a hundred cases the part is used; the others are new. */
  readonly used: number;
  /** Price of a new one, as percent of the genuine new price, from and to. */
  readonly share: readonly [number, number];
  /** In how many of a hundred cases it does not say in which condition the part is. */
  readonly unstated: number;
}

const fresh = (has: number, from: number, to: number, unstated = 0): Stock => ({
  has,
  used: 0,
  share: [from, to],
  unstated,
});
const used = (has: number, unstated: number): Stock => ({ has, used: 100, share: [100, 100], unstated });

/** The tables say what the field is like; categories left out are not sold. */
// biome-ignore format: a table, as many categories a line as fit
const shelves: Readonly<Record<SupplierKind, Partial<Record<PartCategory, Stock>>>> = {
  // A dealer orders whatever is asked for, so scripts can count on an answer for every part.
  genuine: {
    panel: fresh(100, 100, 100), lamp: fresh(100, 100, 100), glass: fresh(100, 100, 100), mechanical: fresh(100, 100, 100),
    cooling: fresh(100, 100, 100), wear: fresh(100, 100, 100), trim: fresh(100, 100, 100), electronic: fresh(100, 100, 100),
    consumable: fresh(100, 100, 100),
  },
  aftermarket: {
    panel: fresh(84, 45, 68), lamp: fresh(80, 48, 70), glass: fresh(55, 50, 70), mechanical: fresh(45, 52, 74),
    cooling: fresh(88, 45, 66), wear: fresh(85, 50, 72), trim: fresh(58, 45, 65), electronic: fresh(18, 58, 75), consumable: fresh(70, 42, 66),
  },
  dismantler: {
    panel: used(74, 8), lamp: used(64, 8), glass: used(38, 10), mechanical: used(62, 10), cooling: used(48, 12),
    wear: used(30, 10), trim: used(46, 15), electronic: used(44, 12),
  },
  salvage: {
    panel: used(56, 22), lamp: used(50, 22), glass: used(30, 25), mechanical: used(52, 22), cooling: used(42, 22),
    wear: used(44, 18), trim: used(40, 40), electronic: used(28, 30),
  },
  mechanical: {
    mechanical: { has: 90, used: 45, share: [58, 82], unstated: 6 }, cooling: { has: 76, used: 30, share: [52, 76], unstated: 6 },
    wear: fresh(84, 54, 78), electronic: { has: 26, used: 60, share: [60, 80], unstated: 12 },
  },
  consumables: {
    consumable: fresh(96, 60, 88), trim: fresh(44, 62, 84, 10), wear: fresh(22, 64, 86), lamp: fresh(10, 60, 80),
  },
};

/** Restraint systems are not sold used, and nobody prices a used clip. */
const neverUsed = /airbag|seat belt|pretensioner/i;

/** How a kind of supplier answers for a part; null when it does not sell such parts. */
export const stockOf = (kind: SupplierKind, entry: CatalogueEntry): Stock | null => {
  const stock = shelves[kind][entry.category];
  return !stock || (stock.used > 0 && neverUsed.test(entry.description)) ? null : stock;
};
