import { expect, it } from "vitest";
import type { OfferedItemRecord, ProcurementRecord } from "../rules/records.ts";
import type { World } from "../worlds/world.ts";
import { procurementRow } from "./listed-rows.ts";

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
