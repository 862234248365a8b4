import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { nearestNames } from "./nearest-names.ts";

const addresses = partnerOperations.map(operationPath);

describe("the nearest addresses", () => {
  it.each([
    ["/api/2026-01/repairer.job.insert", "/api/2026-01/repairer.jobs.insert"],
    ["/api/2025-12/repairer.jobs.get?x=repairer.jobs.insert", "/api/2026-01/repairer.jobs.get"],
    ["/repairer.jobs.parts.list/", "/api/2026-01/repairer.jobs.parts.list"],
    ["/api/2026-01/Repairer.Work_Providers.List", "/api/2026-01/repairer.work-providers.list"],
    ["/api/2026-01/jobs.insert", "/api/2026-01/repairer.jobs.insert"],
    ["/api/2026-01/repairer.procurements.place", "/__extensions/2026-01/repairer.procurements.place"],
  ])("to %s start with %s", (asked, meant) => {
    expect(nearestNames(asked, addresses)[0]).toBe(meant);
  });

  it("are empty without a similar one", () => {
    for (const asked of ["/", "", "/favicon", "/api/2026-01/xyzzy", "?"])
      expect(nearestNames(asked, addresses)).toEqual([]);
  });

  it("are few, unique, and start with an exact match of the name", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.constantFrom(...addresses), (anything, address) => {
        const found = nearestNames(anything, addresses);
        expect(found.length).toBeLessThanOrEqual(3);
        expect(new Set(found).size).toBe(found.length);
        expect(addresses).toEqual(expect.arrayContaining(found));
        expect(nearestNames(`${anything.replaceAll("?", "")}/${address.split("/").at(-1)}`, addresses)[0]).toBe(
          address,
        );
      }),
    );
  });
});
