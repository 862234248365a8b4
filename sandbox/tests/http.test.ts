import http from "node:http";
import net from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobsList } from "../contract/control/operations.ts";
import { operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, type TestService } from "../testing/harness.ts";
import { parseAnswers } from "../testing/raw-connection.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const insert = "/api/2026-01/repairer.jobs.insert";
const list = "/api/2026-01/businesses.list";
const mine = credentialHeaders(repairer);

const withHost = (host: string, path: string): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(service.baseUrl);
    const request = http.request(
      { host: "127.0.0.1", port, path, method: "POST", headers: { ...mine, host } },
      (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (text: string) => {
          body += text;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
      },
    );
    request.on("error", reject).end();
  });

describe("addresses and methods", () => {
  test("D5: an unknown operation or version is not_found, in the contract's form", async () => {
    for (const path of [
      "/api/2026-01/repairer.jobs.erase",
      "/api/2025-01/businesses.list",
      "/api/2026-01/",
      "/__extensions/2026-01/nothing",
    ]) {
      expect(await service.raw(path, { headers: mine })).toMatchObject({
        status: 404,
        body: { type: "not_found", message: expect.any(String) },
      });
    }
  });

  test.each([
    ["/%zz", "%zz"],
    ["/api/2026-01/businesses%20list%", "%"],
    ["/help/%41%4", "%4"],
    ["/__media/%E0%A4/a.png?x=%zz", "%E0%A4"],
  ])("D5: %s is not_found, and the message names the escape %s", async (path, broken) => {
    const [answer] = parseAnswers(
      await sendRaw(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`),
    );
    const message = `Nothing at ${path.split("?")[0]}: the escape ${broken} is broken.`;
    expect([answer?.status, JSON.parse(answer?.body ?? "")]).toEqual([404, { type: "not_found", message }]);
    expect(answer?.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
  });

  test("D5: an address with a too long part is not_found", async () => {
    const answer = await service.raw(`/__uploads/${"a".repeat(200)}`, { method: "PUT" });
    expect(answer).toMatchObject({ status: 404, body: { type: "not_found" } });
  });

  test("D5: another method is 405 and names POST", async () => {
    for (const method of ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const answer = await service.raw(list, { method, headers: mine });
      expect(answer).toMatchObject({ status: 405, body: { type: "method_not_allowed" } });
      expect(answer.headers.get("allow")).toBe("POST");
    }
  });

  test("a foreign Host is refused, loopback names are accepted", async () => {
    for (const host of ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:4026", "10.0.0.1"]) {
      expect((await withHost(host, list)).status).toBe(421);
    }
    for (const host of ["localhost", "LOCALHOST:1", "127.0.0.1:4026", "[::1]:4026"])
      expect((await withHost(host, list)).status).toBe(200);
  });

  test("D12: every response carries its own x-request-id", async () => {
    const answers = await Promise.all([
      service.raw(list, { headers: mine }),
      service.raw(list),
      service.raw("/nowhere"),
      service.raw("/__health", { method: "GET" }),
    ]);
    const ids = answers.map((answer) => answer.headers.get("x-request-id"));
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

const site = '"repairer_site_id":"00000000-0000-4000-8000-000000000000"';

/** Sends raw bytes. @returns the response */
const sendRaw = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = net.connect(Number(new URL(service.baseUrl).port), "127.0.0.1", () => socket.write(bytes));
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    socket.on("close", () => resolve(answer)).on("error", reject);
  });

describe("unreadable requests", () => {
  test.each([
    ["a garbled request line", "NONSENSE\r\n\r\n", 400],
    [
      "two lengths",
      `POST ${list} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`,
      400,
    ],
    [
      "headers beyond the limit",
      `POST ${list} HTTP/1.1\r\nhost: localhost\r\nx-long: ${"x".repeat(20_000)}\r\n\r\n`,
      431,
    ],
    ["no Host", `POST ${list} HTTP/1.1\r\nconnection: close\r\n\r\n`, 400],
    [
      "an unsupported expectation",
      `POST ${list} HTTP/1.1\r\nhost: localhost\r\nexpect: x\r\nconnection: close\r\n\r\n`,
      417,
    ],
  ])("D12: %s gets a response in the contract's form, with an x-request-id", async (_, bytes, status) => {
    const [head = "", body = ""] = (await sendRaw(bytes)).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain("x-request-id: ");
    expect(JSON.parse(body)).toEqual({ type: "bad_request", message: expect.any(String) });
  });
});

describe("bodies", () => {
  test("an empty body counts as {}, with or without a content type", async () => {
    expect((await service.raw(list, { headers: mine })).status).toBe(200);
    expect((await service.raw(list, { headers: { ...mine, "content-type": "application/json" } })).status).toBe(200);
  });

  test.each([
    ["no JSON", "{", /not valid JSON/],
    ["an array", "[]", /JSON object/],
    ["a string", '"x"', /JSON object/],
    ["null", "null", /JSON object/],
    ["a misplaced number", `{"identity":{"external":1},${site}}`, /^\/identity\/external must be string/],
    [
      "both identities",
      `{"identity":{"external":"a","id":"b"},${site}}`,
      /^\/identity must have exactly one of id, external/,
    ],
    [
      "a nested field",
      `{"identity":{"external":"a"},${site},"vehicle":{"chassis_number":null,"plate_number":5,"plate_state":null}}`,
      /^\/vehicle\/plate_number must be string/,
    ],
  ])("D3: %s is unprocessable on repairer.jobs.insert, naming the field", async (_, body, message) => {
    expect(await service.raw(insert, { body, headers: mine })).toMatchObject({
      status: 422,
      body: { type: "unprocessable", message: expect.stringMatching(message) },
    });
  });

  test("D3: elsewhere a malformed body is bad_request", async () => {
    expect(await service.raw("/api/2026-01/repairer.jobs.get", { body: "{}", headers: mine })).toMatchObject({
      status: 400,
      body: { type: "bad_request", message: "/identity is required." },
    });
  });

  test("D4: other content types are refused, JSON with parameters isn't; a leading BOM is dropped, other encodings refused", async () => {
    const typed = (type: string, body: string | Uint8Array<ArrayBuffer>) =>
      service.raw(list, { body, headers: { ...mine, "content-type": type } });
    expect(await typed("text/plain", "{}")).toMatchObject({ status: 415, body: { type: "unsupported_media_type" } });
    expect((await typed("application/xml", "<a/>")).status).toBe(415);
    expect((await typed("application/json; charset=utf-8", "{}")).status).toBe(200);
    expect((await typed("Application/JSON", "\ufeff{}")).status).toBe(200);
    expect((await typed("application/json", new Uint8Array([0x7b, 0xff, 0x7d]))).status).toBe(400);
  });

  test("D6: one MiB is the limit, checked before credentials", async () => {
    const big = JSON.stringify({ padding: "x".repeat(1024 * 1024) });
    expect(await service.raw(list, { body: big })).toMatchObject({ status: 413, body: { type: "payload_too_large" } });
    const fits = JSON.stringify({ padding: "x".repeat(1024 * 1024 - 20) });
    expect((await service.raw(list, { body: fits, headers: mine })).status).toBe(200);
  });

  test("D7: __proto__ and constructor are plain data", async () => {
    const body = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    expect((await service.raw(list, { body, headers: mine })).status).toBe(200);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });
});

describe("tenants", () => {
  test.each(["", " ", "a b", "é", "a/b", "x".repeat(65)])("D81: the name %j is bad_request", async (name) => {
    const answer = await new Promise<number>((resolve, reject) => {
      const { port } = new URL(service.baseUrl);
      http
        .request(
          {
            host: "127.0.0.1",
            port,
            path: list,
            method: "POST",
            headers: { ...mine, "x-sandbox-tenant": Buffer.from(name).toString("latin1") },
          },
          (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          },
        )
        .on("error", reject)
        .end();
    });
    expect(answer).toBe(400);
  });

  test("each name has its own world with the same seed, and names are case-sensitive", async () => {
    const as = (tenant: string) => ({ ...mine, "x-sandbox-tenant": tenant });
    const businesses = (await service.raw(list, { headers: mine })).text;
    for (const tenant of ["one", "One", "..", "con", "a.b_c-d"])
      expect((await service.raw(list, { headers: as(tenant) })).text).toBe(businesses);
    const site = (JSON.parse(businesses) as { items: { id: string; type: string }[] }).items.find(
      (one) => one.type === "repairer_site",
    );
    const job = { identity: { external: "only-in-one" }, repairer_site_id: site?.id };
    expect((await service.post(insert, job, as("one"))).status).toBe(200);
    const get = (headers: Record<string, string>) =>
      service.post("/api/2026-01/repairer.jobs.get", { identity: { external: "only-in-one" } }, headers);
    expect((await get(as("one"))).status).toBe(200);
    for (const tenant of ["One", "two"]) expect((await get(as(tenant))).status).toBe(404);
    expect((await get(mine)).status).toBe(404);
  });
});

describe("the control plane", () => {
  test("accepts only its token", async () => {
    for (const headers of [
      {},
      mine,
      { authorization: "Bearer wrong" },
      { authorization: service.ready.control_token },
    ] as Record<string, string>[]) {
      expect(await service.raw("/__sandbox/jobs.list", { headers })).toMatchObject({
        status: 401,
        body: { type: "unauthorized" },
      });
    }
    expect((await service.raw("/__sandbox/live", { method: "GET" })).status).toBe(401);
  });

  test("an invalid cursor is refused, so that no one starts over unknowingly", async () => {
    const token = { authorization: `Bearer ${service.ready.control_token}` };
    const answer = await service.call(jobsList, { cursor: "garbage" }, undefined, token);
    expect(answer).toMatchObject({
      status: 400,
      body: { type: "bad_request", message: expect.stringContaining("/cursor") },
    });
  });

  test("pages through a list without gaps or repeats", async () => {
    const all = await service.control(jobsList, { limit: 500 });
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: { id: string }[]; next_cursor: string | null } = await service.control(jobsList, {
        limit: 7,
        ...(cursor === null ? {} : { cursor }),
      });
      ids.push(...page.items.map((one) => one.id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(ids).toEqual(all.items.map((one) => one.id));
    expect(all.total).toBe(ids.length);
  });
});

test("every declared partner operation is served", async () => {
  for (const operation of partnerOperations) {
    const { status } = await service.raw(operationPath(operation), { body: "[]" });
    expect([operation.id, status]).toEqual([operation.id, operation.scope === "none" ? 400 : 401]);
  }
});
