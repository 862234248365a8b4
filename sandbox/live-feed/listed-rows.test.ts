import { expect, it } from "vitest";
import type { JobRecord, OfferedItemRecord, ProcurementRecord } from "../rules/records.ts";
import type { World } from "../worlds/world.ts";
import { findKeyedSuppliers, jobRow, organizationNames, procurementRow, readListedRows } from "./listed-rows.ts";

const rowOf = (prices: readonly (string | null)[], currency_code: string | null, job?: object) => {
  const offered_items = prices.map((trade_price) => ({ trade_price, quantity: 2 }) as OfferedItemRecord);
  const record = {
    ...{ id: "p", job_id: "j", reference: null, status: "order_requested", currency_code, offered_items },
    ...{ buyer_organization_id: "o", buyer_business_id: "b", supplier_business_id: "c", supplier_business_name: "C" },
    ...{ supplier_organization_id: "s", created_at: 0, updated_at: 0 },
  };
  const world = { stores: { jobs: { get: (id: string) => (id === "j" ? job : undefined) } } } as unknown as World;
  return procurementRow(world, new Map([["b", "Buyer"]]), new Set(["s"]), record as unknown as ProcurementRecord);
};

it("sums an order's known prices in the digits of its currency", () => {
  expect(rowOf(["1200", null, "34"], "JPY").total).toBe("2468");
  expect(rowOf(["1.005", "1.5"], "NZD").total).toBe("3.00");
  expect(rowOf([null], "NZD").total).toBeNull();
  expect(rowOf(["no amount", "2"], "NZD").total).toBe("4.00");
  expect(rowOf(["2"], null).total).toBe("4.00");
});

it("takes the job's number and plate for an order, null after the job's deletion", () => {
  const found = { job_number: "J-1", vehicle: { plate_number: "ABC123" } };
  expect(rowOf([], "NZD", found)).toMatchObject({ job_number: "J-1", plate_number: "ABC123" });
  expect(rowOf([], "NZD", { job_number: "J-1", vehicle: null })).toMatchObject({ plate_number: null });
  expect(rowOf(["1"], "NZD")).toEqual({
    ...{ id: "p", job_id: "j", job_number: null, plate_number: null, reference: null, status: "order_requested" },
    ...{ currency_code: "NZD", total: "2.00", items: 1 },
    buyer: { organization_id: "o", business_id: "b", name: "Buyer" },
    supplier: { organization_id: "s", business_id: "c", name: "C", has_credential: true },
    ...{ created_at: "1970-01-01T00:00:00.000Z", updated_at: "1970-01-01T00:00:00.000Z" },
  });
});

const buyer = {
  ...{ id: "j", organization_id: "buyer", repairer_site_id: "site", work_provider_id: "provider" },
  ...{ job_number: "J-1", created_at: 0, updated_at: 0, vehicle_variant: "Corvane", images: ["https://x.example/1"] },
};
const vehicle = { chassis_number: "C", plate_number: "P", plate_state: "S" };

it("counts a job's orders by status, and names its site, its currency and its work provider", () => {
  const site = (id: string, of: string) => (id === "site" && of === "buyer" ? { currency_code: "JPY" } : null);
  const world = {
    db: { all: () => [{ status: "order_confirmed", n: 2 }], get: () => ({ n: 3 }) },
    stores: { directory: { site } },
  } as unknown as World;
  const names = new Map(Object.entries({ site: "Our site", provider: "An insurer" }));
  const row = jobRow(world, names, { ...buyer, vehicle } as unknown as JobRecord);
  expect(row).toEqual({
    ...{ id: "j", job_number: "J-1", organization_id: "buyer", ...vehicle },
    site: { id: "site", name: "Our site", currency_code: "JPY" },
    work_provider: { id: "provider", name: "An insurer" },
    parts: 3,
    procurements: { order_requested: 0, order_confirmed: 2, cancelled: 0 },
    ...{ created_at: "1970-01-01T00:00:00.000Z", updated_at: "1970-01-01T00:00:00.000Z" },
  });
});

it("leaves out what a job doesn't have", () => {
  const world = {
    db: { all: () => [], get: () => undefined },
    stores: { directory: { site: () => null } },
  } as unknown as World;
  const job = { ...buyer, work_provider_id: null, vehicle: null } as unknown as JobRecord;
  expect(jobRow(world, new Map(), job)).toMatchObject({
    ...{ site: { id: "site", name: "", currency_code: "" }, work_provider: null, parts: 0 },
    ...{ chassis_number: null, plate_number: null, plate_state: null },
  });
});

it("has no rows of a deleted job and order, and none of an order that wasn't asked for", () => {
  const nothing = { get: () => undefined };
  const world = {
    db: { all: () => [] },
    stores: { jobs: nothing, procurements: nothing, directory: { organizations: () => [] } },
  } as unknown as World;
  expect(readListedRows(world, "j", "p")).toEqual({ job: null, procurement: null });
  expect(readListedRows(world, "j", null)).toEqual({ job: null });
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
