import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Database } from "../storage/database.ts";
import { openStores } from "../storage/stores.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { grow, grownJob, plateOf } from "./grown-jobs.ts";
import { numberText } from "./load/request-text.ts";
import { externalId } from "./workload.ts";

const owner = {
  organization_id: "22222222-2222-4222-8222-222222222222",
  repairer_site_id: "44444444-4444-4444-8444-444444444444",
};

const grown = (jobs: number) => {
  const folder = temporaryFolder();
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "w-default.sqlite");
  new Database(file, { durability: "off" }).close();
  expect(grow({ file, jobs, limitMs: 60_000, ...owner })).toBe(jobs);
  const db = new Database(file, { durability: "off" });
  onTestFinished(() => db.close());
  return db;
};

describe("grown worlds", () => {
  it("no two jobs of a hundred thousand share a plate or a number", () => {
    const plates = new Set<string>();
    const numbers = new Set<string | null>();
    for (let number = 0; number < 100_000; number += 1) {
      plates.add(plateOf(number));
      numbers.add(grownJob(number, owner, 0).job_number);
    }
    expect([plates.size, numbers.size]).toEqual([100_000, 100_000]);
    expect(plateOf(0)).toMatch(/^[A-Z]{2}\d\d [A-Z]{3}$/);
  });

  it("are found by search as soon as they are there", () => {
    const { searched } = openStores(grown(30)).jobs;
    expect([searched.total(), searched.behind()]).toEqual([30, 0]);
  });

  it("hold as many jobs as asked for, each found by the number a load gives it", () => {
    const db = grown(30);
    expect(db.get<{ n: number }>("SELECT count(*) AS n FROM jobs")?.n).toBe(30);
    const job = openStores(db).jobs.find({ external: externalId(numberText(29)) }, owner.organization_id);
    expect(job?.vehicle?.plate_number).toBe(plateOf(29));
  });

  it("hold the same job under a number, whatever their size", () => {
    const newest = Date.now();
    expect(grownJob(17, owner, newest)).toEqual(grownJob(17, owner, newest));
    const [small, large] = [grown(18), grown(40)].map((db) =>
      openStores(db).jobs.find({ external: externalId(numberText(17)) }, owner.organization_id),
    );
    expect(small?.id).toBe(large?.id);
    expect(small?.job_number).toBe(large?.job_number);
  });
});
