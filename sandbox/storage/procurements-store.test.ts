import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createConfirmed } from "../rules/procurements/procurement-states.ts";
import type { ProcurementRecord } from "../rules/records.ts";
import { buildSeedWorld } from "../worlds/seed/seed-world.ts";
import { Database } from "./database.ts";
import { PartsStore } from "./parts-store.ts";
import { ProcurementsStore } from "./procurements-store.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const EPOCH = 1_768_000_000_000;
const open = () => {
  const db = new Database(path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite"), { durability: "off" });
  onTestFinished(() => db.close());
  db.epoch = EPOCH;
  return { db, procurements: new ProcurementsStore(db), parts: new PartsStore(db) };
};
const samples: readonly ProcurementRecord[] = buildSeedWorld().procurements.map((one) => ({
  ...one,
  created_at: EPOCH + one.created_at,
  updated_at: EPOCH + one.updated_at,
  deliver_before: one.deliver_before === null ? null : EPOCH + one.deliver_before,
}));
const sample = (changes: Partial<ProcurementRecord> = {}): ProcurementRecord => {
  const found = samples.find((one) => one.status === "order_requested");
  if (!found) throw new Error("the seed has no requested procurement");
  return { ...found, ...changes };
};

describe("the procurements store", () => {
  it("returns what it stored, in any state", () => {
    const { procurements } = open();
    expect(new Set(samples.map((one) => one.status)).size).toBe(3);
    for (const one of samples) procurements.insert(one);
    for (const one of samples) expect(procurements.get(one.id)).toEqual(one);
    expect(procurements.get("00000000-0000-4000-8000-000000000000")).toBeUndefined();
  });

  it("keeps unusual text and numbers unchanged, also through an update", () => {
    const { procurements } = open();
    const [item] = sample().offered_items;
    if (!item) throw new Error("the seeded procurement has no item");
    const odd = [1e-7, 0.1, 123_456_789.123_456_78, 1e21, -0.5];
    const offered_items = odd.map((payload, index) => ({
      ...item,
      id: String(index),
      description: `"\\/\b\u2028😀${"'".repeat(index)}`,
      condition: { type: "used" as const, payload: { type: "remaining_thickness" as const, payload } },
    }));
    const written = sample({
      offered_items,
      supplier_business_name: 'O\'Neil & "Sons" \\ 部品',
      reference: null,
      currency_code: null,
      total_shipping_price: null,
    });
    procurements.insert(written);
    expect(procurements.get(written.id)).toEqual(written);
    procurements.update({ ...written, offered_items: offered_items.toReversed() });
    expect(procurements.get(written.id)).toEqual({ ...written, offered_items: offered_items.toReversed() });
  });

  it("finds an order by its ID in either case", () => {
    const { procurements } = open();
    procurements.insert(sample());
    expect(procurements.get(sample().id.toUpperCase())).toEqual(sample());
  });

  it("writes only the order that changed", () => {
    const { procurements } = open();
    const before = sample({ deliver_before: null });
    const neighbour = sample({ id: "neighbour" });
    procurements.insert(before);
    procurements.insert(neighbour);
    const after = createConfirmed(before, EPOCH + 5_000);
    procurements.update(after);
    expect([procurements.get(before.id), procurements.get("neighbour")]).toEqual([after, neighbour]);
  });

  it("D54: lists a job's orders newest first, and at equal times the last placed first", () => {
    const { procurements } = open();
    const at = { old: 1_000, b: 2_000, a: 2_000, new: 3_000 };
    for (const [id, created] of Object.entries(at)) procurements.insert(sample({ id, created_at: EPOCH + created }));
    procurements.insert(sample({ id: "elsewhere", job_id: "another job" }));
    expect(procurements.listByJob(sample().job_id).map((one) => one.id)).toEqual(["new", "a", "b", "old"]);
    expect([
      procurements.countByJob(sample().job_id),
      procurements.countByJob("another job"),
      procurements.countByJob("no job"),
    ]).toEqual([4, 1, 0]);
  });

  it("deletes a job's orders with their coverage, and no other's", () => {
    const { procurements, parts } = open();
    procurements.insert(sample({ id: "a" }));
    procurements.insert(sample({ id: "b", job_id: "another job" }));
    for (const id of ["a", "b"]) parts.cover("part", id);
    procurements.deleteByJob(sample().job_id);
    expect([procurements.get("a"), procurements.get("b")?.id]).toEqual([undefined, "b"]);
    const isCovered = (job: string) => parts.isCovered(job, "part", ["order_requested"]);
    expect([isCovered(sample().job_id), isCovered("another job")]).toEqual([false, true]);
  });
});
