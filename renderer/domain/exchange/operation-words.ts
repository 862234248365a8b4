import type { LinkCall } from "../../../sandbox/contract/control/exchange-kinds.ts";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import type { PartnerCall } from "../../../sandbox/contract/operations/partner-calls.ts";

/** Labels of operations. */
const titles: Readonly<Record<PartnerCall | "webhooks.subscribe" | "webhooks.secret" | LinkCall, string>> = {
  "integrations.insert": "Complete an install",
  "businesses.list": "List businesses",
  "repairer.work-providers.list": "List insurers",
  "repairer.jobs.get": "Read job",
  "repairer.jobs.insert": "Insert job",
  "repairer.jobs.parts.insert": "Add parts",
  "repairer.jobs.parts.list": "List parts",
  "repairer.jobs.baskets.latest.get": "Latest basket",
  "repairer.procurements.get": "Read order as buyer",
  "repairer.procurements.list": "List orders",
  "supplier.procurements.get": "Read order as supplier",
  "supplier.procurements.confirm": "Confirm order",
  "repairer.procurements.place": "Place orders",
  "tier1.prepare": "Queue vehicles",
  "uploads.prepare": "Prepare an upload",
  "procurements.cancel": "Cancel order",
  "repairer.jobs.delete": "Delete job",
  "repairer.invoices.reconcile": "Reconcile invoice",
  "webhooks.subscribe": "Subscribe",
  "webhooks.secret": "Read webhook secret",
  "uploads.put": "Upload a picture",
  "media.get": "Read a picture",
  "oauth.authorize": "Consent page",
};

export const titledOperations: readonly string[] = Object.keys(titles);

export const isTitled = (operation: string): operation is keyof typeof titles => Object.hasOwn(titles, operation);

/** An operation's label; an unknown one keeps its name. */
export const operationTitle = (operation: string): string => (isTitled(operation) ? titles[operation] : operation);

/** A call's label; without an operation, its method and path. */
export const callTitle = ({ operation, method, path }: Pick<RequestRow, "operation" | "method" | "path">): string => {
  if (operation !== null) return operationTitle(operation);
  return method === "" ? "Unreadable call" : `${method} ${path}`;
};
