import { type Operation, operationPath } from "../operation.ts";

export type Call = Pick<Operation, "surface" | "effect" | "summary">;

const calls = <const S extends Call["surface"]>(surface: S) => ({
  reads: (summary: string) => ({ surface, effect: "read", summary }) as const,
  writes: (summary: string) => ({ surface, effect: "write", summary }) as const,
});
const contract = calls("contract");
const extension = calls("extension");

/** Every partner operation by its ID; `partner.ts` adds scopes and schemas. */
export const partnerCalls = {
  "integrations.insert": contract.writes(
    "Completes an installation: exchanges an access code for an API key and an integration identifier.",
  ),
  "businesses.list": contract.reads("Lists the businesses of the caller’s organization."),
  "repairer.work-providers.list": contract.reads("Lists the insurers (work providers) a job can be assigned to."),
  "repairer.jobs.get": contract.reads("Fetches one job by its identifier or by the integration’s own."),
  "repairer.jobs.insert": contract.writes("Inserts a new job, or updates or replaces an existing one."),
  "repairer.jobs.parts.insert": contract.writes(
    "Inserts or updates parts of a job, all of them or none, and lists the job’s parts.",
  ),
  "repairer.jobs.parts.list": contract.reads("Lists the parts of a job in the order they were inserted."),
  "repairer.jobs.baskets.latest.get": contract.reads("Fetches the latest basket of supplier offers for a job."),
  "repairer.procurements.get": contract.reads("Fetches an order as its buyer sees it."),
  "repairer.procurements.list": contract.reads("Lists the orders of a job, newest first."),
  "supplier.procurements.get": contract.reads("Fetches an order as its supplier sees it."),
  "supplier.procurements.confirm": contract.writes("Confirms a requested order and sends one event to each side."),
  "repairer.procurements.place": extension.writes(
    "Places offers of a job’s latest basket: one requested order per supplier.",
  ),
  "tier1.prepare": contract.writes("Queues vehicle identifiers for later use. Returns invalid ones with a reason."),
  "uploads.prepare": contract.writes("Returns a pre-signed address for uploading job media."),
  "procurements.cancel": extension.writes("Cancels a requested order, from either side. Sends no event."),
  "repairer.jobs.delete": extension.writes(
    "Deletes a job without active orders, with its parts, and sends a deleted event.",
  ),
  "repairer.invoices.reconcile": extension.reads("Compares the lines of an invoice with a confirmed order."),
} as const satisfies Readonly<Record<string, Call>>;

export type PartnerCall = keyof typeof partnerCalls;

export const partnerPath = (id: PartnerCall): string => operationPath({ id, surface: partnerCalls[id].surface });
