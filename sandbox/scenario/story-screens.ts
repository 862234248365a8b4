import type { Counterpart } from "../contract/control/counterpart-operations.ts";
import type { ReceiverBehaviour } from "../contract/control/receiver-operations.ts";
import type { Credential, JobRow, ProcurementRow, Subscription } from "../contract/control/rows.ts";
import type { Basket, Offer } from "../contract/resources/basket.ts";
import type { PartCondition } from "../contract/resources/condition.ts";
import type { Part } from "../contract/resources/job.ts";
import type { Address, BuyerProcurement, SupplierProcurement } from "../contract/resources/procurement.ts";
import type { Screen } from "../contract/story.ts";
import { plural } from "../contract/text.ts";

/** Builds a side's screens only from data that this side may read. */

const empty: Pick<Screen, "status" | "facts" | "lines" | "total" | "offers"> = {
  ...{ status: null, facts: [], lines: [], total: null, offers: null },
};

const fact = (label: string, value: string | null | undefined) => ({ label, value: value ?? "none" });

const conditionWord = (condition: PartCondition | null): string => condition?.type ?? "";

/** A job's number, else the partner's own identifier. */
const jobName = ({ job_number, external_id }: Pick<JobRow, "job_number" | "external_id">): string =>
  job_number ?? external_id ?? "job without a number";

export const integrationScreen = ({ organization_name, integration_id, key_hint, scope }: Credential): Screen => ({
  ...empty,
  ...{ name: organization_name, note: "integration", title: "Installed" },
  facts: [fact("Side", scope === "repairer" ? "buyer" : "supplier"), fact("Integration", integration_id)].concat(
    fact("API key", key_hint),
  ),
});

const answerWord = ({ answer, status }: ReceiverBehaviour): string =>
  ({ accept: "200", status: String(status), time_out: "nothing" })[answer];

/** @param name its name in the scenario, if its side has several */
export const receiverScreen = (
  { organization_name, receives, url }: Subscription,
  name: string | null,
  behaviour: ReceiverBehaviour | undefined,
): Screen => ({
  ...empty,
  ...{ name: organization_name, note: "webhooks", title: name === null ? "Subscribed" : `Receiver “${name}”` },
  facts: [fact("Events", receives.events.join(", ")), fact("Address", url)].concat(
    behaviour ? fact("Answers", answerWord(behaviour)) : [],
  ),
});

/** Organizations that act by themselves. */
export const counterpartsScreen = (rules: readonly Counterpart[]): Screen => ({
  ...empty,
  ...{ name: "Suppliers", note: "act by themselves", title: plural(rules.length, "rule") },
  lines: rules.map(({ sentence }) => ({ text: sentence, amount: "" })),
});

export const jobScreen = (name: string, job: JobRow, parts: readonly Part[]): Screen => ({
  ...empty,
  ...{ name, note: "job", title: jobName(job) },
  // Missing values would take the place of the job's webhooks.
  facts: [
    { label: "Vehicle", value: job.plate_number ?? job.chassis_number },
    { label: "Site", value: job.site.name },
    { label: "Claim", value: job.claim_number },
    { label: "Insurer", value: job.work_provider?.name },
  ].filter((one): one is Screen["facts"][number] => Boolean(one.value)),
  lines: parts.map(({ description, status }) => ({ text: description, amount: status })),
});

/** Number of suppliers that fit side by side: those with the most offers. */
const MAX_SUPPLIERS = 3;

const countWords = (count: number): string =>
  count > MAX_SUPPLIERS ? `${count}, ${MAX_SUPPLIERS} shown` : String(count);

const cheapest = (offers: readonly Offer[]): Offer | undefined =>
  offers.toSorted((one, other) => Number(one.trade_price) - Number(other.trade_price))[0];

/** @param chosen the offers that the story orders next */
export const basketScreen = (
  name: string,
  { job, parts, basket, chosen }: { job: JobRow; parts: readonly Part[]; basket: Basket; chosen: ReadonlySet<string> },
): Screen => {
  const offersOf = (business: string) => basket.offers.filter((one) => one.supplier_business_id === business);
  const isChosen = ({ sellable_id }: Offer) => chosen.has(sellable_id);
  const suppliers = basket.suppliers
    .map(({ business_id, name }) => ({ name, offers: offersOf(business_id) }))
    .toSorted(
      (one, other) =>
        Number(other.offers.some(isChosen)) - Number(one.offers.some(isChosen)) ||
        other.offers.length - one.offers.length,
    )
    .slice(0, MAX_SUPPLIERS);
  return {
    ...empty,
    ...{ name, note: `basket of ${jobName(job)}`, title: plural(basket.offers.length, "offer") },
    facts: [fact("Suppliers", countWords(basket.suppliers.length)), fact("Currency", job.site.currency_code)],
    offers: {
      suppliers: suppliers.map((one) => one.name),
      parts: parts.map(({ id, description }) => ({
        part: description,
        cells: suppliers.map(({ offers }) => {
          const partOffers = offers.filter((one) => one.job_part_ids.includes(id));
          const shown = partOffers.find(isChosen) ?? cheapest(partOffers);
          if (!shown) return null;
          return {
            price: shown.trade_price,
            condition: conditionWord(shown.condition),
            chosen: isChosen(shown),
          };
        }),
      })),
    },
  };
};

/** A supplier's view of a basket: its own offers, without the buyer's choice. */
export const offersScreen = (name: string, parts: readonly Part[], offers: readonly Offer[]): Screen => {
  const covered = new Set(offers.flatMap((one) => one.job_part_ids));
  const descriptions = parts.filter(({ id }) => covered.has(id)).map(({ description }) => description);
  return {
    ...empty,
    ...{ name, note: "supplier", title: `${plural(offers.length, "offer")} in this basket` },
    facts: [
      fact("For", descriptions.join(", ")),
      fact("Condition", [...new Set(offers.map(({ condition }) => conditionWord(condition) || "any"))].join(", ")),
    ],
  };
};

/** Formats a time for an audience. */
const moment = (at: string | null): string =>
  at === null ? "not set yet" : `${at.slice(0, 16).replace("T", " ")} UTC`;

const formatAddress = (of: Address): string => {
  const street = [of.unit, of.street_number, of.street_name].filter(Boolean).join(" ");
  return [of.name, street, of.suburb, of.city].filter(Boolean).join(", ");
};

const itemLines = (order: BuyerProcurement): Screen["lines"] =>
  order.offered_items.map(({ supplied_offer: { description, quantity, trade_price } }) => ({
    text: description,
    amount: `${quantity > 1 ? `${quantity} × ` : ""}${trade_price ?? "no price"}`,
  }));

const formatTotal = ({ total, currency_code }: ProcurementRow): string | null =>
  total === null ? null : [currency_code, total].filter(Boolean).join(" ");

export const buyerOrderScreen = (row: ProcurementRow, order: BuyerProcurement): Screen => ({
  ...empty,
  ...{ name: row.buyer.name, note: `order of ${row.job_number ?? "a job"}`, title: row.reference ?? "Order" },
  status: { value: order.status },
  facts: [fact("Supplier", row.supplier.name), fact("Deliver by", moment(order.deliver_before))],
  lines: itemLines(order),
  total: formatTotal(row),
});

export const supplierOrderScreen = (row: ProcurementRow, order: SupplierProcurement): Screen => ({
  ...empty,
  ...{ name: row.supplier.name, note: "incoming order", title: row.reference ?? "Order" },
  status: { value: order.status },
  facts: [
    fact("From", row.buyer.name),
    fact("Ship to", formatAddress(order.buyer_shipping_address)),
    fact("Vehicle", [order.vehicle.plate_number, order.vehicle.variant.description].filter(Boolean).join(", ")),
    fact("Parts", order.offered_items.map(({ supplied_offer }) => supplied_offer.description).join(", ")),
    fact("Total", formatTotal(row)),
    fact("Deliver by", moment(order.deliver_before)),
  ],
});

/** Several orders of a buyer with their states. */
export const ordersScreen = (name: string, rows: readonly ProcurementRow[]): Screen => ({
  ...empty,
  ...{ name, note: "orders", title: plural(rows.length, "order") },
  lines: rows.map((row) => ({
    text: `${row.reference ?? "Order"} · ${row.supplier.name}`,
    amount: row.status.replaceAll("_", " "),
  })),
});

/** Adds previous values beside changed ones. @param before the previous screen of the same record */
export const withMarks = (now: Screen, before: Screen | undefined): Screen => {
  if (!before) return now;
  const was = (old: string | undefined, value: string) => (old === undefined || old === value ? {} : { was: old });
  const factWas = new Map(before.facts.map(({ label, value }) => [label, value]));
  const lineWas = new Map(before.lines.map(({ text, amount }) => [text, amount]));
  const state = now.status && { ...now.status, ...was(before.status?.value, now.status.value) };
  return {
    ...now,
    status: state,
    facts: now.facts.map((one) => ({ ...one, ...was(factWas.get(one.label), one.value) })),
    lines: now.lines.map((one) => ({ ...one, ...was(lineWas.get(one.text), one.amount) })),
  };
};

/** Removes all change marks. */
export const withoutMarks = (screen: Screen): Screen => ({
  ...screen,
  status: screen.status && { value: screen.status.value },
  facts: screen.facts.map(({ was: _, ...one }) => one),
  lines: screen.lines.map(({ was: _, ...one }) => one),
});
