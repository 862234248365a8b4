import { expect, it } from "vitest";
import { staleBy } from "../../kernel/queries/changes.ts";
import { fieldPickKind, picksQuery } from "./picks.ts";
import { provocationsQuery } from "./provocations.ts";

it.each([
  ["repairer.jobs.insert", ["identity", "external"], "job by its external identifier"],
  ["repairer.jobs.get", ["identity", "id"], "job"],
  ["repairer.jobs.parts.list", ["job_identity", "id"], "job"],
  ["repairer.jobs.parts.insert", ["parts", 0, "identity", "id"], null],
  ["supplier.procurements.confirm", ["identity", "id"], "order"],
  ["procurements.cancel", ["identity", "id"], "order"],
  ["repairer.procurements.place", ["sellable_ids", 3], "offer"],
  ["repairer.jobs.insert", ["repairer_site_id"], "site"],
  ["repairer.jobs.insert", ["claim_number"], "test value"],
  ["deliveries.get", ["id"], null],
  ["integrations.insert", ["client_id"], "client"],
] as const)("%s: %j gets suggestions", (operation, path, kind) => {
  expect(fieldPickKind(operation, path)).toBe(kind);
});

it("suggestions and the errors of an operation don't reload after changes of the world", () => {
  const asked = { world: "qa", kind: "job", text: "", job: null, key: null } as const;
  const keys = [
    picksQuery(asked).queryKey,
    provocationsQuery("qa", { operation: "repairer.jobs.get", switches: {} }).queryKey,
  ];
  const stale = staleBy(["job", "call", "event", "procurement", "credential", "delivery", "fault", "policies"], ["j"]);
  for (const [, , kind] of keys) expect([...stale].map((one) => one.split(" ")[0])).not.toContain(kind);
});
