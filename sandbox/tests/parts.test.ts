import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requestsList, tracesGet } from "../contract/control/operations.ts";
import { operationPath } from "../contract/operation.ts";
import {
  basketsLatestGet,
  jobsInsert,
  partsInsert,
  partsList,
  procurementsPlace,
} from "../contract/operations/partner.ts";
import type { Part } from "../contract/resources/job.ts";
import {
  credentialHeaders,
  repairer,
  type ServiceResponse,
  startTestService,
  type TestService,
} from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";

let service: TestService;
let site = "";
let count = 0;
beforeAll(async () => {
  service = await startTestService();
  site = await ownSite(service);
});
afterAll(() => service.end());

const mine = credentialHeaders(repairer);
const newJob = async (): Promise<{ external: string }> => {
  count += 1;
  const identity = { external: `parts:${count}` };
  await service.ok(jobsInsert, { identity, repairer_site_id: site }, repairer);
  return identity;
};
const insert = (job_identity: object, ...parts: unknown[]): Promise<ServiceResponse<{ items: Part[] }>> =>
  service.post(operationPath(partsInsert), { job_identity, parts }, mine);
const list = async (job_identity: { external: string }): Promise<Part[]> =>
  (await service.ok(partsList, { job_identity }, repairer)).items;
const bare = { status: 422, text: '"unprocessable"' };

describe("repairer.jobs.parts.insert", () => {
  test("D38: inserts under the given identity, and updates a part that the job has", async () => {
    const job = await newJob();
    const id = randomUUID();
    const first = await insert(
      job,
      { identity: { id }, description: "by id" },
      { identity: { external_id: "x" }, description: "by external id" },
      { identity: null, description: "by none" },
      { description: "by none either" },
    );
    expect(first.body.items.map((one) => [one.id === id, one.external_id, one.description])).toEqual([
      [true, null, "by id"],
      [false, "x", "by external id"],
      [false, null, "by none"],
      [false, null, "by none either"],
    ]);
    const again = await insert(
      job,
      { identity: { id: id.toUpperCase() }, note: "n" },
      { identity: { external_id: "x" }, description: "changed" },
      { identity: { external_id: "X" }, description: "another" },
    );
    expect(again.body.items.map((one) => [one.description, one.note])).toEqual([
      ["by id", "n"],
      ["changed", null],
      ["by none", null],
      ["by none either", null],
      ["another", null],
    ]);
    expect(new Set(again.body.items.map((one) => one.id)).size).toBe(5);
  });

  test("D38: a part named twice in a call is inserted once", async () => {
    const job = await newJob();
    const { body } = await insert(
      job,
      { identity: { external_id: "x" }, note: "1" },
      { identity: { external_id: "x" }, note: "2" },
    );
    expect(body.items).toMatchObject([{ external_id: "x", note: "2" }]);
  });

  test("D38: an empty external ID names one part, and no part without an identity", async () => {
    const job = await newJob();
    await insert(job, { identity: { external_id: "" }, note: "1" }, { description: "new" });
    const { body } = await insert(job, { identity: { external_id: "" }, note: "2" }, { identity: null });
    expect(body.items).toMatchObject([
      { external_id: "", note: "2" },
      { external_id: null, description: "new" },
      { external_id: null, description: "" },
    ]);
  });

  test("D38: external IDs belong to each job, and IDs of other jobs can't be used", async () => {
    const [here, there] = [await newJob(), await newJob()];
    const { body } = await insert(there, { identity: { external_id: "shared" }, description: "theirs" });
    expect((await insert(here, { identity: { external_id: "shared" } })).status).toBe(200);
    expect(await insert(here, { identity: { id: body.items[0]?.id } })).toMatchObject(bare);
    expect((await list(there))[0]?.description).toBe("theirs");
  });

  test.each<[string, unknown]>([
    ["a number", 5],
    ["null", null],
    ["both identities", { identity: { id: "5d5f3a3e-95a6-4b52-9b63-6d6f1d0e6a13", external_id: "x" } }],
    ["an empty identity", { identity: {} }],
    ["an invalid ID", { identity: { id: "x" } }],
    ["a description that isn’t a string", { description: 5 }],
    ["a note that isn’t a string", { note: [] }],
    ["a quantity beyond eight bits", { quantity: 256 }],
    ["a quantity that isn’t an integer", { quantity: 1.5 }],
    ["a quantity in quotes", { quantity: "1" }],
  ])("D3 and D38: with %s among its parts is refused as a whole", async (_, wrong) => {
    const job = await newJob();
    expect(await insert(job, { description: "right" }, wrong, { description: "right too" })).toMatchObject(bare);
    expect(await list(job)).toEqual([]);
  });

  test("D38: accepts up to five hundred parts per call, and D11: lists all of them", async () => {
    const job = await newJob();
    const parts = Array.from({ length: 500 }, (_, index) => ({ description: `part ${index}` }));
    expect(await insert(job, ...parts, {})).toMatchObject(bare);
    expect(await list(job)).toEqual([]);
    for (let call = 1; call <= 3; call += 1) expect((await insert(job, ...parts)).body.items).toHaveLength(500 * call);
    expect((await list(job)).map((one) => one.description)).toEqual(
      [...parts, ...parts, ...parts].map((one) => one.description),
    );
  });

  test("D38: an empty list of parts changes nothing and returns the existing ones", async () => {
    const job = await newJob();
    const { body } = await insert(job, { description: "one" });
    expect((await insert(job)).body).toEqual(body);
  });

  test("D39: returns all parts of the job in insertion order, like repairer.jobs.parts.list", async () => {
    const job = await newJob();
    await insert(job, { identity: { external_id: "z" } }, { identity: { external_id: "a" } });
    const { body } = await insert(
      job,
      { identity: { external_id: "m" } },
      { identity: { external_id: "z" }, note: "n" },
    );
    expect(body.items.map((one) => one.external_id)).toEqual(["z", "a", "m"]);
    expect(body.items).toEqual(await list(job));
    const [listed] = (await service.control(requestsList, { operation: partsList.id, limit: 1 })).items;
    expect(listed).toMatchObject({ job_id: expect.any(String), label: expect.any(String) });
  });

  test("D40: a missing or null description is empty, and an update without one keeps it", async () => {
    const job = await newJob();
    const identity = { external_id: "x" };
    const descriptions = async (part: object) =>
      (await insert(job, { identity, ...part })).body.items.map((one) => one.description);
    expect(await descriptions({})).toEqual([""]);
    expect(await descriptions({ description: "Bonnet" })).toEqual(["Bonnet"]);
    expect(await descriptions({ note: "n" })).toEqual(["Bonnet"]);
    expect(await descriptions({ description: null })).toEqual([""]);
  });

  test("D41: the catalogue recognises a part only by its description", async () => {
    const job = await newJob();
    const { body } = await insert(
      job,
      { description: "Bonnet" },
      { description: "bonnet" },
      { description: "No such part" },
      {},
    );
    const [known, again, ...unknown] = body.items.map((one) => one.ghca_id);
    expect(known).toMatch(/^GHCA\d+$/);
    expect([again, ...unknown]).toEqual([known, null, null]);
    const id = body.items[0]?.id ?? "";
    expect((await insert(job, { identity: { id }, description: "No such part" })).body.items[0]?.ghca_id).toBeNull();
  });

  test("records only the parts that a call changed or inserted, however many the job has", async () => {
    const job = await newJob();
    const many = await insert(job, ...Array.from({ length: 500 }, (_, index) => ({ description: `part ${index}` })));
    const [first, second] = many.body.items;
    const call = await insert(
      job,
      { description: "one more" },
      { identity: { id: first?.id }, note: "changed" },
      { identity: { id: second?.id }, description: second?.description },
    );
    const { changes } = await service.control(tracesGet, { id: call.headers.get("x-request-id") ?? "" });
    expect(changes).toMatchObject([{ entity: "parts", change: "updated", before: [first] }]);
    expect(changes[0]?.after).toEqual([{ ...first, note: "changed" }, call.body.items.at(-1)]);
  });

  test("keeps the buyer's quantity, one by default", async () => {
    const job_identity = await newJob();
    await insert(
      job_identity,
      { description: "Brake disc, front", quantity: 2.0 },
      { description: "Bonnet", quantity: null },
    );
    const { offers } = await service.ok(basketsLatestGet, { job_identity }, repairer);
    const sellable_ids = offers.map((one) => one.sellable_id);
    const { items } = await service.ok(procurementsPlace, { job_identity, sellable_ids }, repairer);
    const bought = items.flatMap((one) =>
      one.source_items.map(({ buyer_part }) => `${buyer_part.description} ${buyer_part.quantity}`),
    );
    expect(new Set(bought)).toEqual(new Set(["Brake disc, front 2", "Bonnet 1"]));
  });
});
