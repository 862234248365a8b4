import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { policyChoices } from "../contract/control/policies.ts";
import { Database } from "./database.ts";
import { MetaStore } from "./meta-store.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const open = (file = path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite")) => {
  const db = new Database(file, { durability: "off" });
  onTestFinished(() => db.close());
  return { file, db, meta: new MetaStore(db) };
};
const defaults = {
  jobs_insert_conflict: "reject",
  jobs_insert_unknown_id: "reject",
  part_ordered_on: "placed",
  confirm_when_confirmed: "ok",
  confirm_when_cancelled: "reject",
  webhook_retries: "standard",
};

describe("what a world knows of itself", () => {
  it("D30, D31, D42, D50, D51, D72: are switches that stand at their first choice, until they are set", () => {
    const { meta } = open();
    expect(meta.policies()).toEqual(defaults);
    expect(Object.fromEntries(Object.entries(policyChoices).map(([name, [first]]) => [name, first]))).toEqual(defaults);
    meta.setPolicy("webhook_retries", "fast");
    meta.setPolicy("webhook_retries", "none");
    meta.setPolicy("part_ordered_on", "confirmed");
    expect(meta.policies()).toEqual({ ...defaults, webhook_retries: "none", part_ordered_on: "confirmed" });
  });

  it("takes a choice it does not know for the default, so that a file from elsewhere still opens", () => {
    const { meta } = open();
    meta.setPolicy("webhook_retries", "hourly");
    expect(meta.policies().webhook_retries).toBe("standard");
  });

  it("D84: is how far its clock is ahead", () => {
    const { meta } = open();
    expect(meta.clockOffset()).toBe(0);
    meta.setClockOffset(3_155_760_000_000);
    expect(meta.clockOffset()).toBe(3_155_760_000_000);
    meta.setClockOffset(0);
    expect(meta.clockOffset()).toBe(0);
  });

  it("is kept in its file, its creation beside it", () => {
    const { file, db, meta } = open();
    db.epoch = 1_000;
    meta.setClockOffset(5_000);
    meta.setPolicy("confirm_when_confirmed", "reject");
    meta.touch(1);
    meta.touch(2);
    db.close();
    const again = open(file);
    expect([again.db.epoch, again.meta.clockOffset(), again.meta.policies().confirm_when_confirmed]).toEqual([
      1_000,
      5_000,
      "reject",
    ]);
  });
});
