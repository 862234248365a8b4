import { type Operation, pathOf } from "../operation.ts";

export type Call = Pick<Operation, "surface" | "effect" | "summary">;

/** Everything partners call, by its id; `partner.ts` adds who may call it, with what, and what is answered. */
export const partnerCalls = {
  "integrations.insert": {
    surface: "contract",
    effect: "write",
    summary: "Completes an installation: exchanges an access code for an API key and an integration identifier.",
  },
  "businesses.list": {
    surface: "contract",
    effect: "read",
    summary: "Lists the businesses of the caller’s organization.",
  },
  "repairer.work-providers.list": {
    surface: "contract",
    effect: "read",
    summary: "Lists the insurers (work providers) a job can be assigned to.",
  },
  "repairer.jobs.get": {
    surface: "contract",
    effect: "read",
    summary: "Fetches one job by its identifier or by the integration’s own.",
  },
  "repairer.jobs.insert": {
    surface: "contract",
    effect: "write",
    summary: "Inserts a new job, or updates or replaces an existing one.",
  },
  "repairer.jobs.parts.insert": {
    surface: "contract",
    effect: "write",
    summary: "Inserts or updates parts of a job, all of them or none, and lists the job’s parts.",
  },
  "repairer.jobs.parts.list": {
    surface: "contract",
    effect: "read",
    summary: "Lists the parts of a job in the order they were inserted.",
  },
  "repairer.jobs.baskets.latest.get": {
    surface: "contract",
    effect: "read",
    summary: "Fetches the latest basket of supplier offers for a job.",
  },
  "repairer.procurements.get": {
    surface: "contract",
    effect: "read",
    summary: "Fetches an order as its buyer sees it.",
  },
  "repairer.procurements.list": {
    surface: "contract",
    effect: "read",
    summary: "Lists the orders of a job, newest first.",
  },
  "supplier.procurements.get": {
    surface: "contract",
    effect: "read",
    summary: "Fetches an order as its supplier sees it.",
  },
  "supplier.procurements.confirm": {
    surface: "contract",
    effect: "write",
    summary: "Confirms a requested order and sends one event to each side.",
  },
  "repairer.procurements.place": {
    surface: "extension",
    effect: "write",
    summary: "Places offers of a job’s latest basket: one requested order per supplier.",
  },
  "tier1.prepare": {
    surface: "contract",
    effect: "write",
    summary: "Queues vehicle identifiers for later use. Returns invalid ones with a reason.",
  },
  "uploads.prepare": {
    surface: "contract",
    effect: "write",
    summary: "Returns a pre-signed address for uploading job media.",
  },
  "procurements.cancel": {
    surface: "extension",
    effect: "write",
    summary: "Cancels a requested order, from either side. Sends no event.",
  },
  "repairer.jobs.delete": {
    surface: "extension",
    effect: "write",
    summary: "Deletes a job without active orders, with its parts, and sends a deleted event.",
  },
  "repairer.invoices.reconcile": {
    surface: "extension",
    effect: "read",
    summary: "Compares the lines of an invoice with a confirmed order.",
  },
} as const satisfies Readonly<Record<string, Call>>;

export type PartnerCall = keyof typeof partnerCalls;

/** The path a partner's operation is posted to. */
export const partnerPath = (id: PartnerCall): string => pathOf({ id, surface: partnerCalls[id].surface });
