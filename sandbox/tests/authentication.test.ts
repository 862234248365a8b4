import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  businessesList,
  jobsGet,
  partsInsert,
  supplierProcurementsConfirm,
  workProvidersList,
} from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const address = "/api/2026-01/businesses.list";
const bearer = `Bearer ${repairer.api_key}`;
const id = repairer.integration_id;

describe("credential headers (contract, Authentication)", () => {
  test.each([
    ["neither header", {}],
    ["no integration", { authorization: bearer }],
    ["no key", { "service-integration-id": id }],
    ["a bare key", { authorization: repairer.api_key, "service-integration-id": id }],
    ["another scheme", { authorization: `Basic ${repairer.api_key}`, "service-integration-id": id }],
    ["no space after the scheme", { authorization: `Bearer${repairer.api_key}`, "service-integration-id": id }],
    ["an unknown key", { authorization: `${bearer}0`, "service-integration-id": id }],
    ["an integration that isn’t a UUID", { authorization: bearer, "service-integration-id": "1234" }],
    ["another integration's id", { authorization: bearer, "service-integration-id": supplier.integration_id }],
    [
      "an unknown integration",
      { authorization: bearer, "service-integration-id": "00000000-0000-4000-8000-000000000000" },
    ],
  ])("D13: %s is unauthorized, with only a Bearer challenge", async (_, headers) => {
    const answer = await service.raw(address, { headers: headers as Record<string, string> });
    expect(answer).toMatchObject({ status: 401, body: { type: "unauthorized" } });
    expect(Object.keys(answer.body as object)).toEqual(["type"]);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  test.each([
    ["the scheme in lower case", { authorization: `bearer ${repairer.api_key}`, "service-integration-id": id }],
    [
      "the scheme in upper case and two spaces",
      { authorization: `BEARER  ${repairer.api_key}`, "service-integration-id": id },
    ],
    ["header names and the ID in upper case", { AUTHORIZATION: bearer, "SERVICE-INTEGRATION-ID": id.toUpperCase() }],
  ])("%s is accepted", async (_, headers) => {
    expect((await service.raw(address, { headers })).status).toBe(200);
  });
});

describe("scopes (contract, Organization and scope)", () => {
  test("D24: suppliers and repairers can't call each other's operations", async () => {
    expect(await service.call(workProvidersList, {}, supplier)).toMatchObject({
      status: 403,
      body: { type: "forbidden" },
    });
    const identity = { id: "00000000-0000-4000-8000-000000000000" };
    expect(await service.call(supplierProcurementsConfirm, { identity }, repairer)).toMatchObject({
      status: 403,
      body: { type: "forbidden" },
    });
  });

  test("D24: both may list their own businesses", async () => {
    const [mine, theirs] = await Promise.all([
      service.ok(businessesList, {}, repairer),
      service.ok(businessesList, {}, supplier),
    ]);
    expect(mine.items.map((one) => one.type)).toEqual(["repairer", "repairer_site", "repairer_site", "repairer_site"]);
    expect(theirs.items.map((one) => one.type)).toEqual(["supplier"]);
  });

  test("D2: credentials are checked before the body, and the scope before its shape", async () => {
    expect((await service.raw("/api/2026-01/repairer.jobs.insert", { body: "{" })).status).toBe(401);
    const forbidden = await service.raw("/api/2026-01/repairer.jobs.insert", {
      body: "{",
      headers: credentialHeaders(supplier),
    });
    expect(forbidden).toMatchObject({ status: 403, body: { type: "forbidden" } });
  });

  test("repairer.jobs.parts.insert returns its errors as bare strings", async () => {
    const body = { job_identity: { external: "nothing" }, parts: [] };
    expect((await service.call(partsInsert, body)).text).toBe('"unauthorized"');
    expect((await service.call(partsInsert, body, supplier)).text).toBe('"forbidden"');
    expect(await service.call(partsInsert, body, repairer)).toMatchObject({ status: 404, text: '"not_found"' });
    expect(
      await service.post("/api/2026-01/repairer.jobs.parts.insert", { parts: 1 }, credentialHeaders(repairer)),
    ).toMatchObject({ status: 422, text: '"unprocessable"' });
  });
});

test("D25: another organization's job is not_found", async () => {
  const rows = await service.post<{ items: { id: string; organization_id: string }[] }>(
    "/__sandbox/jobs.list",
    { limit: 500 },
    { authorization: `Bearer ${service.ready.control_token}` },
  );
  const organizations = new Set(rows.body.items.map((row) => row.organization_id));
  expect(organizations.size).toBe(2);
  const statuses = await Promise.all(
    rows.body.items.map(async (row) => ({
      row,
      answer: await service.call(jobsGet, { identity: { id: row.id } }, repairer),
    })),
  );
  const mine = statuses.filter(({ answer }) => answer.status === 200);
  const theirs = statuses.filter(({ answer }) => answer.status === 404);
  expect(new Set(mine.map(({ row }) => row.organization_id)).size).toBe(1);
  expect(theirs.length).toBeGreaterThan(0);
  expect(mine.length + theirs.length).toBe(statuses.length);
  for (const { answer } of theirs) expect(answer.body).toEqual({ type: "not_found" });
});
