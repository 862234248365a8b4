import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { directoryList, organizationsList, procurementsList } from "../contract/control/operations.ts";
import { businessesList } from "../contract/operations/partner.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

describe("the directory on the control plane", () => {
  test("contains the businesses of every organization, as those list them", async () => {
    const { items } = await service.control(directoryList, {});
    for (const credential of [repairer, supplier]) {
      const own = await service.ok(businessesList, {}, credential);
      expect(own.items.length).toBeGreaterThan(0);
      for (const business of own.items) expect(items).toContainEqual(expect.objectContaining(business));
    }
    const organizations = await service.control(organizationsList, {});
    const known = new Set(organizations.items.map(({ id }) => id));
    expect(items.every(({ organization_id }) => known.has(organization_id))).toBe(true);
  });

  test("contains every site and supplier of an order", async () => {
    const { items } = await service.control(directoryList, { world: "directory" });
    const ids = (type: string) => new Set(items.filter((one) => one.type === type).map(({ id }) => id));
    const procurements = (await service.control(procurementsList, { world: "directory" })).items;
    expect(procurements.length).toBeGreaterThan(0);
    for (const { buyer, supplier: seller } of procurements) {
      expect(ids("repairer_site")).toContain(buyer.business_id);
      expect(ids("supplier")).toContain(seller.business_id);
    }
  });

  test("requires the control token", async () => {
    const { headers, status } = await service.call(directoryList, {}, repairer);
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toBe("Bearer");
  });
});
