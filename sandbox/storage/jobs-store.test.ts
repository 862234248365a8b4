import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { JobRecord } from "../rules/records.ts";
import { Database } from "./database.ts";
import { JobsStore } from "./jobs-store.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const EPOCH = 1_768_000_000_000;
const open = () => {
  const file = path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite");
  const db = new Database(file, { durability: "off" });
  onTestFinished(() => db.close());
  db.epoch = EPOCH;
  return { file, db, jobs: new JobsStore(db) };
};

const BUYER = "22222222-2222-4222-8222-222222222222";
const OTHER = "33333333-3333-4333-8333-333333333333";
const SITE = "44444444-4444-4444-8444-444444444444";
const job: JobRecord = {
  id: "aaaaaaaa-1111-4111-8111-111111111111",
  organization_id: BUYER,
  repairer_site_id: SITE,
  external_id: "estimate:1",
  job_number: "T-1",
  claim_number: "C-9",
  vehicle: { chassis_number: "JM0ER4A1200123456", plate_number: "ABC123", plate_state: "WA" },
  vehicle_variant: "Corvane Strand",
  work_provider_id: "55555555-5555-4555-8555-555555555555",
  images: ["https://pictures.test/1.jpg", "/__media/1/front.webp"],
  created_at: EPOCH - 86_400_000,
  updated_at: EPOCH + 250,
};
const empty: JobRecord = {
  ...job,
  id: "bbbbbbbb-1111-4111-8111-111111111111",
  external_id: null,
  job_number: null,
  claim_number: null,
  vehicle: null,
  vehicle_variant: null,
  work_provider_id: null,
  images: [],
};

describe("the jobs store", () => {
  it("returns what it stored, even after reopening the file", () => {
    const { file, db, jobs } = open();
    jobs.insert(job);
    jobs.insert(empty);
    expect([jobs.get(job.id), jobs.get(empty.id)]).toEqual([job, empty]);
    db.close();
    const again = new Database(file, { durability: "off" });
    onTestFinished(() => again.close());
    expect([new JobsStore(again).get(job.id), new JobsStore(again).get(empty.id)]).toEqual([job, empty]);
  });

  it("distinguishes an empty vehicle from none", () => {
    const { jobs } = open();
    const vehicle = { chassis_number: null, plate_number: null, plate_state: null };
    jobs.insert({ ...job, vehicle });
    expect(jobs.get(job.id)?.vehicle).toEqual(vehicle);
  });

  it("D9: keeps any text byte for byte", () => {
    const { jobs } = open();
    const odd = [
      "",
      " padded ",
      "e\u0301 is not \u00e9",
      "😀\u{10ffff}",
      "quote ' \" \\ %_",
      "\ufeffmarked",
      "\u2028\u0001",
      "x".repeat(4096),
    ];
    for (const [index, text] of odd.entries()) {
      const written = {
        ...job,
        id: `id-${index}`,
        external_id: text,
        job_number: text,
        claim_number: text,
        vehicle: { chassis_number: text, plate_number: text, plate_state: text },
        images: [text],
      };
      jobs.insert(written);
      expect(jobs.find({ external: text }, BUYER)).toEqual(written);
      expect(jobs.byNumber(SITE, text)).toEqual(written);
    }
  });

  it("finds a job by its ID in either case, and by its exact external ID", () => {
    const { jobs } = open();
    jobs.insert(job);
    expect(jobs.find({ id: job.id.toUpperCase() }, BUYER)).toEqual(job);
    expect(jobs.find({ external: "estimate:1" }, BUYER)).toEqual(job);
    expect(jobs.find({ external: "Estimate:1" }, BUYER)).toBeUndefined();
    expect(jobs.find({ external: job.id }, BUYER)).toBeUndefined();
    expect(jobs.find({ id: empty.id }, BUYER)).toBeUndefined();
  });

  it("D25: finds no job of another organization", () => {
    const { jobs } = open();
    jobs.insert(job);
    expect(jobs.find({ id: job.id }, OTHER)).toBeUndefined();
    expect(jobs.find({ external: "estimate:1" }, OTHER)).toBeUndefined();
    const theirs = { ...empty, organization_id: OTHER, external_id: "estimate:1" };
    jobs.insert(theirs);
    expect([jobs.find({ external: "estimate:1" }, OTHER), jobs.find({ external: "estimate:1" }, BUYER)]).toEqual([
      theirs,
      job,
    ]);
  });

  it("D35: stores a job number once per site, and any number of jobs without one", () => {
    const { jobs } = open();
    jobs.insert(job);
    expect(() => jobs.insert({ ...empty, job_number: "T-1" })).toThrow(/UNIQUE/);
    jobs.insert({ ...empty, job_number: "T-1", repairer_site_id: OTHER });
    jobs.insert({ ...empty, id: "c" });
    jobs.insert({ ...empty, id: "d" });
    expect(jobs.byNumber(SITE, "T-1")?.id).toBe(job.id);
    expect(jobs.byNumber(OTHER, "T-1")?.id).toBe(empty.id);
    expect(jobs.byNumber(SITE, "t-1")).toBeUndefined();
  });

  it("D30, D35: inserts a job with a free ID, external ID and number, and otherwise changes nothing", () => {
    const { jobs } = open();
    expect([jobs.insertIfFree(job), jobs.get(job.id)]).toEqual([true, job]);
    for (const taken of [
      { ...empty, id: job.id },
      { ...empty, external_id: job.external_id },
      { ...empty, job_number: job.job_number },
    ])
      expect([jobs.insertIfFree(taken), jobs.get(empty.id), jobs.get(job.id)]).toEqual([false, undefined, job]);
    const elsewhere = { ...job, id: "c", organization_id: OTHER, repairer_site_id: OTHER };
    expect([jobs.insertIfFree(empty), jobs.insertIfFree(elsewhere)]).toEqual([true, true]);
    expect([jobs.get(empty.id), jobs.get("c")]).toEqual([empty, elsewhere]);
  });

  it("throws for a job that breaks another constraint", () => {
    const { jobs } = open();
    expect(() => jobs.insertIfFree({ ...job, organization_id: null as never })).toThrow(/NOT NULL/);
  });

  it("writes every field of an update, for that job only", () => {
    const { jobs } = open();
    const neighbour = { ...job, id: "n", external_id: "n", job_number: "n" };
    jobs.insert(job);
    jobs.insert(neighbour);
    const changed = {
      ...empty,
      id: job.id,
      organization_id: OTHER,
      repairer_site_id: OTHER,
      external_id: "x",
      job_number: "y",
      created_at: EPOCH,
      updated_at: EPOCH + 9,
    };
    jobs.update(changed);
    expect([jobs.get(job.id), jobs.get("n")]).toEqual([changed, neighbour]);
  });

  it("touches and deletes only the given job", () => {
    const { jobs } = open();
    jobs.insert(job);
    jobs.insert(empty);
    jobs.touch(job.id, EPOCH + 7_000);
    expect([jobs.get(job.id), jobs.get(empty.id)]).toEqual([{ ...job, updated_at: EPOCH + 7_000 }, empty]);
    jobs.delete(job.id);
    expect([jobs.get(job.id), jobs.get(empty.id)]).toEqual([undefined, empty]);
  });
});
