import { expect, it } from "vitest";
import { pickKindOf } from "./picks.ts";

it.each([
  ["repairer.jobs.insert", ["identity", "external"], "job by its external identifier"],
  ["repairer.jobs.get", ["identity", "id"], "job"],
  ["repairer.jobs.parts.list", ["job_identity", "id"], "job"],
  ["repairer.jobs.parts.insert", ["parts", 0, "identity", "id"], null],
  ["supplier.procurements.confirm", ["identity", "id"], "order"],
  ["procurements.cancel", ["identity", "id"], "order"],
  ["repairer.procurements.place", ["sellable_ids", 3], "offer"],
  ["repairer.jobs.insert", ["repairer_site_id"], "site"],
  ["repairer.jobs.insert", ["claim_number"], null],
  ["deliveries.get", ["id"], null],
  ["integrations.insert", ["client_id"], "client"],
] as const)("%s: what %j names is offered", (operation, path, kind) => {
  expect(pickKindOf(operation, path)).toBe(kind);
});
