import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventsList, requestsList } from "../contract/control/operations.ts";
import { policiesSet } from "../contract/control/world-operations.ts";
import {
  basketsLatestGet,
  businessesList,
  jobsGet,
  jobsInsert,
  partsInsert,
  partsList,
  workProvidersList,
} from "../contract/operations/partner.ts";
import type { JobInsert } from "../contract/resources/job.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
let sites: string[];
let insurer: { business_name: string; organization_id: string };
let otherInsurer: { business_name: string; organization_id: string };
let count = 0;

beforeAll(async () => {
  service = await startTestService();
  sites = (await service.ok(businessesList, {}, repairer)).items
    .filter((one) => one.type === "repairer_site")
    .map((one) => one.id);
  const [first, second] = (await service.ok(workProvidersList, {}, repairer)).items;
  if (!first || !second) throw new Error("the seed has no insurers");
  insurer = first;
  otherInsurer = second;
});
afterAll(() => service.end());

const site = () => sites[0] ?? "";
const fresh = (): string => {
  count += 1;
  return `test:${count}`;
};
const insert = (body: Partial<JobInsert> & Pick<JobInsert, "identity">) =>
  service.call(jobsInsert, { repairer_site_id: site(), ...body }, repairer);

describe("repairer.jobs.insert", () => {
  test("a new job has every key of the contract, with null for missing ones", async () => {
    const external = fresh();
    const answer = await insert({ identity: { external } });
    expect(answer.body).toEqual({
      id: expect.any(String),
      images: [],
      repairer_site_id: site(),
      claim_number: null,
      external_id: external,
      job_number: null,
      vehicle: null,
      work_provider_id: null,
    });
  });

  test("D30: without if_ an existing job is refused and named; a setting can make it an update", async () => {
    const external = fresh();
    const first = await insert({ identity: { external }, claim_number: "A" });
    const again = await insert({ identity: { external }, claim_number: "B" });
    expect(again).toMatchObject({
      status: 422,
      body: { type: "unprocessable", message: expect.stringContaining((first.body as { id: string }).id) },
    });
    await service.control(policiesSet, { policies: { jobs_insert_conflict: "update" } });
    expect((await insert({ identity: { external }, claim_number: "B" })).body).toMatchObject({ claim_number: "B" });
    await service.control(policiesSet, { policies: { jobs_insert_conflict: "reject" } });
  });

  test("D31: an unknown ID is refused, or created by a setting", async () => {
    const id = "5d5f3a3e-95a6-4b52-9b63-6d6f1d0e6a11";
    expect(await insert({ identity: { id } })).toMatchObject({
      status: 422,
      body: { type: "unprocessable", message: expect.stringContaining("/identity/id") },
    });
    await service.control(policiesSet, { policies: { jobs_insert_unknown_id: "create" } });
    expect((await insert({ identity: { id } })).body).toMatchObject({ id, external_id: null });
    expect(await service.ok(jobsGet, { identity: { id } }, repairer)).toMatchObject({ id, external_id: null });
    await service.control(policiesSet, { policies: { jobs_insert_unknown_id: "reject" } });
  });

  test("D32 and D33: update keeps absent keys and clears nulls; replace clears absent keys; parts stay", async () => {
    const external = fresh();
    const images = ["https://pictures.example/1.jpg"];
    const vehicle = { chassis_number: "X", plate_number: "P", plate_state: null };
    await insert({
      identity: { external },
      claim_number: "C",
      job_number: fresh(),
      images,
      vehicle,
      work_provider_id: insurer.organization_id,
    });
    await service.ok(partsInsert, { job_identity: { external }, parts: [{ description: "Bonnet" }] }, repairer);
    const updated = await insert({ identity: { external }, claim_number: null, if_: { exists: "update" } });
    expect(updated.body).toMatchObject({
      claim_number: null,
      images: [{ public_url: images[0] }],
      vehicle,
      work_provider_id: insurer.organization_id,
    });
    const replaced = await insert({ identity: { external }, claim_number: "D", if_: { exists: "replace" } });
    expect(replaced.body).toMatchObject({
      claim_number: "D",
      images: [],
      vehicle: null,
      work_provider_id: null,
      job_number: null,
      external_id: external,
    });
    expect((await service.ok(partsList, { job_identity: { external } }, repairer)).items).toHaveLength(1);
  });

  test("D79: an update without a changed value still emits updated", async () => {
    const identity = { external: fresh() };
    const { id } = await service.ok(jobsInsert, { identity, repairer_site_id: site() }, repairer);
    const update = { identity: { id }, repairer_site_id: site(), if_: { exists: "update" } } as const;
    expect((await insert(update)).status).toBe(200);
    const payloads = (await service.control(eventsList, { limit: 2 })).items.map((one) => one.payload);
    expect(payloads).toEqual([
      { job_id: id, change_action: "updated" },
      { job_id: id, change_action: "inserted" },
    ]);
  });

  test("D34: the site must be the organization's; moving to another of its sites is allowed", async () => {
    const external = fresh();
    const [repairerBusiness] = (await service.ok(businessesList, {}, repairer)).items;
    for (const repairer_site_id of ["00000000-0000-4000-8000-000000000000", repairerBusiness?.id ?? ""]) {
      expect(await insert({ identity: { external }, repairer_site_id })).toMatchObject({
        status: 422,
        body: { message: expect.stringContaining("/repairer_site_id") },
      });
    }
    await insert({ identity: { external } });
    const moved = await insert({ identity: { external }, repairer_site_id: sites[1] ?? "", if_: { exists: "update" } });
    expect(moved.body).toMatchObject({ repairer_site_id: sites[1] });
  });

  test("D35: a job number is unique per site, even when a job moves there", async () => {
    const job_number = fresh();
    const holder = await insert({ identity: { external: fresh() }, job_number });
    const clash = await insert({ identity: { external: fresh() }, job_number });
    const message = (clash.body as unknown as { message: string }).message;
    expect(clash.status).toBe(422);
    expect(message).toContain(job_number);
    expect(message).toContain((holder.body as { id: string }).id);
    const elsewhere = fresh();
    expect(
      (await insert({ identity: { external: elsewhere }, job_number, repairer_site_id: sites[1] ?? "" })).status,
    ).toBe(200);
    expect((await insert({ identity: { external: elsewhere }, if_: { exists: "update" } })).status).toBe(422);
  });

  test("an existing job is reported before an unknown provider, and that before a taken number", async () => {
    const [external, job_number] = [fresh(), fresh()];
    const work_provider_contract = `nobody ${fresh()}`;
    const first = await insert({ identity: { external }, job_number });
    expect(await insert({ identity: { external }, work_provider_contract })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining((first.body as { id: string }).id) },
    });
    const unknown = await insert({ identity: { external: fresh() }, work_provider_contract, job_number });
    expect(unknown).toMatchObject({ status: 404, body: { type: "work_provider_not_found" } });
  });

  test("D36: the contract name finds the insurer in any case; conflicting names are refused; an unknown one is not found", async () => {
    const named = await insert({
      identity: { external: fresh() },
      work_provider_contract: insurer.business_name.toUpperCase(),
    });
    expect(named.body).toMatchObject({ work_provider_id: insurer.organization_id });
    const both = { work_provider_id: otherInsurer.organization_id, work_provider_contract: insurer.business_name };
    expect(await insert({ identity: { external: fresh() }, ...both })).toMatchObject({
      status: 422,
      body: { type: "unprocessable" },
    });
    for (const unknown of [
      { work_provider_contract: "Nobody" },
      { work_provider_id: "00000000-0000-4000-8000-000000000000" },
    ]) {
      const answer = await insert({ identity: { external: fresh() }, ...unknown });
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ type: "work_provider_not_found" });
    }
  });

  test("D9: strings are returned byte for byte", async () => {
    const claim_number = "  \u00e9\u0301 \u{1f697} \u202e \t\n «x»\u2028 ";
    const external = `${fresh()} \u0130`;
    const { body } = await insert({ identity: { external }, claim_number });
    expect(body).toMatchObject({ claim_number, external_id: external });
    expect((await service.ok(jobsGet, { identity: { external } }, repairer)).claim_number).toBe(claim_number);
  });

  test("of twenty concurrent writers of one external ID and one job number exactly one wins", async () => {
    const external = fresh();
    const same = await Promise.all(Array.from({ length: 20 }, () => insert({ identity: { external } })));
    expect(same.filter((one) => one.status === 200)).toHaveLength(1);
    const job_number = fresh();
    const numbered = await Promise.all(
      Array.from({ length: 20 }, () => insert({ identity: { external: fresh() }, job_number })),
    );
    expect(numbered.filter((one) => one.status === 200)).toHaveLength(1);
    expect(numbered.filter((one) => one.status === 422)).toHaveLength(19);
  });
});

describe("repairer.jobs.parts.insert", () => {
  test("D38, D39, D40 and D41: by identity, in insertion order, with or without a description, with known catalogue IDs", async () => {
    const external = fresh();
    const job_identity = { external };
    await insert({ identity: { external } });
    const first = await service.ok(
      partsInsert,
      {
        job_identity,
        parts: [{ description: "bonnet", identity: { external_id: "p1" } }, {}, { description: null, note: "n" }],
      },
      repairer,
    );
    expect(first.items.map((part) => [part.description, part.external_id, part.note, part.status])).toEqual([
      ["bonnet", "p1", null, "estimated"],
      ["", null, null, "estimated"],
      ["", null, "n", "estimated"],
    ]);
    expect(first.items[0]?.ghca_id).toMatch(/^GHCA\d+$/);
    const second = await service.ok(
      partsInsert,
      {
        job_identity,
        parts: [
          { identity: { external_id: "p1" }, note: "scratched" },
          { identity: { id: first.items[1]?.id ?? "" }, description: "Clip" },
          { identity: { id: first.items[2]?.id ?? "" }, quantity: 2 },
          {},
        ],
      },
      repairer,
    );
    expect(second.items.map((part) => [part.id, part.description, part.note])).toEqual([
      [first.items[0]?.id, "bonnet", "scratched"],
      [first.items[1]?.id, "Clip", null],
      [first.items[2]?.id, "", "n"],
      [expect.any(String), "", null],
    ]);
    const { items } = await service.control(requestsList, { operation: partsInsert.id, limit: 2 });
    expect(items.map(({ outcome }) => outcome)).toEqual(["1 part inserted, 3 updated", "3 parts inserted"]);
  });

  test("D38: another job's part refuses the whole call", async () => {
    const [here, there] = [fresh(), fresh()];
    await insert({ identity: { external: here } });
    await insert({ identity: { external: there } });
    const theirs = await service.ok(
      partsInsert,
      { job_identity: { external: there }, parts: [{ description: "x" }] },
      repairer,
    );
    const answer = await service.call(
      partsInsert,
      {
        job_identity: { external: here },
        parts: [{ description: "new" }, { identity: { id: theirs.items[0]?.id ?? "" } }],
      },
      repairer,
    );
    expect(answer).toMatchObject({ status: 422, text: '"unprocessable"' });
    expect((await service.ok(partsList, { job_identity: { external: here } }, repairer)).items).toEqual([]);
  });
});

test("repairer.jobs.baskets.latest.get, D43: a basket is empty without parts, and otherwise always the same", async () => {
  const external = fresh();
  const job_identity = { external };
  await insert({ identity: { external } });
  expect(await service.ok(basketsLatestGet, { job_identity }, repairer)).toEqual({ offers: [], suppliers: [] });
  await service.ok(
    partsInsert,
    { job_identity, parts: [{ description: "Bonnet" }, { description: "Brake disc, front", quantity: 2 }] },
    repairer,
  );
  const first = await service.call(basketsLatestGet, { job_identity }, repairer);
  expect(first.body.offers.length).toBeGreaterThan(2);
  expect((await service.call(basketsLatestGet, { job_identity }, repairer)).text).toBe(first.text);
});

test("a refused call changed nothing, and the log of requests says so", async () => {
  await insert({ identity: { external: fresh() }, repairer_site_id: "00000000-0000-4000-8000-000000000000" });
  await expect
    .poll(async () => (await service.control(requestsList, { limit: 1 })).items[0])
    .toMatchObject({ status: 422, error_code: "unprocessable", events: 0 });
});
