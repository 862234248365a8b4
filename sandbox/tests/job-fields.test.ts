import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operationPath } from "../contract/operation.ts";
import { businessesList, jobsGet, jobsInsert, workProvidersList } from "../contract/operations/partner.ts";
import type { Job } from "../contract/resources/job.ts";
import {
  credentialHeaders,
  repairer,
  type ServiceResponse,
  startTestService,
  type TestService,
} from "../testing/harness.ts";

let service: TestService;
let sites: string[] = [];
let count = 0;
beforeAll(async () => {
  service = await startTestService();
  const { items } = await service.ok(businessesList, {}, repairer);
  sites = items.filter((one) => one.type === "repairer_site").map((one) => one.id);
});
afterAll(() => service.end());

const mine = credentialHeaders(repairer);
const fresh = (): string => {
  count += 1;
  return `fields:${count}`;
};
/** Accepts any JSON, because body types would reject the invalid values sent here. */
const insert = (body: object): Promise<ServiceResponse<Job>> =>
  service.post<Job>(
    operationPath(jobsInsert),
    { identity: { external: fresh() }, repairer_site_id: sites[0], ...body },
    mine,
  );
const refused = (message: RegExp) => ({
  status: 422,
  body: { type: "unprocessable", message: expect.stringMatching(message) },
});

describe("the identity of a job, in repairer.jobs.get and other operations", () => {
  const lookups = [
    ["repairer.jobs.get", "identity"],
    ["repairer.jobs.parts.list", "job_identity"],
    ["repairer.jobs.baskets.latest.get", "job_identity"],
    ["repairer.procurements.list", "job_identity"],
  ] as const;

  test.each(lookups)("on %s is its ID in any case, or the integration's exact external ID", async (id, key) => {
    const external = `${fresh()} Ä`;
    const { body: job } = await insert({ identity: { external } });
    const ask = (identity: unknown) => service.post(`/api/2026-01/${id}`, { [key]: identity }, mine);
    const [byId, ...others] = await Promise.all([
      ask({ id: job.id }),
      ask({ id: job.id.toUpperCase() }),
      ask({ external }),
    ]);
    expect(byId?.status).toBe(200);
    for (const other of others) expect([other.status, other.text]).toEqual([200, byId?.text]);
    for (const near of [external.toUpperCase(), `${external} `, ` ${external}`, external.normalize("NFD")])
      expect((await ask({ external: near })).status).toBe(404);
  });

  test.each(lookups)("D7: on %s is exactly one of the two; other keys are ignored", async (id, key) => {
    const ask = (identity: unknown) => service.post(`/api/2026-01/${id}`, { [key]: identity }, mine);
    const external = fresh();
    const { body: job } = await insert({ identity: { external } });
    const both = [
      { id: job.id, external },
      { id: job.id, external: null },
      { id: null, external },
      { id: 1, external: 1 },
    ];
    for (const wrong of [
      ...both,
      {},
      { id: null },
      { external: null },
      { id: "x" },
      { external: 5 },
      null,
      [],
      "x",
      job.id,
    ]) {
      expect(await ask(wrong)).toMatchObject({
        status: 400,
        body: { type: "bad_request", message: expect.stringMatching(`^/${key}`) },
      });
    }
    expect((await ask({ id: job.id, site: "ignored", job_number: 5 })).status).toBe(200);
  });

  test("D31: with an unknown ID is refused for any if_, and never read as an external ID", async () => {
    const id = "5d5f3a3e-95a6-4b52-9b63-6d6f1d0e6a12";
    for (const exists of ["update", "replace"])
      expect(await insert({ identity: { id }, if_: { exists } })).toMatchObject(
        refused(/^\/identity\/id .*assigned by/),
      );
    expect((await insert({ identity: { external: id } })).body).toMatchObject({ external_id: id });
    expect((await service.call(jobsGet, { identity: { id } }, repairer)).status).toBe(404);
  });
});

describe("repairer.jobs.insert", () => {
  test("D7: ignores unknown fields at every level", async () => {
    const extra = { unknown: { deep: [1] }, status: "x", id: 5, created_at: null };
    const external = fresh();
    const { status, body } = await insert({
      ...extra,
      identity: { external, more: 1 },
      vehicle: { chassis_number: "C", plate_number: null, plate_state: null, ...extra },
      if_: { exists: "update", ...extra },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(String),
      images: [],
      repairer_site_id: sites[0],
      claim_number: null,
      external_id: external,
      job_number: null,
      vehicle: { chassis_number: "C", plate_number: null, plate_state: null },
      work_provider_id: null,
    });
  });

  test("treats null in an optional field of a new job like a missing one", async () => {
    const nulls = { claim_number: null, images: null, job_number: null, vehicle: null };
    const answer = await insert({ ...nulls, work_provider_contract: null, work_provider_id: null });
    expect(answer.body).toMatchObject({ claim_number: null, images: [], job_number: null, vehicle: null });
    expect(answer.body.work_provider_id).toBeNull();
  });

  test.each([
    [{ identity: null }, /^\/identity/],
    [{ repairer_site_id: null }, /^\/repairer_site_id must be/],
    [{ repairer_site_id: "here" }, /^\/repairer_site_id must be/],
    [{ claim_number: 5 }, /^\/claim_number must be string/],
    [{ images: "https://a.example/" }, /^\/images must be array/],
    [{ images: [null] }, /^\/images\/0 must be/],
    [{ job_number: ["a"] }, /^\/job_number must be string/],
    [{ vehicle: "ABC123" }, /^\/vehicle must be object/],
    [{ vehicle: {} }, /^\/vehicle\/chassis_number is required/],
    [{ vehicle: { chassis_number: null, plate_number: null } }, /^\/vehicle\/plate_state is required/],
    [{ work_provider_contract: 1 }, /^\/work_provider_contract must be string/],
    [{ work_provider_id: "Longreach" }, /^\/work_provider_id must be/],
    [{ if_: null }, /^\/if_ must be object/],
    [{ if_: "update" }, /^\/if_ must be object/],
    [{ if_: {} }, /^\/if_\/exists is required/],
    [{ if_: { exists: "merge" } }, /^\/if_\/exists must be one of update, replace/],
    [{ if_: { exists: null } }, /^\/if_\/exists must be/],
  ])("D3: refuses %j and names the field", async (body, message) => {
    expect(await insert(body)).toMatchObject(refused(message));
  });

  test("D37: accepts up to a hundred images with absolute http or https addresses", async () => {
    const images = Array.from({ length: 100 }, (_, index) => `https://pictures.example/${index}.jpg?a=b#c`);
    expect((await insert({ images })).body.images).toEqual(images.map((public_url) => ({ public_url })));
    expect((await insert({ images: ["http://PICTURES.example"] })).status).toBe(200);
    expect(await insert({ images: [...images, images[0]] })).toMatchObject(refused(/^\/images must have at most 100/));
    for (const bad of [
      "/a.jpg",
      "a.jpg",
      "//a.example/",
      "ftp://a.example/",
      "data:image/png;base64,",
      "javascript:1",
      "https://",
      "https://a b/",
      "",
      "http:/a",
      // Browsers would silently repair these.
      "http://exa\nmple.com/a",
      "http://a/\tb",
      "http://a/b c",
      "http://a/ ",
      "https:///x",
      "http://\\a",
    ])
      expect(await insert({ images: ["https://a.example/", bad] })).toMatchObject(refused(/^\/images\/1 must be/));
  });

  test("D35: accepts several jobs without a number, and the former number of another job", async () => {
    for (let again = 0; again < 3; again += 1) expect((await insert({ job_number: null })).status).toBe(200);
    const [identity, job_number] = [{ external: fresh() }, fresh()];
    await insert({ identity, job_number });
    expect((await insert({ identity, job_number, if_: { exists: "replace" } })).status).toBe(200);
    expect(await insert({ job_number })).toMatchObject(refused(/^\/job_number/));
    for (const near of [job_number.toUpperCase(), `${job_number} `])
      expect((await insert({ job_number: near })).status).toBe(200);
    await insert({ identity, job_number: null, if_: { exists: "update" } });
    expect((await insert({ job_number })).status).toBe(200);
  });

  test("D36: accepts a provider by its ID in any case, by its name, or by both if they agree; null removes it", async () => {
    const [provider] = (await service.ok(workProvidersList, {}, repairer)).items;
    const work_provider_id = provider?.organization_id ?? "";
    const work_provider_contract = provider?.business_name.toLowerCase() ?? "";
    for (const named of [
      { work_provider_id },
      { work_provider_id: work_provider_id.toUpperCase() },
      { work_provider_contract },
      { work_provider_id, work_provider_contract },
      { work_provider_id, work_provider_contract: null },
      { work_provider_id: null, work_provider_contract },
    ])
      expect((await insert(named)).body).toMatchObject({ work_provider_id });
    const identity = { external: fresh() };
    await insert({ identity, work_provider_id });
    expect((await insert({ identity, if_: { exists: "update" } })).body).toMatchObject({ work_provider_id });
    for (const gone of [{ work_provider_id: null }, { work_provider_contract: null }]) {
      await insert({ identity, work_provider_id, if_: { exists: "update" } });
      expect((await insert({ identity, ...gone, if_: { exists: "update" } })).body.work_provider_id).toBeNull();
    }
  });
});
