import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { PartRecord } from "../rules/records.ts";
import { buildSeedWorld } from "../worlds/seed/seed-world.ts";
import { Database } from "./database.ts";
import { PartsStore } from "./parts-store.ts";
import { ProcurementsStore } from "./procurements-store.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const open = () => {
  const db = new Database(path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite"), { durability: "off" });
  onTestFinished(() => db.close());
  return { parts: new PartsStore(db), procurements: new ProcurementsStore(db) };
};
const part = (id: string, more: Partial<PartRecord> = {}): PartRecord => ({
  id,
  description: `Part ${id}`,
  external_id: null,
  ghca_id: null,
  note: null,
  quantity: null,
  status: "estimated",
  ...more,
});

describe("the parts store", () => {
  it("returns what it stored", () => {
    const { parts } = open();
    const full = part("a", {
      description: "Bonnet 😀",
      external_id: "line:1",
      ghca_id: "GHCA000001",
      note: "",
      quantity: 255,
      status: "ordered",
    });
    parts.insert("job", full);
    parts.insert("job", part("b", { description: "", quantity: 0 }));
    expect(parts.listByJob("job")).toEqual([full, part("b", { description: "", quantity: 0 })]);
    expect(parts.listByJob("another job")).toEqual([]);
  });

  it("D39: lists a job's parts in insertion order, whatever their IDs and changes", () => {
    const { parts } = open();
    for (const id of ["z", "a", "m"]) {
      parts.insert("job", part(id));
      parts.insert("other", part(`${id}-other`));
    }
    parts.update(part("a", { description: "changed", external_id: "x" }));
    parts.setStatus("z", "ordered");
    expect(parts.listByJob("job").map((one) => one.id)).toEqual(["z", "a", "m"]);
    expect(parts.listByJob("job")).toEqual([
      part("z", { status: "ordered" }),
      part("a", { description: "changed", external_id: "x" }),
      part("m"),
    ]);
    expect(parts.listByJob("other")).toEqual(["z", "a", "m"].map((id) => part(`${id}-other`)));
  });

  it("D38: knows the job of a part, and stores an external ID once per job", () => {
    const { parts } = open();
    parts.insert("job", part("a", { external_id: "line:1" }));
    parts.insert("other", part("b", { external_id: "line:1" }));
    parts.insert("job", part("c"));
    parts.insert("job", part("d"));
    expect([parts.findJobId("a"), parts.findJobId("b"), parts.findJobId("nobody's")]).toEqual([
      "job",
      "other",
      undefined,
    ]);
    expect(() => parts.insert("job", part("e", { external_id: "line:1" }))).toThrow(/UNIQUE/);
    expect(() => parts.insert("other", part("a"))).toThrow(/UNIQUE/);
  });

  it("D42: knows by which states of orders a part is covered", () => {
    const { parts, procurements } = open();
    const [sample] = buildSeedWorld().procurements;
    if (!sample) throw new Error("the seed has no procurement");
    const states = ["order_requested", "order_confirmed", "cancelled"] as const;
    for (const status of states) {
      procurements.insert({ ...sample, id: status, status });
      parts.cover("a", status);
      parts.cover("a", status);
    }
    parts.cover("b", "cancelled");
    const covering = (part: string, job = sample.job_id) => states.filter((one) => parts.isCovered(job, part, [one]));
    expect(covering("a")).toEqual(states);
    expect(covering("b")).toEqual(["cancelled"]);
    expect(covering("c")).toEqual([]);
    expect(covering("a", "another job")).toEqual([]);
    expect(parts.isCovered(sample.job_id, "b", ["order_requested", "cancelled"])).toBe(true);
  });

  it("deletes the parts of one job", () => {
    const { parts } = open();
    parts.insert("job", part("a"));
    parts.insert("other", part("b"));
    parts.deleteByJob("job");
    expect([parts.listByJob("job"), parts.listByJob("other").length, parts.findJobId("a")]).toEqual([[], 1, undefined]);
  });
});
