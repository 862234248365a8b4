import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { controlOperations } from "../contract/control/all-operations.ts";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { errorCodes } from "../contract/errors.ts";
import { operationPath } from "../contract/operation.ts";
import { partnerOperations, uploadsPrepare } from "../contract/operations/partner.ts";
import {
  credentialHeaders,
  repairer,
  startTestService,
  type TestService,
  temporaryFolder,
} from "../testing/harness.ts";
import { RawConnection, type RawResponse, rawHead, rawRequest } from "../testing/raw-connection.ts";

let service: TestService;
const explorer = temporaryFolder();
beforeAll(async () => {
  fs.mkdirSync(path.join(explorer, "assets"));
  fs.writeFileSync(path.join(explorer, "index.html"), "<!doctype html><title>explorer</title>");
  fs.writeFileSync(path.join(explorer, "assets", "app.js"), "0;");
  service = await startTestService(undefined, { explorerFolder: explorer });
});
afterAll(async () => {
  await service.end();
  fs.rmSync(explorer, { recursive: true });
});

const mine = credentialHeaders(repairer);
const posted = [
  ...[...partnerOperations, ...controlOperations].map(operationPath),
  "/__sandbox/mcp",
  "/__webhooks/subscribe",
  "/__webhooks/sink",
  "/__webhooks/secret",
  "/__receiver/00000000-0000-4000-8000-000000000000",
];
const page = "/__oauth/authorize?client_id=demo-client&redirect_uri=http%3A%2F%2F127.0.0.1%2F&state=s";

/** Routes other than operations, with their methods and an address. */
const others: readonly (readonly [string, readonly string[]])[] = [
  [page, ["GET", "HEAD", "POST"]],
  ["/openapi.json", ["GET", "HEAD"]],
  ["/__health", ["GET", "HEAD"]],
  ["/__media/00000000-0000-4000-8000-000000000000/a.png", ["GET", "HEAD"]],
  ["/__sandbox/live", ["GET"]],
  ["/__uploads/00000000-0000-4000-8000-000000000000?expires=1&signature=x", ["PUT"]],
];
const routes = [...posted.map((one) => [one, ["POST"]] as const), ...others];

/** Sends a request without a body on a new connection. @returns the raw response */
const ask = async (method: string, address: string, headers: Record<string, string> = {}): Promise<RawResponse> => {
  const connection = await RawConnection.open(service.port);
  connection.send(rawHead(`${method} ${address}`, { connection: "close", ...headers }));
  const received = await connection.ended;
  const [head = "", ...body] = received.split("\r\n\r\n");
  const lines = head.split("\r\n").slice(1);
  return {
    status: Number(received.slice(9, 12)),
    headers: new Map(lines.map((line) => [line.split(": ", 1)[0]?.toLowerCase() ?? "", line.replace(/^[^:]*: /, "")])),
    body: body.join("\r\n\r\n"),
  };
};

describe("methods", () => {
  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY"])(
    "D2, D5: an unsupported %s gets 405 on every route with the allowed methods, whatever the Host",
    async (method) => {
      for (const [address, taken] of routes) {
        if (taken.includes(method)) continue;
        const answer = await ask(method, address);
        expect([address, answer.status, answer.headers.get("allow")]).toEqual([address, 405, taken.join(", ")]);
        expect(answer.headers.get("x-request-id"), address).toMatch(/^[0-9a-f-]{36}$/);
        if (method === "HEAD") expect(answer.body).toBe("");
        else expect(JSON.parse(answer.body)).toEqual({ type: "method_not_allowed", message: expect.any(String) });
        expect([address, (await ask(method, address, { host: "evil.example" })).status]).toEqual([address, 405]);
      }
    },
  );

  test("HEAD returns the same as GET without the body", async () => {
    const { public_url } = await service.ok(
      uploadsPrepare,
      { file_name: "a.png", media_type: "image", type: "job_media" },
      repairer,
    );
    const seeded = await service.post<{ images: { public_url: string }[] }>(
      "/api/2026-01/repairer.jobs.get",
      { identity: { external: "estimate:88213" } },
      mine,
    );
    const pathname = (url: string | null | undefined) => new URL(url ?? "").pathname;
    for (const address of [
      "/",
      "/jobs/anything",
      "/assets/app.js",
      "/openapi.json",
      "/__health",
      page,
      "/__oauth/authorize",
      pathname(public_url),
      pathname(seeded.body.images[0]?.public_url),
    ]) {
      const [head, get] = [await ask("HEAD", address), await ask("GET", address)];
      expect([address, head.status, head.body]).toEqual([address, get.status, ""]);
      for (const name of ["content-type", "content-length", "cache-control", "content-security-policy"])
        expect([address, name, head.headers.get(name)]).toEqual([address, name, get.headers.get(name)]);
      expect(get.body.length, address).toBeGreaterThan(0);
    }
  });

  test("every address in the explorer returns its page, even with dots", async () => {
    for (const address of ["/", "/jobs/adb34513-92dc-54b1-a36a-c579b413d06f", "/console/repairer.jobs.insert?a=b.c"]) {
      const answer = await ask("GET", address);
      expect([address, answer.status, answer.body]).toEqual([address, 200, expect.stringContaining("<title>explorer")]);
    }
    expect((await ask("GET", "/assets/missing.js")).status).toBe(404);
  });

  test("an unknown address is not_found for every method, never the explorer", async () => {
    for (const method of ["GET", "POST", "PUT", "DELETE", "OPTIONS"]) {
      for (const address of [
        "/api",
        "/api/",
        "/api/2026-01/businesses.list/",
        "/API/2026-01/businesses.list",
        "//api/2026-01/businesses.list",
        "/api/2026-01/../2026-01/businesses.list",
        "/api/2026-01/businesses.list;v=1",
        "/__sandbox/",
        "/__webhooks/nothing",
        "/__uploads/",
        "/__media/only-one",
        "/missing.js",
      ]) {
        const answer = await ask(method, address, mine);
        expect([method, address, answer.status]).toEqual([method, address, 404]);
        expect(JSON.parse(answer.body)).toEqual({ type: "not_found", message: expect.any(String) });
      }
    }
  });
});

describe("the Host", () => {
  const list = `POST ${operationPath({ id: "businesses.list", surface: "contract" })}`;
  const asked = async (host: string, line = list): Promise<RawResponse | undefined> =>
    (
      await (
        await RawConnection.open(service.port)
      ).sendAndEnd(rawRequest(line, { ...mine, host, connection: "close" }))
    )[0];

  test.each([
    "localhost",
    "LocalHost",
    "localhost.",
    "localhost:1",
    "localhost:65535",
    "127.0.0.1",
    "127.0.0.1:4026",
    "127.1.2.3",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "[::1]",
    "[::1]:4026",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "0.0.0.0:4026",
  ])("%s is local and accepted", async (host) => {
    expect((await asked(host))?.status).toBe(200);
  });

  test.each([
    "",
    "evil.example",
    "evil.example:4026",
    "localhost.evil.example",
    "evil.example.localhost.com",
    "127.0.0.1.evil.example",
    "127.0.0.1.nip.io",
    "localhost@evil.example",
    "evil.example@localhost",
    "localhost:4026@evil.example",
    "localhost/evil",
    "localhost#evil",
    "localhost?evil",
    "localhost\\evil.example",
    "localhost, evil.example",
    "localhost evil.example",
    "127.0.0.1:4026:4026",
    "127.0.0.1:x",
    "128.0.0.1",
    "10.0.0.1",
    "192.168.0.1",
    "169.254.169.254",
    "2130706432.evil",
    "3232235521",
    "[::2]",
    "[::ffff:10.0.0.1]",
    "[::1",
    "::1",
    "localhos\u0074%00",
    "xn--lcalhost-54a",
    "lоcalhost",
    "localhost。",
  ])("D2: %j is foreign and refused before any other check", async (host) => {
    const answer = await asked(host);
    expect([answer?.status, JSON.parse(answer?.body ?? "")]).toEqual([
      errorCodes.misdirected_request.status,
      { type: "misdirected_request", message: expect.stringContaining("loopback") },
    ]);
    expect(answer?.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("D2: a foreign one is refused on every kind of route", async () => {
    for (const [address, methods] of [...routes, ["/", ["GET"]] as const]) {
      const answer = await ask(methods[0] ?? "GET", address, { host: "evil.example" });
      expect([address, answer.status]).toEqual([address, 421]);
    }
  });

  test("is the one in the request's address if that has one, whatever the header says", async () => {
    const { pathname } = new URL(service.baseUrl + operationPath({ id: "businesses.list", surface: "contract" }));
    expect((await asked("localhost", `POST http://127.0.0.1${pathname}`))?.status).toBe(200);
    expect((await asked("evil.example", `POST http://localhost${pathname}`))?.status).toBe(200);
    expect((await asked("localhost", `POST http://evil.example${pathname}`))?.status).toBe(421);
  });
});

test("clients that probe for missing features get JSON, not a page", async () => {
  for (const address of ["/.well-known/oauth-authorization-server", "/.well-known/", "/register"]) {
    const answer = await fetch(service.baseUrl + address);
    expect([address, answer.status, answer.headers.get("content-type")]).toEqual([
      ...[address, 404],
      "application/json; charset=utf-8",
    ]);
    expect(await answer.json()).toMatchObject({ type: "not_found" });
  }
});

test("an address of the sandbox without its underscores is a call on record, not a screen", async () => {
  const id = "00000000-0000-4000-8000-000000000000";
  for (const [method, address, sentence] of [
    ["GET", "/oauth/authorize?client_id=demo-client", "The consent page has another address."],
    ["PUT", `/uploads/${id}`, "Two underscores are missing from the address: it begins with `/__uploads/`."],
    ["GET", `/media/${id}/a.gif`, "Two underscores are missing from the address: it begins with `/__media/`."],
  ] as const) {
    const answer = await ask(method, address);
    expect([address, answer.status]).toEqual([address, 404]);
    const explained = { world: "default", id: answer.headers.get("x-request-id") ?? "" };
    expect((await service.control(requestsExplain, explained)).refusal?.sentence).toBe(sentence);
  }
});
