import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyChoices } from "../contract/control/policies.ts";
import { strategyFor } from "../contract/job-change.ts";
import type { JobInsert } from "../contract/resources/job.ts";
import type { JobRecord } from "../rules/records.ts";
import { changeJob, createJob } from "./repairer.jobs.insert.ts";

const SITE = "0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a";
const OTHER_SITE = "9e8d7c6b-5a49-4837-a625-14c3b2a19f80";
const PROVIDER = "5b1c2d3e-4f50-4617-8829-3a4b5c6d7e8f";

const job: JobRecord = {
  id: "11111111-1111-4111-8111-111111111111",
  organization_id: "22222222-2222-4222-8222-222222222222",
  repairer_site_id: SITE,
  external_id: "estimate:1",
  job_number: "T-1",
  claim_number: "C-9",
  vehicle: { chassis_number: "JM0ER4A1200123456", plate_number: "ABC123", plate_state: null },
  vehicle_variant: "Corvane Strand",
  work_provider_id: PROVIDER,
  images: ["https://pictures.test/1.jpg"],
  created_at: 1_000,
  updated_at: 2_000,
};
const least: JobInsert = { identity: { external: "estimate:1" }, repairer_site_id: SITE };
const made = { provider: undefined, now: 5_000 };
/** Fields of a new job, without its identity. */
const nothing = {
  claim_number: null,
  images: [],
  job_number: null,
  vehicle: null,
  work_provider_id: null,
  vehicle_variant: null,
};

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null });
const text = fc.string({ maxLength: 8 });
const vehicle = fc.record({ chassis_number: maybe(text), plate_number: maybe(text), plate_state: maybe(text) });
const fields = fc.record(
  {
    claim_number: maybe(text),
    images: maybe(fc.array(fc.webUrl(), { maxLength: 3 })),
    job_number: maybe(text),
    vehicle: maybe(vehicle),
  },
  { requiredKeys: [] },
);
const provider = fc.constantFrom(undefined, null, PROVIDER);
const site = fc.constantFrom(SITE, OTHER_SITE);
const input: fc.Arbitrary<JobInsert> = fc
  .tuple(fields, site)
  .map(([given, repairer_site_id]) => ({ identity: { external: "estimate:1" }, repairer_site_id, ...given }));
const record: fc.Arbitrary<JobRecord> = fc
  .record({
    claim_number: maybe(text),
    images: fc.array(fc.webUrl(), { maxLength: 3 }),
    job_number: maybe(text),
    vehicle: maybe(vehicle),
    vehicle_variant: maybe(text),
    work_provider_id: maybe(fc.uuid()),
    repairer_site_id: site,
  })
  .map((known) => ({ ...job, ...known }));

describe("the conflict strategy", () => {
  it("D30: comes from the call, else from the world's setting: reject or update", () => {
    expect(policyChoices.jobs_insert_conflict).toEqual(["reject", "update"]);
    for (const policy of policyChoices.jobs_insert_conflict) {
      expect(strategyFor(least, policy)).toBe(policy);
      expect(strategyFor({ ...least, if_: { exists: "update" } }, policy)).toBe("update");
      expect(strategyFor({ ...least, if_: { exists: "replace" } }, policy)).toBe("replace");
    }
  });
});

describe("a new job", () => {
  it("has null, or no images, for missing fields", () => {
    const inserted = createJob(least, { id: job.id, organization_id: job.organization_id, ...made });
    expect(inserted).toEqual({
      ...nothing,
      id: job.id,
      organization_id: job.organization_id,
      repairer_site_id: SITE,
      external_id: "estimate:1",
      created_at: 5_000,
      updated_at: 5_000,
    });
  });

  it("has an external ID only if named by it, and lower-case IDs", () => {
    const identity = { id: "AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA" };
    const inserted = createJob(
      { identity, repairer_site_id: SITE.toUpperCase() },
      { id: identity.id.toLowerCase(), organization_id: "o", provider: null, now: 1 },
    );
    expect(inserted).toMatchObject({ id: identity.id.toLowerCase(), external_id: null, repairer_site_id: SITE });
  });

  it("contains every known field byte for byte, and nothing else", () => {
    const given = {
      claim_number: " C\u0301 ",
      job_number: "",
      images: ["https://a.test/x", "https://a.test/x"],
      vehicle: { chassis_number: "", plate_number: null, plate_state: "ß" },
    };
    const odd = JSON.parse('{"wheels":4,"__proto__":{"plate_state":"polluted"}}') as object;
    const inserted = createJob(
      { ...least, ...given, vehicle: { ...given.vehicle, ...odd } },
      { id: "i", organization_id: "o", provider: PROVIDER, now: 1 },
    );
    expect(inserted).toMatchObject({ ...given, work_provider_id: PROVIDER });
    expect(Object.keys(inserted.vehicle ?? {})).toEqual(["chassis_number", "plate_number", "plate_state"]);
  });
});

describe("an update", () => {
  it("D32: with only a site changes the time of the last change", () => {
    expect(changeJob(job, least, "update", made)).toEqual({ ...job, updated_at: 5_000 });
  });

  it("D32: clears fields that are null", () => {
    const input = { ...least, claim_number: null, images: null, job_number: null, vehicle: null };
    expect(changeJob(job, input, "update", { provider: null, now: 5_000 })).toEqual({
      ...job,
      ...nothing,
      updated_at: 5_000,
    });
  });

  it("D32: writes present keys and keeps absent ones", () => {
    fc.assert(
      fc.property(record, input, provider, (before, given, named) => {
        const after = changeJob(before, given, "update", { provider: named, now: 9_000 });
        for (const key of ["claim_number", "job_number", "vehicle"] as const)
          expect(after[key]).toEqual(given[key] === undefined ? before[key] : given[key]);
        expect(after.images).toEqual(given.images === undefined ? before.images : (given.images ?? []));
        expect(after.work_provider_id).toBe(named === undefined ? before.work_provider_id : named);
      }),
    );
  });

  it("has the same result when repeated", () => {
    fc.assert(
      fc.property(
        record,
        input,
        provider,
        fc.constantFrom("update" as const, "replace" as const),
        (before, given, named, strategy) => {
          const once = changeJob(before, given, strategy, { provider: named, now: 9_000 });
          const twice = changeJob(once, given, strategy, { provider: named, now: 9_000 });
          expect(twice).toEqual(once);
        },
      ),
    );
  });
});

describe("a replacement", () => {
  it("D33: equals an insert that keeps the ID and the external ID", () => {
    fc.assert(
      fc.property(record, input, provider, (before, given, named) => {
        const { id, organization_id, external_id, created_at } = before;
        const inserted = createJob(given, { id, organization_id, provider: named, now: 9_000 });
        const replaced = changeJob(before, given, "replace", { provider: named, now: 9_000 });
        expect({ ...replaced, vehicle_variant: null }).toEqual({ ...inserted, external_id, created_at });
      }),
    );
  });

  it("D33: keeps the external ID even if the job was named by its ID", () => {
    const replaced = changeJob(job, { identity: { id: job.id }, repairer_site_id: SITE }, "replace", made);
    expect(replaced).toEqual({ ...job, ...nothing, updated_at: 5_000 });
  });
});

describe("any change of a job", () => {
  it("keeps IDs, creation time and organization", () => {
    fc.assert(
      fc.property(
        record,
        input,
        provider,
        fc.constantFrom("update" as const, "replace" as const),
        (before, given, named, strategy) => {
          const after = changeJob(before, given, strategy, { provider: named, now: 9_000 });
          const { id, organization_id, external_id, created_at } = before;
          expect(after).toMatchObject({
            id,
            organization_id,
            external_id,
            created_at,
            updated_at: 9_000,
            repairer_site_id: given.repairer_site_id,
          });
          expect(Object.keys(after).toSorted()).toEqual(Object.keys(job).toSorted());
        },
      ),
    );
  });

  it("D34: moves the job to the given site", () => {
    expect(
      changeJob(job, { ...least, repairer_site_id: OTHER_SITE.toUpperCase() }, "update", made).repairer_site_id,
    ).toBe(OTHER_SITE);
  });

  it("keeps the vehicle's platform name only while the vehicle is unchanged", () => {
    const same = {
      ...least,
      vehicle: { chassis_number: "JM0ER4A1200123456", plate_number: "ABC123", plate_state: "WA" },
    };
    expect(changeJob(job, same, "update", made).vehicle_variant).toBe("Corvane Strand");
    expect(changeJob(job, same, "replace", made).vehicle_variant).toBe("Corvane Strand");
    expect(
      changeJob(job, { ...least, vehicle: { ...same.vehicle, plate_number: "XYZ789" } }, "update", made)
        .vehicle_variant,
    ).toBeNull();
    expect(
      changeJob(job, { ...least, vehicle: { ...same.vehicle, chassis_number: null } }, "update", made).vehicle_variant,
    ).toBeNull();
    expect(changeJob({ ...job, vehicle: null }, same, "update", made).vehicle_variant).toBeNull();
  });
});
