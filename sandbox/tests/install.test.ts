import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { accessCodesIssue, clientsList, credentialsList, organizationsList } from "../contract/control/operations.ts";
import { clockAdvance, clockReset } from "../contract/control/world-operations.ts";
import { businessesList, integrationsInsert } from "../contract/operations/partner.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { readWorld } from "../testing/world-file.ts";

let service: TestService;
let demo: { client_id: string; client_secret: string };
let noOauth: { client_id: string; client_secret: string };
let organization_id: string;

beforeAll(async () => {
  service = await startTestService();
  const { clients } = service.ready;
  demo = { ...(clients?.demo ?? { client_id: "", client_secret: "" }) };
  noOauth = { ...(clients?.no_oauth ?? { client_id: "", client_secret: "" }) };
  const organizations = await service.control(organizationsList, {});
  organization_id = organizations.items.find((one) => one.scope === "repairer")?.id ?? "";
});
afterAll(() => service.end());

const issue = async (client_id = demo.client_id) =>
  (await service.control(accessCodesIssue, { client_id, organization_id, scope: "repairer" })).access_code;

/** Checks whether a code is used, from the world's file, because over HTTP only its client could tell. */
const consumed = (access_code: string): boolean =>
  readWorld(service.folder, (file) => {
    const row = file.prepare("SELECT consumed_at FROM access_codes WHERE code = ?").get(access_code);
    return (row as { consumed_at: number | null }).consumed_at !== null;
  });

describe("integrations.insert (contract, Install)", () => {
  test("D20 and D26: a valid code becomes an installed key, an integration and a webhook secret", async () => {
    const answer = await service.call(integrationsInsert, { access_code: await issue(), ...demo });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(["api_key", "integration_id"]);
    expect(answer.body.api_key).toMatch(/^isk_[0-9a-f]{32}$/);
    expect((await service.ok(businessesList, {}, answer.body)).items.length).toBe(4);
    const secret = await service.post<{ integration_id: string; secret: string }>(
      "/__webhooks/secret",
      {},
      {
        authorization: `Bearer ${answer.body.api_key}`,
        "service-integration-id": answer.body.integration_id,
      },
    );
    expect(secret.body).toEqual({
      integration_id: answer.body.integration_id,
      secret: expect.stringMatching(/^pwh_[A-Za-z0-9_-]{43}$/),
    });
  });

  test("checks in the contract's order: client, enabled, secret, code", async () => {
    const access_code = "wrong";
    const client_secret = "wrong";
    const cases = [
      [{ client_id: "nobody", client_secret, access_code }, 404, "integration_not_found", "/client_id"],
      [{ ...noOauth, client_secret, access_code }, 403, "o_auth_not_supported_by_integration", "/client_id"],
      [{ client_id: demo.client_id, client_secret, access_code }, 401, "invalid_client_secret", "/client_secret"],
      [{ ...demo, access_code }, 401, "invalid_access_code", "/access_code"],
    ] as const;
    for (const [body, status, type, pointer] of cases) {
      const answer = await service.call(integrationsInsert, body);
      expect(answer).toMatchObject({ status, body: { type } });
      const id = answer.headers.get("x-request-id") ?? "";
      expect((await service.control(requestsExplain, { id })).refusal?.pointers).toEqual([pointer]);
    }
  });

  test("D23: a failed install leaves the code unused; a successful one uses it up", async () => {
    const access_code = await issue();
    const failing = [
      { ...demo, access_code, client_secret: "wrong" },
      { ...demo, access_code, client_id: "nobody" },
      { ...noOauth, access_code },
      { ...demo, access_code: `${access_code}x` },
      { ...demo, access_code, client_secret: 5 },
    ];
    for (const body of failing)
      expect((await service.post("/api/2026-01/integrations.insert", body)).status).toBeGreaterThanOrEqual(400);
    expect(consumed(access_code)).toBe(false);
    expect((await service.call(integrationsInsert, { ...demo, access_code })).status).toBe(200);
    expect(consumed(access_code)).toBe(true);
    expect(await service.call(integrationsInsert, { ...demo, access_code })).toMatchObject({
      status: 401,
      body: { type: "invalid_access_code" },
    });
  });

  test("D22: a code is valid for fifteen minutes on the world's clock", async () => {
    const late = await issue();
    const inTime = await issue();
    await service.control(clockAdvance, { seconds: 14 * 60 + 50 });
    expect((await service.call(integrationsInsert, { ...demo, access_code: inTime })).status).toBe(200);
    await service.control(clockAdvance, { seconds: 11 });
    expect(await service.call(integrationsInsert, { ...demo, access_code: late })).toMatchObject({
      status: 401,
      body: { type: "invalid_access_code" },
    });
    await service.control(clockReset, {});
  });

  test("D22: another client's code is invalid and stays unused", async () => {
    const access_code = await issue(noOauth.client_id);
    expect((await service.call(integrationsInsert, { ...demo, access_code })).body).toEqual({
      type: "invalid_access_code",
    });
    expect(consumed(access_code)).toBe(false);
  });

  test("of twenty concurrent installs with one code exactly one succeeds", async () => {
    const access_code = await issue();
    const before = (await service.control(credentialsList, {})).items.length;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.call(integrationsInsert, { ...demo, access_code })),
    );
    expect(answers.filter((one) => one.status === 200)).toHaveLength(1);
    expect(answers.filter((one) => one.status === 401)).toHaveLength(19);
    expect((await service.control(credentialsList, {})).items.length).toBe(before + 1);
  });

  test("a year later on the world's clock a key is still valid, and its code still used up", async () => {
    const access_code = await issue();
    const installed = await service.ok(integrationsInsert, { ...demo, access_code });
    await service.control(clockAdvance, { seconds: 365 * 24 * 3_600 });
    expect((await service.call(businessesList, {}, installed)).status).toBe(200);
    expect((await service.call(integrationsInsert, { ...demo, access_code })).status).toBe(401);
    await service.control(clockReset, {});
  });

  test("D3: a missing field is named", async () => {
    const answer = await service.post("/api/2026-01/integrations.insert", { client_id: "a", access_code: "b" });
    expect(answer).toMatchObject({
      status: 400,
      body: { type: "bad_request", message: "/client_secret is required." },
    });
  });
});

test("the control plane shows secrets only on request, and the log of requests never does", async () => {
  const token = { authorization: `Bearer ${service.ready.control_token}` };
  const plain = JSON.stringify([await service.control(credentialsList, {}), await service.control(clientsList, {})]);
  for (const secret of [repairer.api_key, demo.client_secret]) expect(plain).not.toContain(secret);
  expect(JSON.stringify(await service.control(credentialsList, { reveal: true }))).toContain(repairer.api_key);

  const access_code = await issue();
  const installed = await service.ok(integrationsInsert, { ...demo, access_code });
  await expect
    .poll(
      async () =>
        (await service.post<{ items: { operation: string }[] }>("/__sandbox/requests.list", {}, token)).body.items[0]
          ?.operation,
    )
    .toBe("integrations.insert");
  const list = await service.post<{ items: { id: string; outcome: string }[] }>("/__sandbox/requests.list", {}, token);
  expect(list.body.items[0]?.outcome).toBe("buyer’s credential created");
  for (const { id } of list.body.items) {
    const detail = (await service.post("/__sandbox/requests.get", { id }, token)).text;
    for (const secret of [access_code, demo.client_secret, installed.api_key, repairer.api_key])
      expect(detail).not.toContain(secret);
  }
});

test("the log of requests masks a client secret under a misspelt name, but not the client's ID", async () => {
  const token = { authorization: `Bearer ${service.ready.control_token}` };
  const sent = { client_id: demo.client_id, clientSecret: "a-secret-of-our-own" };
  expect((await service.post("/api/2026-01/integrations.insert", sent)).status).toBe(400);
  const list = await service.post<{ items: { id: string }[] }>("/__sandbox/requests.list", { limit: 1 }, token);
  const detail = (await service.post("/__sandbox/requests.get", { id: list.body.items[0]?.id }, token)).text;
  expect(detail).toContain(demo.client_id);
  expect(detail).not.toContain("secret-of-our");
});

test("a secret is masked in the log of requests wherever a caller puts it", async () => {
  const token = { authorization: `Bearer ${service.ready.control_token}` };
  const headers = {
    authorization: `Bearer ${repairer.api_key}`,
    "service-integration-id": repairer.integration_id,
    "x-api-key": repairer.api_key,
    "proxy-authorization": `Bearer ${repairer.api_key}`,
    "x-note": `my key is ${repairer.api_key}`,
  };
  await service.post(
    `/api/2026-01/businesses.list?api_key=${repairer.api_key}&q=${repairer.api_key}`,
    { api_key: repairer.api_key, note: repairer.api_key },
    headers,
  );
  await service.post(
    "/api/2026-01/uploads.prepare",
    { file_name: "a.png", media_type: "image", type: "job_media" },
    headers,
  );
  const list = await service.post<{ items: { id: string; operation: string; response_bytes: number }[] }>(
    "/__sandbox/requests.list",
    { limit: 2 },
    token,
  );
  expect(list.body.items.map((one) => one.operation)).toEqual(["uploads.prepare", "businesses.list"]);
  expect(list.text).not.toContain(repairer.api_key);
  for (const { id } of list.body.items) {
    const detail = (await service.post("/__sandbox/requests.get", { id }, token)).text;
    expect(detail).not.toContain(repairer.api_key);
    expect(detail).not.toMatch(/signature=[A-Za-z0-9_-]{10}/);
  }
});
