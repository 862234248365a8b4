import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { fixedClients, fixedCredentials } from "../../contract/demo-values.ts";
import { Job } from "../../contract/resources/job.ts";
import { isUuid } from "../../contract/schema.ts";
import { ghcaIdFor } from "../../rules/procurements/catalogue.ts";
import { seedMedia } from "./seed-media.ts";
import { buildSeedWorld } from "./seed-world.ts";

const world = buildSeedWorld();
const { organizations, businesses, jobs, procurements } = world;
const business = (id: string) => {
  const found = businesses.find((one) => one.id === id);
  if (!found) throw new Error(`no business ${id}`);
  return found;
};
const named = (name: string) => {
  const found = organizations.find((one) => one.name === name);
  if (!found) throw new Error(`no organization ${name}`);
  return found;
};
const insurers = businesses.filter((one) => one.type === "insurer").map((one) => one.organization_id);
const duplicates = (values: readonly string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

describe("the seed", () => {
  it("gives everything a unique UUID", () => {
    const ids = [
      ...organizations.map((one) => one.id),
      ...businesses.map((one) => one.id),
      ...jobs.map((one) => one.id),
      ...jobs.flatMap((job) => job.parts.map((part) => part.id)),
      ...seedMedia.map((one) => one.id),
      ...world.credentials.map((one) => one.integration_id),
      ...procurements.flatMap((one) => [
        one.id,
        ...one.source_items.map((item) => item.id),
        ...one.offered_items.map((item) => item.id),
      ]),
    ];
    expect(ids.filter((id) => !isUuid(id))).toEqual([]);
    expect(duplicates(ids)).toEqual([]);
  });

  it("contains the two fixed clients and the two fixed credentials", () => {
    expect(world.clients).toEqual([fixedClients.demo, fixedClients.no_oauth]);
    expect(world.clients.map((client) => client.oauth_enabled)).toEqual([true, false]);
    for (const client of world.clients) expect(client.client_secret).toMatch(/^cs_/);
    for (const credential of world.credentials) {
      expect(credential.api_key).toMatch(/^sbx_[0-9a-f]{32}$/);
      expect(credential.webhook_secret).toMatch(/^pwh_[A-Za-z0-9_-]{43}$/);
      expect(organizations.find((one) => one.id === credential.organization_id)?.scope).toBe(credential.scope);
    }
    expect(world.credentials.map((one) => one.integration_id)).toEqual([
      fixedCredentials.repairer.integration_id,
      fixedCredentials.supplier.integration_id,
    ]);
    expect(world.credentials.map((one) => one.organization_id)).toEqual([
      named("Tarn & Rowe Collision").id,
      named("Meridian Genuine Parts").id,
    ]);
  });
});

describe("the jobs", () => {
  it("are at a site of their organization and have the contract's shape", () => {
    for (const job of jobs) {
      const site = business(job.repairer_site_id);
      expect([site.type, site.organization_id]).toEqual(["repairer_site", job.organization_id]);
      if (job.work_provider_id !== null) expect(insurers).toContain(job.work_provider_id);
      expect(job.updated_at).toBeGreaterThanOrEqual(job.created_at);
      expect(job.updated_at).toBeLessThan(0);
      const images = job.images.map((path) => ({ public_url: `http://127.0.0.1:4010${path}` }));
      const { id, repairer_site_id, claim_number, external_id, job_number, vehicle, work_provider_id } = job;
      expect(
        Check(Job, { id, images, repairer_site_id, claim_number, external_id, job_number, vehicle, work_provider_id }),
      ).toBe(true);
    }
  });

  it("have numbers that rise with time, unique per site, and external IDs unique per organization", () => {
    const numbered = jobs.filter((job) => job.job_number?.startsWith("J-20"));
    expect(numbered.map((job) => job.job_number)).toEqual(numbered.map((job) => job.job_number).toSorted());
    expect(
      duplicates(jobs.flatMap((job) => (job.job_number ? [`${job.repairer_site_id} ${job.job_number}`] : []))),
    ).toEqual([]);
    expect(
      duplicates(jobs.flatMap((job) => (job.external_id ? [`${job.organization_id} ${job.external_id}`] : []))),
    ).toEqual([]);
  });

  it("have chassis numbers and plates of their region (D60, D61)", () => {
    const plates: Record<string, RegExp> = {
      NZ: /^[A-Z0-9]{5,6}$/,
      AU: /^[A-Z0-9]{6,7}$/,
      GB: /^[A-Z]{2}\d\d[A-Z]{3}$/,
    };
    for (const { vehicle, repairer_site_id, vehicle_variant } of jobs) {
      expect(vehicle === null).toBe(vehicle_variant === null);
      if (!vehicle) continue;
      const country = business(repairer_site_id).address?.country_code ?? "";
      if (vehicle.chassis_number) expect(vehicle.chassis_number).toMatch(/^([A-HJ-NPR-Z0-9]{17}|[A-Z0-9]{3,}-\d{5,})$/);
      if (vehicle.plate_number) expect(vehicle.plate_number).toMatch(plates[country] ?? /^$/);
      expect(vehicle.plate_state !== null).toBe(country === "AU");
    }
    expect(jobs.some((job) => job.vehicle?.chassis_number?.includes("-"))).toBe(true);
    expect(duplicates(jobs.flatMap((job) => job.vehicle?.chassis_number ?? []))).toEqual([]);
    expect(duplicates(jobs.flatMap((job) => job.vehicle?.plate_number ?? []))).toEqual([]);
  });

  it("have parts from the catalogue, and only existing pictures", () => {
    const paths = seedMedia.map((media) => `/__media/${media.id}/${media.name}`);
    for (const job of jobs) {
      for (const path of job.images) expect(paths).toContain(path);
      for (const part of job.parts) expect(part.ghca_id).toBe(ghcaIdFor(part.description));
    }
    expect(new Set(jobs.flatMap((job) => job.images)).size).toBe(seedMedia.length);
  });
});
