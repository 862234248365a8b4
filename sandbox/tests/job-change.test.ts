import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { policiesSet } from "../contract/control/world-operations.ts";
import { changedJob, changeOutcomes, strategyFor } from "../contract/job-change.ts";
import { businessesList, jobsGet, jobsInsert, workProvidersList } from "../contract/operations/partner.ts";
import type { WorkProvider } from "../contract/resources/business.ts";
import type { Job, JobInsert } from "../contract/resources/job.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
let sites: string[] = [];
let providers: WorkProvider[] = [];
let count = 0;
beforeAll(async () => {
  service = await startTestService();
  const { items } = await service.ok(businessesList, {}, repairer);
  sites = items.filter((one) => one.type === "repairer_site").map((one) => one.id);
  providers = (await service.ok(workProvidersList, {}, repairer)).items;
});
afterAll(() => service.end());

const fresh = (): string => {
  count += 1;
  return `change:${count}`;
};
const at = (place: number): string => sites[place % sites.length] ?? "";
const provider = (place: number): WorkProvider => {
  const found = providers[place % providers.length];
  if (!found) throw new Error("the seed has no work provider");
  return found;
};

/** A job with something in every key, so that what is emptied can be seen. */
const full = (): Promise<Job> =>
  service.ok(
    jobsInsert,
    {
      identity: { external: fresh() },
      repairer_site_id: at(0),
      job_number: fresh(),
      claim_number: "CLM-1",
      work_provider_id: provider(0).organization_id,
      vehicle: { chassis_number: "7A8DK0S1904128461", plate_number: "NKR482", plate_state: null },
      images: ["https://pictures.test/a.png", "https://pictures.test/b.png"],
    },
    repairer,
  );

const text = fc.constantFrom<string | null>(null, "", "CLM-2", "ü 😀");
const keys = fc.record(
  {
    job_number: fc.constantFrom("null", "fresh", "same"),
    claim_number: text,
    provider: fc.constantFrom("null", "id", "contract", "both", "contract null"),
    vehicle: fc.option(fc.record({ chassis_number: text, plate_number: text, plate_state: text })),
    images: fc.option(
      fc.array(fc.constantFrom("https://pictures.test/c.png", "http://pictures.test/d"), { maxLength: 3 }),
    ),
  },
  { requiredKeys: [] },
);
type Keys = typeof keys extends fc.Arbitrary<infer K> ? K : never;

const providerKeys = (how: Keys["provider"]): Partial<JobInsert> => {
  const { organization_id, business_name } = provider(1);
  if (how === undefined) return {};
  if (how === "null") return { work_provider_id: null };
  if (how === "contract null") return { work_provider_contract: null };
  if (how === "id") return { work_provider_id: organization_id.toUpperCase() };
  const contract = { work_provider_contract: business_name.toUpperCase() };
  return how === "contract" ? contract : { ...contract, work_provider_id: organization_id };
};

const bodyOf = (job: Job, { provider: how, job_number: number, ...rest }: Keys, site: number): JobInsert => ({
  identity: { id: job.id },
  repairer_site_id: at(site),
  ...rest,
  ...providerKeys(how),
  ...(number === undefined
    ? {}
    : { job_number: number === "null" ? null : number === "same" ? job.job_number : fresh() }),
});

describe("what is said beforehand of an insert over a job that exists", () => {
  test.each(["update", "replace"] as const)("D32, D33: comes true for every body with %s", async (strategy) => {
    await fc.assert(
      fc.asyncProperty(keys, fc.nat(5), async (some, site) => {
        const job = await full();
        const body = { ...bodyOf(job, some, site), if_: { exists: strategy } };
        const foretold = changedJob(job, body, strategy, providers);
        expect(await service.ok(jobsInsert, body, repairer)).toEqual(foretold);
        expect(await service.ok(jobsGet, { identity: { id: job.id } }, repairer)).toEqual(foretold);
      }),
      { numRuns: 60 },
    );
  });

  test("names what is written, cleared, kept and emptied", async () => {
    const job = await full();
    const body: JobInsert = { identity: { id: job.id }, repairer_site_id: at(1), claim_number: null, images: [] };
    const effects = (strategy: "update" | "replace") =>
      Object.fromEntries(changeOutcomes(job, body, strategy).map(({ key, effect }) => [key, effect]));
    const sent = { repairer_site_id: "written", claim_number: "cleared", images: "cleared" };
    expect(effects("update")).toEqual({ ...sent, job_number: "kept", work_provider_id: "kept", vehicle: "kept" });
    expect(effects("replace")).toEqual({
      ...sent,
      job_number: "emptied",
      work_provider_id: "emptied",
      vehicle: "emptied",
    });
  });

  test("D30: without if_ it is what the world's switch says", async () => {
    const job = await full();
    const body: JobInsert = { identity: { id: job.id }, repairer_site_id: at(0), claim_number: "CLM-3" };
    expect(strategyFor(body, "reject")).toBe("reject");
    expect((await service.call(jobsInsert, body, repairer)).status).toBe(422);
    await service.control(policiesSet, { policies: { jobs_insert_conflict: "update" } });
    expect(strategyFor(body, "update")).toBe("update");
    expect(await service.ok(jobsInsert, body, repairer)).toEqual(changedJob(job, body, "update"));
    expect(strategyFor({ ...body, if_: { exists: "replace" } }, "update")).toBe("replace");
  });
});
