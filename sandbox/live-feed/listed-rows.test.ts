import { expect, it } from "vitest";
import type { JobRecord, OfferedItemRecord, ProcurementRecord } from "../rules/records.ts";
import type { World } from "../worlds/world.ts";
import { findKeyedSuppliers, jobRow, organizationNames, procurementRow } from "./listed-rows.ts";

const rowOf = (prices: readonly (string | null)[], currency_code: string | null, job?: object) => {
  const offered_items = prices.map((trade_price) => ({ trade_price, quantity: 2 }) as OfferedItemRecord);
  const record = { currency_code, offered_items, supplier_organization_id: "s", created_at: 0, updated_at: 0 };
  const world = { stores: { jobs: { get: () => job } } } as unknown as World;
  return procurementRow(world, new Map(), new Set(["s"]), record as unknown as ProcurementRecord);
};

it("sums an order's known prices in the digits of its currency", () => {
  expect(rowOf(["1200", null, "34"], "JPY").total).toBe("2468");
  expect(rowOf(["1.005", "1.5"], "NZD").total).toBe("3.00");
  expect(rowOf([null], "NZD").total).toBeNull();
});

it("takes the job's number and plate for an order, null after the job's deletion", () => {
  const found = { job_number: "J-1", vehicle: { plate_number: "ABC123" } };
  expect(rowOf([], "NZD", found)).toMatchObject({ job_number: "J-1", plate_number: "ABC123" });
  expect(rowOf([], "NZD")).toMatchObject({ job_number: null, plate_number: null });
});

it("counts a job's orders by status, and names its site, its currency and its work provider", () => {
  const site = (id: string, of: string) => (id === "site" && of === "buyer" ? { currency_code: "JPY" } : null);
  const world = {
    db: { all: () => [{ status: "order_confirmed", n: 2 }], get: () => ({ n: 3 }) },
    stores: { directory: { site } },
  } as unknown as World;
  const job = { id: "j", organization_id: "buyer", repairer_site_id: "site", work_provider_id: "provider" };
  const times = { created_at: 0, updated_at: 0 };
  const names = new Map(Object.entries({ site: "Our site", provider: "An insurer" }));
  expect(jobRow(world, names, { ...job, ...times } as JobRecord)).toMatchObject({
    site: { id: "site", name: "Our site", currency_code: "JPY" },
    work_provider: { id: "provider", name: "An insurer" },
    parts: 3,
    procurements: { order_requested: 0, order_confirmed: 2, cancelled: 0 },
  });
});

it("knows the names of organizations and businesses, and the suppliers with a key", () => {
  const scopes = { s: "supplier", r: "repairer" };
  const world = {
    db: { all: () => [{ id: "b", name: "Business" }] },
    stores: {
      directory: { organizations: () => [{ id: "o", name: "Organization" }] },
      credentials: {
        list: () => Object.entries(scopes).map(([organization_id, scope]) => ({ organization_id, scope })),
      },
    },
  } as unknown as World;
  expect(Object.fromEntries(organizationNames(world))).toEqual({ o: "Organization", b: "Business" });
  expect([...findKeyedSuppliers(world)]).toEqual(["s"]);
});
