import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { operationTitle } from "../../domain/exchange/operation-words.ts";
import { plural } from "../../lib/formatting.ts";

/** How many it says first: "4 parts inserted". */
const countIn = (outcome: string): number => Number.parseInt(outcome, 10);

/** What a call did that was carried out, before the name of what it did it to; the other operations have their titles. */
const done: Readonly<Record<string, (row: RequestRow) => string>> = {
  "integrations.insert": () => "Installed an integration",
  "webhooks.subscribe": () => "Subscribed a receiver",
  "repairer.jobs.insert": ({ outcome }) => (outcome.startsWith("inserted") ? "Inserted job" : "Updated job"),
  "repairer.jobs.delete": () => "Deleted job",
  "repairer.jobs.parts.insert": ({ outcome }) =>
    /^\d+ parts? inserted/.test(outcome) ? `Added ${plural(countIn(outcome), "part")} to` : "Updated parts of",
  "repairer.procurements.place": ({ outcome, procurement_id }) =>
    procurement_id === null ? `Placed ${plural(countIn(outcome), "order")} for` : "Placed order",
  "supplier.procurements.confirm": ({ outcome }) =>
    outcome.startsWith("already") ? "Confirmed again, nothing changed:" : "Confirmed order",
  "procurements.cancel": () => "Cancelled order",
  "uploads.prepare": () => "Prepared an upload",
  "tier1.prepare": ({ outcome }) => `Vehicles: ${outcome}`,
};

/** What a call did, as a person says it: "Placed 2 orders for", "Confirmed order". */
export const doneWords = (row: RequestRow): string =>
  done[row.operation ?? ""]?.(row) ?? operationTitle(row.operation ?? row.path);
