import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { faultsClear, faultsSet } from "../contract/control/fault-operations.ts";
import { accessCodesIssue, organizationsList, requestsGet, requestsReplay } from "../contract/control/operations.ts";
import { worldsReset } from "../contract/control/world-operations.ts";
import { fixedClients } from "../contract/demo-values.ts";
import type { RequestOf } from "../contract/operation.ts";
import { businessesList, integrationsInsert, jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { RawConnection, rawRequest } from "../testing/raw-connection.ts";

let service: TestService;
let site = "";
beforeAll(async () => {
  service = await startTestService();
  const { items } = await service.ok(businessesList, {}, repairer);
  site = items.find((one) => one.type === "repairer_site")?.id ?? "";
});
afterAll(() => service.end());
afterEach(() => service.control(faultsClear, {}));

const replay = (asked: RequestOf<typeof requestsReplay>) => service.control(requestsReplay, asked);
const refusedReplay = (asked: RequestOf<typeof requestsReplay>) =>
  service.call(requestsReplay, asked, undefined, { authorization: `Bearer ${service.ready.control_token}` });
const idOf = ({ headers }: { readonly headers: Headers }): string => headers.get("x-request-id") ?? "";

describe("a replayed exchange", () => {
  test("sends the original bytes, headers and key, and is marked as a replay", async () => {
    const body = `{ "identity" : {"external":"estimate:88213"},"x":1.0,\n"y":"é" }`;
    const headers = { ...credentialHeaders(repairer), "x-trace": "mine", "content-type": "application/json" };
    const first = await service.raw("/api/2026-01/repairer.jobs.get?a=1", { headers, body });
    const again = await replay({ id: idOf(first) });
    expect(again).toEqual({
      id: expect.any(String),
      world: "default",
      status: 200,
      error_code: null,
      differs_at: null,
    });
    expect(again.id).not.toBe(idOf(first));
    const [one, other] = [
      await service.control(requestsGet, { id: idOf(first) }),
      await service.control(requestsGet, { id: again.id }),
    ];
    expect(other).toMatchObject({
      replays_id: one.id,
      request_body: body,
      path: one.path,
      integration_id: one.integration_id,
    });
    expect(one.replays_id).toBeUndefined();
    const own = ([name]: readonly [string, string]): boolean =>
      !["connection", "host", "content-length"].includes(name);
    expect(other.request_headers.filter(own).toSorted()).toEqual(one.request_headers.filter(own).toSorted());
  });

  test("names the first difference from the stored response", async () => {
    const insert = { identity: { external: "replayed" }, repairer_site_id: site };
    const first = await service.call(jobsInsert, insert, repairer);
    expect(await replay({ id: idOf(first) })).toMatchObject({
      status: 422,
      error_code: "unprocessable",
      differs_at: "status",
    });
    const read = await service.call(jobsGet, { identity: { external: "replayed" } }, repairer);
    await service.ok(jobsInsert, { ...insert, claim_number: "C-1", if_: { exists: "update" } }, repairer);
    expect((await replay({ id: idOf(read) })).differs_at).toBe("/claim_number");
  });

  test("can go to another world, with the integration's key there", async () => {
    const insert = { identity: { external: "travels" }, repairer_site_id: site };
    const first = await service.call(jobsInsert, insert, repairer);
    const again = await replay({ id: idOf(first), to: "elsewhere" });
    expect(again).toMatchObject({ status: 200, world: "elsewhere", differs_at: "/id" });
    const inOther = { "x-sandbox-tenant": "elsewhere" };
    expect((await service.call(jobsGet, { identity: { external: "travels" } }, repairer, inOther)).status).toBe(200);
    expect(await service.control(requestsGet, { world: "elsewhere", id: again.id })).toMatchObject({
      replays_id: idOf(first),
    });
    const back = await replay({ world: "elsewhere", id: again.id, to: "default" });
    expect(back).toMatchObject({ status: 422, world: "default" });
  });

  test("is affected by faults of its world, and reports a missing response", async () => {
    const first = await service.call(businessesList, {}, repairer);
    await service.control(faultsSet, { effect: { drop: {} }, uses: 1 });
    const dropped = await replay({ id: idOf(first) });
    expect(dropped).toMatchObject({ status: 0, differs_at: "status" });
    expect(await replay({ id: dropped.id })).toMatchObject({ status: 200, differs_at: "status" });
  });

  test("may be one without credentials, or refused for lack of them", async () => {
    const url = "http://127.0.0.1:9/hooks";
    const { integration_id } = repairer;
    const subscribed = await service.post("/__webhooks/subscribe", { integration_id, url });
    expect(await replay({ id: idOf(subscribed) })).toMatchObject({ status: 200, differs_at: null });
    expect(await replay({ id: idOf(await service.call(businessesList, {})) })).toMatchObject({
      status: 401,
      differs_at: null,
    });
    const secret = await service.post("/__webhooks/secret", {}, credentialHeaders(supplier));
    expect(await replay({ id: idOf(secret) })).toMatchObject({ status: 200, differs_at: null });
  });
});

test("drops connection headers, such as Trailer", async () => {
  const connection = await RawConnection.open(service.port);
  const head = { ...credentialHeaders(repairer), trailer: "x-checksum", "proxy-connection": "keep-alive" };
  const [answer] = await connection.send(rawRequest("POST /api/2026-01/businesses.list", head, "{}")).answers(1);
  connection.close();
  expect(await replay({ id: answer?.headers.get("x-request-id") ?? "" })).toMatchObject({
    status: 200,
    differs_at: null,
  });
});

describe("an edited replay", () => {
  const keptOf = (id: string, world = "default") => service.control(requestsGet, { id, world });

  test("may use another credential, or none", async () => {
    const first = await service.call(businessesList, {}, repairer);
    const { integration_id } = supplier;
    const others = await replay({ id: idOf(first), integration_id });
    expect(others).toMatchObject({ status: 200, differs_at: expect.any(String) });
    expect(await keptOf(others.id)).toMatchObject({ integration_id, side: "supplier", replays_id: idOf(first) });
    expect(await replay({ id: idOf(first), integration_id: null })).toMatchObject({ status: 401 });
    const anonymous = await service.call(businessesList, {});
    expect(await replay({ id: idOf(anonymous), integration_id })).toMatchObject({ status: 200 });
    const wrong = await service.call(businessesList, {}, { ...repairer, api_key: "sbx_wrong" });
    expect(await replay({ id: idOf(wrong), integration_id: repairer.integration_id })).toMatchObject({ status: 200 });
  });

  test("may change address, headers and body, and otherwise keeps the stored values", async () => {
    const first = await service.call(jobsGet, { identity: { external: "none" } }, repairer);
    const body = JSON.stringify({ identity: { external: "edited" }, repairer_site_id: site });
    const edited = await replay({ id: idOf(first), path: "/api/2026-01/repairer.jobs.insert", body });
    expect(edited).toMatchObject({ status: 200 });
    expect(await keptOf(edited.id)).toMatchObject({ operation: "repairer.jobs.insert", request_body: body });
    const { request_headers } = await keptOf(idOf(first));
    const headers = [
      ...request_headers.filter(([name]) => name !== "content-type"),
      ["X-Mine", "é"],
      ["content-type", "text/plain"],
    ];
    const again = await replay({ id: idOf(first), headers: headers as [string, string][] });
    expect(again).toMatchObject({ status: 415 });
    expect((await keptOf(again.id)).request_headers).toEqual(
      expect.arrayContaining([
        ["content-type", "text/plain"],
        ["x-mine", expect.any(String)],
      ]),
    );
    const own = [
      ["authorization", `Bearer ${supplier.api_key}`],
      ["service-integration-id", supplier.integration_id],
    ];
    const others = await replay({ id: idOf(first), headers: own as [string, string][] });
    expect(others).toMatchObject({ status: 403 });
    expect(await replay({ id: idOf(first), method: "GET" })).toMatchObject({ status: 405 });
    for (const method of ["CONNECT", "NOSUCH"]) {
      const { status, text } = await refusedReplay({ id: idOf(first), method });
      expect([status, text]).toEqual([422, expect.stringContaining(`/method ${method} can’t be replayed`)]);
    }
    const upgrade = [
      ["connection", "upgrade"],
      ["upgrade", "websocket"],
    ] as [string, string][];
    expect(await replay({ id: idOf(first), method: "GET", headers: upgrade })).toMatchObject({ status: 405 });
  });

  test("drops proxy headers, which the service would trust as its own proxy's", async () => {
    const first = await service.call(businessesList, {}, repairer, { "x-forwarded-for": "203.0.113.7" });
    const proxys = ["Forwarded", "X-Forwarded-Email", "x-forwarded-for", "X-Real-IP", "x-auth-request-email"];
    const headers = [...proxys.map((name) => [name, "x"]), ["x-mine", "yes"]] as [string, string][];
    for (const more of [{}, { headers }]) {
      const { id } = await replay({ id: idOf(first), ...more });
      const names = (await keptOf(id)).request_headers.map(([name]) => name.toLowerCase());
      expect(names.filter((name) => proxys.some((one) => one.toLowerCase() === name))).toEqual([]);
      expect(names.includes("x-mine")).toBe("headers" in more);
    }
  });

  test("keeps the original key if its own headers have none", async () => {
    const first = await service.call(businessesList, {}, repairer);
    const again = await replay({ id: idOf(first), headers: [["x-mine", "yes"]] });
    expect(again).toMatchObject({ status: 200, differs_at: null });
  });

  test("may start from a call without operation", async () => {
    const headers = credentialHeaders(repairer);
    const wrong = await service.raw("/api/2026-01/business.list", { headers });
    expect(await replay({ id: idOf(wrong), path: "/api/2026-01/businesses.list" })).toMatchObject({ status: 200 });
    const unread = await service.raw("/api/2026-01/business.list", { headers, body: "{}" });
    expect((await refusedReplay({ id: idOf(unread) })).text).toMatch(/Its body wasn’t stored/);
    expect(await replay({ id: idOf(unread), path: "/api/2026-01/businesses.list", body: "{}" })).toMatchObject({
      status: 200,
    });
  });

  test("is refused with a masked secret, an invalid header, or an unknown credential", async () => {
    const { client_id, client_secret } = fixedClients.demo;
    const install = await service.call(integrationsInsert, { client_id, client_secret, access_code: "ac_none" });
    const kept = await keptOf(idOf(install));
    expect(kept.body_masked).toBe(true);
    const refused = async (asked: Omit<RequestOf<typeof requestsReplay>, "id">) => {
      const { status, body } = await refusedReplay({ id: idOf(install), ...asked });
      return [status, (body as unknown as { message: string }).message];
    };
    expect(await refused({})).toEqual([422, expect.stringMatching(/^Its body contained a secret/)]);
    expect(await refused({ body: kept.request_body })).toEqual([
      422,
      expect.stringMatching(/^\/body contains a masked secret/),
    ]);
    const body = JSON.stringify({ client_id, client_secret, access_code: "ac_none" });
    expect(await replay({ id: idOf(install), body })).toMatchObject({ status: 401, differs_at: null });
    for (const [headers, message] of [
      [[["cookie", "••••••••"]], /^\/headers\/0 contains a masked secret/],
      [
        [
          ["a", "b"],
          ["not a name", ""],
        ],
        /^\/headers\/1 must be a valid header name/,
      ],
      [[["a", "b\r\nc: d"]], /^\/headers\/0 must be a valid header name/],
    ] as const)
      expect(await refused({ body, headers: headers as never })).toEqual([422, expect.stringMatching(message)]);
    const integration_id = "5d13b09f-bd2f-5acc-a5f9-1c9743fa15c6";
    expect(await refused({ body, integration_id })).toEqual([
      422,
      expect.stringMatching(/^\/integration_id .* isn’t an integration/),
    ]);
  });
});

describe("a replay is refused", () => {
  const sentence = async (asked: RequestOf<typeof requestsReplay>): Promise<[number, string]> => {
    const { status, body } = await refusedReplay(asked);
    return [status, (body as unknown as { message: string }).message];
  };

  test("if the key can't be found, with a sentence", async () => {
    const wrong = await service.call(
      businessesList,
      {},
      { ...repairer, api_key: "sbx_0000000000000000000000000000dead" },
    );
    expect(await sentence({ id: idOf(wrong) })).toEqual([422, expect.stringMatching(/^The key of this call belongs/)]);
    const { client_id, client_secret } = fixedClients.demo;
    const buyer = (await service.control(organizationsList, {})).items.find(({ scope }) => scope === "repairer");
    const { access_code } = await service.control(accessCodesIssue, {
      client_id,
      organization_id: buyer?.id ?? "",
      scope: "repairer",
    });
    const installed = await service.ok(integrationsInsert, { client_id, client_secret, access_code });
    const good = await service.call(businessesList, {}, installed);
    expect((await replay({ id: idOf(good) })).differs_at).toBeNull();
    expect(await sentence({ id: idOf(good), to: "without-it" })).toEqual([
      422,
      expect.stringMatching(/^World without-it has no integration .* Install the integration there/),
    ]);
  });

  test("if the body contained secrets, the call is deleted, or the world is invalid", async () => {
    const { client_id, client_secret } = fixedClients.demo;
    const install = await service.call(integrationsInsert, { client_id, client_secret, access_code: "ac_none" });
    expect(await sentence({ id: idOf(install) })).toEqual([422, expect.stringMatching(/^Its body contained a secret/)]);
    const raw = await service.raw("/api/2026-01/integrations.insert", { body: "my secret" });
    expect(await sentence({ id: idOf(raw) })).toEqual([422, expect.stringMatching(/^Its body contained a secret/)]);
    const id = "5d13b09f-bd2f-5acc-a5f9-1c9743fa15c6";
    expect((await sentence({ id }))[0]).toBe(404);
    const long = await service.raw(`/api/2026-01/businesses.list?x=${"x".repeat(3_000)}`);
    expect(await sentence({ id: idOf(long) })).toEqual([422, expect.stringMatching(/^Its address was too long/)]);
    const good = await service.call(businessesList, {}, repairer);
    expect(await sentence({ id: idOf(good), to: "../x" })).toEqual([400, expect.stringMatching(/^\/to /)]);
    await service.control(worldsReset, {});
    expect((await sentence({ id: idOf(good) }))[0]).toBe(404);
  });
});

test("a forged replay mark has no effect and is stored like any header", async () => {
  const answer = await service.call(businessesList, {}, repairer, { "x-sandbox-replay": "made-up" });
  const kept = await service.control(requestsGet, { id: idOf(answer) });
  expect(kept.replays_id).toBeUndefined();
  expect(kept.request_headers).toContainEqual(["x-sandbox-replay", "made-up"]);
});
