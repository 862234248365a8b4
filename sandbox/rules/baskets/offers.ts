import type { Offer } from "../../contract/resources/basket.ts";
import { type CatalogueEntry, catalogueEntryFor } from "../catalogue.ts";
import { formatMinor, sum, times } from "../money.ts";
import type { PartRecord, SupplierKind } from "../records.ts";
import { asNew, usedCondition } from "./condition.ts";
import { Dice } from "./dice.ts";
import { namedUuid } from "./named-uuid.ts";
import { inCurrency, percentOf, rounded } from "./price.ts";
import { stockOf } from "./stock.ts";

/** An offer with what only the sandbox knows of it: the stock location, null when the supplier names none (D53). */
export type OfferDraft = Offer & { readonly warehouse_id: string | null };

export type BasketPart = Pick<PartRecord, "id" | "description" | "quantity" | "ghca_id">;

export interface BasketSupplier {
  readonly business_id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly kind: SupplierKind;
}

/** The job an offer is made for. */
export interface BasketJob {
  readonly jobId: string;
  readonly currency: string;
  /** What its vehicle's parts cost, as percent of the catalogue's price. */
  readonly level: number;
}

/** Vehicles differ: the same part costs a fifth less to a quarter more from job to job. */
export const priceLevelOf = (jobId: string): number => new Dice("vehicle", jobId).between(0, 80, 125);

/** How suppliers word their goods after the buyer's description. */
const wording: Readonly<Record<SupplierKind, Readonly<Record<"new" | "used", string>>>> = {
  genuine: { new: "", used: "" },
  aftermarket: { new: ", aftermarket", used: ", used" },
  dismantler: { new: "", used: ", dismantled" },
  salvage: { new: "", used: ", salvaged" },
  mechanical: { new: ", exchange unit", used: ", tested" },
  consumables: { new: "", used: "" },
};

/** Suppliers shorten long descriptions; never in the middle of a character. */
const goodsName = (description: string): string => {
  const name = description
    .trim()
    .slice(0, 200)
    .replace(/[\ud800-\udbff]$/, "");
  return name === "" ? "Part without a description" : name;
};

/** What the supplier calls the goods. Tyres and pads are never overhauled, so a workshop's word does not fit them. */
const sellableName = (
  supplier: BasketSupplier,
  part: BasketPart,
  entry: CatalogueEntry,
  condition: "new" | "used",
): string =>
  goodsName(part.description) +
  (supplier.kind === "mechanical" && entry.category === "wear" ? "" : wording[supplier.kind][condition]);

const warehouseOf = (supplier: BasketSupplier, dice: Dice): string | null => {
  const number = dice.between(4, 0, 3);
  return number === 0 ? null : namedUuid("warehouse", supplier.business_id, String(number));
};

/** Pieces a part asks for: none stated counts as one. */
export const piecesOf = (part: BasketPart): number => part.quantity ?? 1;

const newPrice = (job: BasketJob, entry: CatalogueEntry): number =>
  inCurrency(percentOf(entry.base_price, job.level), job.currency);

/** The supplier's offer for one part; null when it has none. Its identifier depends on job, supplier and part alone. */
export const offerFor = (
  job: BasketJob,
  supplier: BasketSupplier,
  part: BasketPart,
  entry: CatalogueEntry,
): OfferDraft | null => {
  const stock = stockOf(supplier.kind, entry);
  if (!stock) return null;
  const dice = new Dice("offer", job.jobId, supplier.business_id, part.id);
  if (!dice.happens(0, stock.has)) return null;
  const used = dice.happens(1, stock.used);
  const worth = used
    ? usedCondition(entry, dice)
    : { condition: asNew, percent: dice.between(2, stock.share[0], stock.share[1]) };
  const price = rounded(percentOf(newPrice(job, entry), worth.percent), job.currency, used);
  return {
    condition: dice.happens(3, stock.unstated) ? null : worth.condition,
    job_part_ids: [part.id],
    name: sellableName(supplier, part, entry, worth.condition.type),
    quantity: piecesOf(part),
    sellable_id: namedUuid("sellable", job.jobId, supplier.business_id, part.id),
    supplier_business_id: supplier.business_id,
    trade_price: formatMinor(price, job.currency),
    warehouse_id: warehouseOf(supplier, dice),
  };
};

/** The supplier's offer for two parts sold as one new kit, at a little less than the two alone. */
export const kitOfferFor = (
  job: BasketJob,
  supplier: BasketSupplier,
  main: BasketPart,
  extra: BasketPart,
): OfferDraft => {
  const dice = new Dice("kit offer", job.jobId, supplier.business_id, main.id, extra.id);
  const stock = stockOf(supplier.kind, catalogueEntryFor(main.description));
  const [from, to] = stock?.share ?? [100, 100];
  const apart = sum(
    [main, extra].map((part) => times(newPrice(job, catalogueEntryFor(part.description)), piecesOf(part))),
  );
  const price = rounded(percentOf(apart, percentOf(dice.between(2, from, to), 92)), job.currency, false);
  const extraName = goodsName(extra.description);
  return {
    condition: asNew,
    job_part_ids: [main.id, extra.id],
    name: `${goodsName(main.description)}, with ${extraName.charAt(0).toLowerCase()}${extraName.slice(1)}`,
    quantity: 1,
    sellable_id: namedUuid("sellable", job.jobId, supplier.business_id, main.id, extra.id),
    supplier_business_id: supplier.business_id,
    trade_price: formatMinor(price, job.currency),
    warehouse_id: warehouseOf(supplier, dice),
  };
};
