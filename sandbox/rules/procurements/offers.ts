import type { Offer } from "../../contract/resources/basket.ts";
import type { PartRecord, SupplierKind } from "../records.ts";
import type { PartCategory } from "./catalogue.ts";
import { type CatalogueEntry, catalogueEntryFor } from "./catalogue.ts";
import { asNew, usedCondition } from "./condition.ts";
import { Dice, namedUuid } from "./dice.ts";
import { formatMinor, minorDigits, sum, times } from "./money.ts";

/** A kind of supplier's stock in one category. */
interface Stock {
  /** Probability that it has the part, in percent. */
  readonly has: number;
  /** Probability that the part is used, in percent. */
  readonly used: number;
  /** Price range of a new part, in percent of the genuine price. */
  readonly share: readonly [number, number];
  /** Probability that the offer omits the condition, in percent. */
  readonly unstated: number;
}

const fresh = (has: number, from: number, to: number, unstated = 0): Stock => ({
  has,
  used: 0,
  share: [from, to],
  unstated,
});
const used = (has: number, unstated: number): Stock => ({ has, used: 100, share: [100, 100], unstated });

/** Typical of the trade. Missing categories are not sold. */
// biome-ignore format: a table, as many categories a line as fit
const shelves: Readonly<Record<SupplierKind, Partial<Record<PartCategory, Stock>>>> = {
  // A dealer can order every part, so scripts can rely on an offer.
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

/** Restraint systems are not sold used, and used clips have no price. */
const neverUsed = /airbag|seat belt|pretensioner/i;

/** Stock for a part; null if this kind of supplier doesn't sell it. */
const offerStock = (kind: SupplierKind, entry: CatalogueEntry): Stock | null => {
  const stock = shelves[kind][entry.category];
  return !stock || (stock.used > 0 && neverUsed.test(entry.description)) ? null : stock;
};

/** Units per New Zealand dollar, in thousandths. Merely plausible, because the sandbox trades nothing. */
const rates: ReadonlyMap<string, number> = new Map([
  ["NZD", 1000],
  ["AUD", 920],
  ["GBP", 470],
  ["USD", 600],
  ["EUR", 550],
  ["CAD", 820],
  ["SGD", 790],
  ["JPY", 90_000],
  ["KRW", 820_000],
]);

const nearest = (amount: number, step: number): number => Math.max(step, Math.floor((amount + step / 2) / step) * step);

/** Whole percent of an amount, rounded half up. */
const applyPercent = (amount: number, percent: number): number => Math.floor((amount * percent + 50) / 100);

/** Converts New Zealand cents to minor units; unknown currencies count as NZD. */
const convertCents = (cents: number, currency: string): number => {
  const minorPerUnit = 10 ** minorDigits(currency);
  return Math.floor((cents * (rates.get(currency) ?? 1000) * minorPerUnit + 50_000) / 100_000);
};

/**
 * Rounds prices as suppliers do: new ones to 5 minor units, used ones to whole units, large ones to 5 units. Never
 * returns 0.
 */
export const roundPrice = (minor: number, currency: string, used: boolean): number => {
  const unit = 10 ** minorDigits(currency);
  if (!used) return nearest(minor, 5);
  return nearest(minor, minor < 100 * unit ? unit : 5 * unit);
};

/** An offer plus its stock location, which only the sandbox knows; null if the supplier names none (D53). */
export type OfferDraft = Offer & { readonly warehouse_id: string | null };

export type BasketPart = Pick<PartRecord, "id" | "description" | "quantity" | "ghca_id">;

export interface BasketSupplier {
  readonly business_id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly kind: SupplierKind;
}

interface BasketJob {
  readonly jobId: string;
  readonly currency: string;
  /** Price level of the vehicle's parts, in percent of the catalogue price. */
  readonly level: number;
}

/** Price level by vehicle: 80 % to 125 % of the catalogue price. */
export const jobPriceLevel = (jobId: string): number => new Dice("vehicle", jobId).between(0, 80, 125);

/** Suffixes suppliers add to the buyer's description. */
const wording: Readonly<Record<SupplierKind, Readonly<Record<"new" | "used", string>>>> = {
  genuine: { new: "", used: "" },
  aftermarket: { new: ", aftermarket", used: ", used" },
  dismantler: { new: "", used: ", dismantled" },
  salvage: { new: "", used: ", salvaged" },
  mechanical: { new: ", exchange unit", used: ", tested" },
  consumables: { new: "", used: "" },
};

/** Shortens long descriptions without splitting a character. */
const goodsName = (description: string): string => {
  const name = description
    .trim()
    .slice(0, 200)
    .replace(/[\ud800-\udbff]$/, "");
  return name === "" ? "Part without a description" : name;
};

/** Name of the goods. Tyres and pads are never overhauled, so they don't get a workshop's suffix. */
const sellableName = (
  supplier: BasketSupplier,
  part: BasketPart,
  entry: CatalogueEntry,
  condition: "new" | "used",
): string =>
  goodsName(part.description) +
  (supplier.kind === "mechanical" && entry.category === "wear" ? "" : wording[supplier.kind][condition]);

const pickWarehouse = (supplier: BasketSupplier, dice: Dice): string | null => {
  const number = dice.between(4, 0, 3);
  return number === 0 ? null : namedUuid("warehouse", supplier.business_id, String(number));
};

/** Requested pieces; an absent quantity counts as one. */
export const partPieces = (part: BasketPart): number => part.quantity ?? 1;

const newPrice = (job: BasketJob, entry: CatalogueEntry): number =>
  convertCents(applyPercent(entry.base_price, job.level), job.currency);

/** Stock that always offers the part used, with its condition, if it ever sells such parts used. */
const forceUsed = (stock: Stock): Stock | null =>
  stock.used > 0 ? { ...stock, has: 100, used: 100, unstated: 0 } : null;

/**
 * Offer for one part; null if there is none. Its ID depends only on job, supplier and part.
 *
 * @param only `used` removes new offers and guarantees every possible used one
 */
export const offerFor = (
  job: BasketJob,
  supplier: BasketSupplier,
  part: BasketPart,
  entry: CatalogueEntry,
  only?: "used",
): OfferDraft | null => {
  const stocked = offerStock(supplier.kind, entry);
  const stock = stocked && only === "used" ? forceUsed(stocked) : stocked;
  if (!stock) return null;
  const dice = new Dice("offer", job.jobId, supplier.business_id, part.id);
  if (!dice.happens(0, stock.has)) return null;
  const used = dice.happens(1, stock.used);
  const worth = used
    ? usedCondition(entry, dice)
    : { condition: asNew, percent: dice.between(2, stock.share[0], stock.share[1]) };
  const price = roundPrice(applyPercent(newPrice(job, entry), worth.percent), job.currency, used);
  return {
    condition: dice.happens(3, stock.unstated) ? null : worth.condition,
    job_part_ids: [part.id],
    name: sellableName(supplier, part, entry, worth.condition.type),
    quantity: partPieces(part),
    sellable_id: namedUuid("sellable", job.jobId, supplier.business_id, part.id),
    supplier_business_id: supplier.business_id,
    trade_price: formatMinor(price, job.currency),
    warehouse_id: pickWarehouse(supplier, dice),
  };
};

/** Offer for two parts sold as one new kit, slightly below the sum of their prices. */
export const kitOfferFor = (
  job: BasketJob,
  supplier: BasketSupplier,
  main: BasketPart,
  extra: BasketPart,
): OfferDraft => {
  const dice = new Dice("kit offer", job.jobId, supplier.business_id, main.id, extra.id);
  const stock = offerStock(supplier.kind, catalogueEntryFor(main.description));
  const [from, to] = stock?.share ?? [100, 100];
  const apart = sum(
    [main, extra].map((part) => times(newPrice(job, catalogueEntryFor(part.description)), partPieces(part))),
  );
  const price = roundPrice(applyPercent(apart, applyPercent(dice.between(2, from, to), 92)), job.currency, false);
  const extraName = goodsName(extra.description);
  return {
    condition: asNew,
    job_part_ids: [main.id, extra.id],
    name: `${goodsName(main.description)}, with ${extraName.charAt(0).toLowerCase()}${extraName.slice(1)}`,
    quantity: 1,
    sellable_id: namedUuid("sellable", job.jobId, supplier.business_id, main.id, extra.id),
    supplier_business_id: supplier.business_id,
    trade_price: formatMinor(price, job.currency),
    warehouse_id: pickWarehouse(supplier, dice),
  };
};
