import type { PartCondition } from "../../contract/resources/condition.ts";
import type { ShippingPrice } from "../../contract/resources/procurement.ts";
import { Dice } from "../../rules/baskets/dice.ts";
import { namedUuid } from "../../rules/baskets/named-uuid.ts";
import { makeBasket, type OfferDraft } from "../../rules/baskets.ts";
import { formatMinor, sum, times } from "../../rules/money.ts";
import type { OfferedItemRecord, ProcurementRecord, SourceItemRecord } from "../../rules/records.ts";
import type { JobStory } from "./job-stories.ts";
import { hours } from "./jobs.ts";
import { basketSuppliers, businessId, organizationId, type Site, sites, suppliers } from "./parties.ts";
import type { ProcurementStory } from "./procurement-stories.ts";
import type { SeedJob } from "./types.ts";
import { type ModelKey, models } from "./vehicles.ts";

interface OrderedJob {
  readonly job: SeedJob;
  readonly story: JobStory;
}

const identityOf = (model: ModelKey, partId: string): SourceItemRecord["part_identity"] => {
  const dice = new Dice("part number", partId);
  if (!dice.happens(0, 60)) return null;
  const suffix = dice.pick(3, ["A", "B", "K", "L", "R", "T"]) + dice.pick(4, ["D", "E", "G", "W", "X", "Z"]);
  return {
    gapc_brand_id: models[model].brand,
    mpn: `${dice.between(1, 10_000, 65_000)}-${suffix}${dice.between(2, 100, 999)}`,
  };
};

const sourceItem = (id: string, { job, story }: OrderedJob, partId: string): SourceItemRecord => {
  const part = job.parts.find((one) => one.id === partId);
  return {
    id: namedUuid("source item", id, partId),
    description: part?.description ?? "",
    job_part_id: partId,
    part_identity: story.model ? identityOf(story.model, partId) : null,
    quantity: part?.quantity ?? 1,
  };
};

const offeredItem = (id: string, offer: OfferDraft, plan: ProcurementStory, index: number): OfferedItemRecord => {
  const { sellable_id, warehouse_id, trade_price } = offer;
  const openCondition = plan.openCondition?.includes(index) ?? false;
  const openStock = plan.openStock?.includes(index) ?? false;
  const condition: PartCondition | null = openCondition ? null : offer.condition;
  return {
    id: namedUuid("offered item", id, sellable_id),
    fulfills_source_ids: offer.job_part_ids.map((partId) => namedUuid("source item", id, partId)),
    description: offer.name,
    quantity: offer.quantity,
    condition,
    inventory: openStock ? null : { sellable_id, warehouse_id },
    trade_price: openStock ? null : trade_price,
    offer: { sellable_id, warehouse_id, trade_price },
  };
};

const shippingOf = (plan: ProcurementStory, offers: readonly OfferDraft[], currency: string): ShippingPrice | null => {
  if (!plan.shipping) return null;
  const [type, minor] = plan.shipping;
  const pieces = sum(offers.map((offer) => offer.quantity));
  return { type, value: formatMinor(type === "derived" ? times(minor, pieces) : minor, currency) };
};

/** The supplier's offers for parts that are still free; a confirmed order consists of goods in a stated condition. */
const chosenOffers = (
  plan: ProcurementStory,
  basket: readonly OfferDraft[],
  taken: ReadonlySet<string>,
): OfferDraft[] =>
  basket
    .filter((offer) => offer.supplier_business_id === businessId(plan.supplier))
    .filter((offer) => plan.status !== "order_confirmed" || offer.condition !== null)
    .filter((offer) => offer.job_part_ids.every((partId) => !taken.has(partId)))
    .slice(0, plan.take);

const procurement = (
  plan: ProcurementStory,
  ordered: OrderedJob,
  offers: readonly OfferDraft[],
  ordinal: number,
): ProcurementRecord => {
  const { job, story } = ordered;
  const site: Site = sites[story.site];
  const id = namedUuid("procurement", story.number, String(ordinal));
  const created_at = job.created_at + hours(plan.after);
  return {
    id,
    job_id: job.id,
    status: plan.status,
    reference: `${site.prefix}-${story.number.replace(/\D/g, "")}-${ordinal}`,
    currency_code: site.currency,
    created_at,
    updated_at: created_at + hours(plan.answeredAfter ?? 0),
    deliver_before: plan.dueAfter === undefined ? null : created_at + hours(plan.dueAfter),
    buyer_organization_id: job.organization_id,
    buyer_business_id: job.repairer_site_id,
    buyer_shipping_address: site.address,
    supplier_organization_id: organizationId(plan.supplier),
    supplier_business_id: businessId(plan.supplier),
    supplier_business_name: suppliers[plan.supplier].name,
    total_shipping_price: shippingOf(plan, offers, site.currency),
    vehicle: {
      chassis_number: job.vehicle?.chassis_number ?? null,
      plate_number: job.vehicle?.plate_number ?? null,
      variant: { description: job.vehicle_variant ?? "Vehicle not identified" },
    },
    source_items: offers.flatMap((offer) => offer.job_part_ids).map((partId) => sourceItem(id, ordered, partId)),
    offered_items: offers.map((offer, index) => offeredItem(id, offer, plan, index)),
  };
};

/**
 * The procurements of a job, in the order they were placed, from the offers the job's basket really has. A part is
 * bought once; a cancelled procurement sets its parts free for the next.
 */
export const procurementsOf = (
  job: SeedJob,
  story: JobStory,
  plans: readonly ProcurementStory[],
): ProcurementRecord[] => {
  if (plans.length === 0) return [];
  const basket = makeBasket({
    jobId: job.id,
    currency: sites[story.site].currency,
    parts: job.parts,
    suppliers: basketSuppliers,
  });
  const taken = new Set<string>();
  return plans.map((plan, index) => {
    const offers = chosenOffers(plan, basket, taken);
    if (plan.status !== "cancelled")
      for (const partId of offers.flatMap((offer) => offer.job_part_ids)) taken.add(partId);
    return procurement(plan, { job, story }, offers, index + 1);
  });
};
