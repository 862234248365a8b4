import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requestsGet, requestsList } from "../contract/control/operations.ts";
import { worldsList } from "../contract/control/world-operations.ts";
import type { RequestOf } from "../contract/operation.ts";
import { businessesList, jobsInsert } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, type TestService } from "../testing/harness.ts";
import { RawConnection, rawRequest } from "../testing/raw-connection.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const list = (asked: RequestOf<typeof requestsList>) => service.control(requestsList, asked);
const idOf = (headers: { get(name: string): string | null | undefined }): string => headers.get("x-request-id") ?? "";
const detailOf = (id: string, world = "default") => service.control(requestsGet, { id, world });
const worlds = async () => (await service.control(worldsList, {})).items.map(({ name }) => name);
const MIB = 1024 * 1024;

describe("a call without an operation is recorded", () => {
  test("as sent, with response, sender and the nearest address", async () => {
    const headers = { ...credentialHeaders(repairer), "x-mine": "yes" };
    const answer = await service.raw("/api/2026-01/repairer.job.insert?code=abc", { headers, body: "{}" });
    const kept = await detailOf(idOf(answer.headers));
    expect(kept).toMatchObject({
      ...{ unrouted: "unknown_operation", operation: null, status: 404, error_code: "not_found", method: "POST" },
      path: "/api/2026-01/repairer.job.insert?code=••••••••",
      outcome: "No operation at /api/2026-01/repairer.job.insert.",
      ...{ integration_id: repairer.integration_id, side: "repairer", request_body: "", response_body: answer.text },
    });
    expect(kept.request_headers).toContainEqual(["x-mine", "yes"]);
    expect(JSON.stringify(kept)).not.toContain(repairer.api_key);
    expect(answer.body).toEqual({ type: "not_found", message: kept.outcome });
  });

  const answered: [kind: string, status: number, send: () => Promise<Headers>][] = [
    ["unknown_operation", 404, async () => (await service.raw("/__extensions/2026-01/none")).headers],
    ["unknown_operation", 404, async () => (await service.raw("/__webhooks/none", { method: "GET" })).headers],
    ["unknown_path", 404, async () => (await service.raw("/jobs", { method: "PUT", body: "{}" })).headers],
    ["unknown_path", 404, async () => (await service.raw("/api/%zz")).headers],
    ["method", 405, async () => (await service.raw("/api/2026-01/businesses.list", { method: "GET" })).headers],
    [
      "tenant",
      400,
      async () => (await service.post("/api/2026-01/businesses.list", {}, { "x-sandbox-tenant": "a b" })).headers,
    ],
    [
      "too_large",
      413,
      async () => (await service.raw("/api/2026-01/businesses.list", { body: "x".repeat(MIB + 1) })).headers,
    ],
  ];
  test.each(answered)("for %s, with %i", async (unrouted, status, send) => {
    expect(await detailOf(idOf(await send()))).toMatchObject({ unrouted, status, operation: null });
  });

  test("for another host", async () => {
    const connection = await RawConnection.open(service.port);
    const request = rawRequest("POST /api/2026-01/businesses.list", { host: "evil.example" });
    const [answer] = await connection.send(request).answers(1);
    connection.close();
    expect(answer?.status).toBe(421);
    const kept = { unrouted: "host", status: 421, operation: null, response_body: answer?.body };
    expect(await detailOf(idOf(answer?.headers ?? new Map()))).toMatchObject(kept);
  });

  test("in the given world if that exists, without creating one", async () => {
    await service.ok(businessesList, {}, repairer, { "x-sandbox-tenant": "team" });
    const known = await worlds();
    const toTeam = await service.raw("/api/2026-01/none", { headers: { "x-sandbox-tenant": "team" } });
    expect(await detailOf(idOf(toTeam.headers), "team")).toMatchObject({ unrouted: "unknown_operation" });
    const before = (await list({ unrouted: true })).total;
    for (let count = 0; count < 400; count += 1)
      await service.raw("/api/2026-01/none", { headers: { "x-sandbox-tenant": `stranger-${count}` } });
    expect(await worlds()).toEqual(known);
    expect((await list({ unrouted: true })).total).toBe(before);
  });

  test("except for the control plane and browsers' automatic requests", async () => {
    const before = (await list({})).total;
    const addresses = ["/__sandbox/none", "/__sandbox", "/assets/none.js", "/favicon.ico", "/.well-known/x"];
    for (const address of addresses) await service.raw(address, { method: "GET" });
    expect((await list({})).total).toBe(before);
  });
});

describe("a deployed service", () => {
  const credential = (letter: string) => ({
    integration_id: `5d13b09f-bd2f-4acc-a5f9-1c9743fa15c${letter}`,
    api_key: `sbx_${letter.repeat(32)}`,
    webhook_secret: `pwh_${letter.repeat(43)}`,
  });
  const client = (name: string) => ({
    ...{ client_id: name, client_secret: `cs_${name.repeat(20)}`, redirect_uris: ["https://partner.example/"] },
  });

  test("records only calls with a valid credential", async () => {
    const deployed = await startTestService(undefined, {
      mode: "deployed",
      publicUrl: "https://sandbox.example",
      credentials: {
        credentials: { repairer: credential("a"), supplier: credential("b") },
        clients: { demo: client("one"), no_oauth: client("two") },
      },
    });
    const send = async (headers: Record<string, string>) => {
      const connection = await RawConnection.open(deployed.port);
      const [answer] = await connection
        .send(rawRequest("POST /api/2026-01/none", { host: "sandbox.example", connection: "close", ...headers }))
        .answers(1);
      return idOf(answer?.headers ?? new Map());
    };
    await send({});
    await send({ authorization: "Bearer sbx_wrong", "service-integration-id": credential("a").integration_id });
    const read = async (path: string) => {
      const picture = await RawConnection.open(deployed.port);
      const head = { host: "sandbox.example", connection: "close" };
      const [answer] = await picture.send(rawRequest(`GET ${path}`, head)).answers(1);
      return idOf(answer?.headers ?? new Map());
    };
    await read("/__media/7b0a3f0c-6a37-4c1e-9a3e-2f7c33b6a001/a.png");
    const broken = await RawConnection.open(deployed.port);
    await broken.sendAndEnd("nonsense\r\n\r\n");
    const known = await send(credentialHeaders(credential("a")));
    const control = { host: "sandbox.example", authorization: `Bearer ${deployed.ready.control_token}` };
    const connection = await RawConnection.open(deployed.port);
    const [answer] = await connection
      .send(rawRequest("POST /__sandbox/requests.list", { ...control, connection: "close" }, "{}"))
      .answers(1);
    const { items } = JSON.parse(answer?.body ?? "{}") as { items: { id: string; unrouted?: string }[] };
    expect(items.map(({ id, unrouted }) => [id, unrouted])).toEqual([[known, "unknown_operation"]]);
    await deployed.end();
  });
});

describe("the sender of a call", () => {
  const token = () => service.ready.control_token;
  const send = async (headers: Record<string, string>) =>
    idOf((await service.call(jobsInsert, {} as never, repairer, headers)).headers);
  const read = async (headers: Record<string, string>) =>
    idOf((await service.call(businessesList, {}, repairer, headers)).headers);

  test("is trusted only with the control token, for reads too", async () => {
    const explorers = [
      await send({ "x-sandbox-observer": token() }),
      await read({ "x-sandbox-origin": `explorer ${token()}` }),
    ];
    const scenarios = [await read({ "x-sandbox-origin": `scenario ${token()}` })];
    const partners = [
      await read({ "x-sandbox-origin": "explorer" }),
      await read({ "x-sandbox-origin": "explorer ctl_wrong" }),
      await read({ "x-sandbox-origin": `nobody ${token()}` }),
      await read({}),
    ];
    const ids = async (origin: "explorer" | "scenario" | "partner") =>
      (await list({ origin, ids: [...explorers, ...scenarios, ...partners] })).items.map(({ id }) => id).toReversed();
    expect([await ids("explorer"), await ids("scenario"), await ids("partner")]).toEqual([
      explorers,
      scenarios,
      partners,
    ]);
    for (const id of [...explorers, ...scenarios, ...partners])
      expect(JSON.stringify(await detailOf(id))).not.toContain(token());
  });
});
