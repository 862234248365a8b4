import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { Job } from "../../contract/resources/job.ts";
import { isUuid } from "../../contract/schema.ts";
import { ghcaIdFor } from "../../rules/catalogue.ts";
import { fixedClients, fixedCredentials } from "./fixed.ts";
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
  it("is the same on every call", () => {
    expect(buildSeedWorld()).toEqual(world);
  });

  it("gives everything a UUID of its own", () => {
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

  it("holds the two fixed clients and the two fixed credentials", () => {
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

describe("the parties", () => {
  it("are one group with three sites, a neighbour, six suppliers and four insurers", () => {
    const types = (organizationId: string) =>
      businesses.filter((one) => one.organization_id === organizationId).map((one) => one.type);
    expect(types(named("Tarn & Rowe Collision").id)).toEqual([
      "repairer",
      "repairer_site",
      "repairer_site",
      "repairer_site",
    ]);
    expect(types(named("Brindle Panelworks").id)).toEqual(["repairer", "repairer_site"]);
    expect(businesses.filter((one) => one.supplier_kind !== null).length).toBe(6);
    expect(insurers.length).toBe(4);
    expect(organizations.map((one) => one.scope)).toEqual([
      ...Array(2).fill("repairer"),
      ...Array(6).fill("supplier"),
      ...Array(4).fill(null),
    ]);
  });

  it("belong to known organizations, and every site has an address, a currency and a prefix", () => {
    for (const one of businesses) {
      expect(organizations.some((organization) => organization.id === one.organization_id)).toBe(true);
      expect(one.supplier_kind !== null, one.name).toBe(one.type === "supplier");
      const site = one.type === "repairer_site";
      expect([one.address !== null, one.currency_code !== null, one.reference_prefix !== null], one.name).toEqual([
        site,
        site,
        site,
      ]);
      if (one.address) expect(Object.keys(one.address).length).toBe(9);
    }
  });
});

describe("the jobs", () => {
  it("are about forty of the group and a few of its neighbour, over six weeks and densest at the end", () => {
    const own = jobs.filter((job) => job.organization_id === named("Tarn & Rowe Collision").id);
    expect(own.length).toBeGreaterThanOrEqual(38);
    expect(jobs.length - own.length).toBe(3);
    const week = 7 * 24 * 3_600_000;
    expect(Math.min(...jobs.map((job) => job.created_at))).toBeGreaterThan(-6 * week);
    expect(own.filter((job) => job.created_at > -week).length).toBeGreaterThan(
      2 * own.filter((job) => job.created_at < -5 * week).length,
    );
  });

  it("stand at a site of their organization and have the contract's shape", () => {
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

  it("carry numbers that rise with time, unique per site, and external ids unique per organization", () => {
    const numbered = jobs.filter((job) => job.job_number?.startsWith("J-20"));
    expect(numbered.map((job) => job.job_number)).toEqual(numbered.map((job) => job.job_number).toSorted());
    expect(
      duplicates(jobs.flatMap((job) => (job.job_number ? [`${job.repairer_site_id} ${job.job_number}`] : []))),
    ).toEqual([]);
    expect(
      duplicates(jobs.flatMap((job) => (job.external_id ? [`${job.organization_id} ${job.external_id}`] : []))),
    ).toEqual([]);
  });

  it("carry chassis numbers and plates of their region (D60, D61)", () => {
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

  it("leave out here and there what real jobs lack", () => {
    const count = (lacks: (job: (typeof jobs)[number]) => boolean): number => jobs.filter(lacks).length;
    expect(count((job) => job.vehicle === null)).toBeGreaterThanOrEqual(2);
    expect(count((job) => job.vehicle !== null && job.vehicle.plate_number === null)).toBeGreaterThanOrEqual(1);
    expect(count((job) => job.work_provider_id === null)).toBeGreaterThanOrEqual(4);
    expect(count((job) => job.job_number === null)).toBeGreaterThanOrEqual(2);
    expect(count((job) => job.external_id === null)).toBeGreaterThanOrEqual(5);
    expect(count((job) => job.parts.length === 0)).toBeGreaterThanOrEqual(3);
    expect(count((job) => job.images.length === 0)).toBeGreaterThanOrEqual(5);
    expect(Math.max(...jobs.map((job) => job.parts.length))).toBe(12);
    expect(Math.max(...jobs.map((job) => job.images.length))).toBe(5);
  });

  it("have parts the catalogue identifies, and show only pictures that exist", () => {
    const paths = seedMedia.map((media) => `/__media/${media.id}/${media.name}`);
    for (const job of jobs) {
      for (const path of job.images) expect(paths).toContain(path);
      for (const part of job.parts) expect(part.ghca_id).toBe(ghcaIdFor(part.description));
    }
    expect(new Set(jobs.flatMap((job) => job.images)).size).toBe(seedMedia.length);
  });
});
