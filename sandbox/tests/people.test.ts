import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveOptions } from "../command/options.ts";
import { readPeopleFile } from "../command/people-file.ts";
import { SIGN_IN_ENDED } from "../contract/access.ts";
import type { AuditKind } from "../contract/control/service-operations.ts";
import { ScenarioClient } from "../scenario/scenario-client.ts";
import { startTestService, type TestService, temporaryFolder } from "../testing/harness.ts";
import {
  as,
  bearer,
  ownCredentials,
  PUBLIC_URL,
  people,
  post,
  SIGN_IN,
  type SignedIn,
  startWithPeople,
} from "../testing/people-service.ts";
import { RawConnection, rawRequest } from "../testing/raw-connection.ts";

describe("people who signed in at a proxy", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startWithPeople("127.0.0.1");
  });
  afterAll(() => service.end());
  const signIn = (headers: object) => post<SignedIn>(service.port, SIGN_IN, {}, headers);
  const asks = (operation: string, body: object, token: string) =>
    post<never>(service.port, `/__sandbox/${operation}`, body, bearer(token));

  test("get a token for an hour with the first matching rule's access, and are named in the audit log", async () => {
    const anna = await signIn(as("Anna@Example.com"));
    expect(anna.body).toMatchObject({ name: "anna@example.com", world: null, scope: "operator" });
    const { body: current } = await asks("tokens.current", {}, anna.body.token);
    expect(current).toEqual({
      ...{ name: "anna@example.com", world: null, scope: "operator", expires_at: anna.body.expires_at },
    });
    const left = Date.parse(anna.body.expires_at ?? "") - Date.now();
    expect(left).toBeGreaterThan(3_500_000);
    expect(left).toBeLessThanOrEqual(3_600_000);
    expect((await signIn(as("ben@example.com", "a, sandbox-operators"))).body.scope).toBe("operator");
    // Other headers don't change the caller.
    const said = { ...bearer(anna.body.token), "x-sandbox-origin": `scenario ${anna.body.token}` };
    const moved = await post(service.port, "/__sandbox/clock.advance", { world: "default", seconds: 1 }, said);
    expect(moved.status).toBe(200);
    expect((await signIn({})).status).toBe(401);
    expect((await signIn(as("mallory@example.com"))).status).toBe(403);
    const recorded = async (kind: AuditKind) => {
      const { body } = await asks("audit.list", { everywhere: true, kind }, anna.body.token);
      const { items } = body as { items: { by: string; operation: string; world: string | null; outcome: string }[] };
      return items.map(({ by, operation, world, outcome }) => [by, operation, world, outcome]).toReversed();
    };
    const changes = (await recorded("change")).filter(([by]) => by === "anna@example.com");
    expect(changes).toEqual([["anna@example.com", "clock.advance", "default", "ok"]]);
    // Sign-ins are recorded once an hour. Refused ones name nobody.
    const people = ["anna@example.com", "ben@example.com", "anyone"];
    const signIns = (await recorded("other")).filter(
      ([by, operation]) => operation === "tokens.sign-in" && people.includes(by ?? ""),
    );
    expect(signIns).toHaveLength(people.length);
    for (const by of people)
      expect(signIns).toContainEqual([by, "tokens.sign-in", null, by === "anyone" ? "forbidden" : "ok"]);
  });

  test("who aren't operators have one world with its own keys", async () => {
    const { body: cleo } = await signIn(as("cleo@acme.example", "acme"));
    expect(cleo).toMatchObject({ name: "cleo@acme.example", world: "acme", scope: "manage" });
    const current = await asks("tokens.current", {}, cleo.token);
    expect(current.body).toEqual({
      ...{ name: "cleo@acme.example", world: "acme", scope: "manage", expires_at: cleo.expires_at },
    });
    for (const [operation, body, status] of [
      ["jobs.list", { world: "acme" }, 200],
      ["jobs.list", { world: "default" }, 403],
      ["clock.advance", { world: "acme", seconds: 1 }, 200],
      ["worlds.delete", { world: "acme" }, 403],
      ["audit.list", {}, 403],
    ] as const)
      expect((await asks(operation, body, cleo.token)).status, operation).toBe(status);
    const shown = await asks("credentials.list", { world: "acme", reveal: true }, cleo.token);
    expect(shown.status).toBe(200);
    for (const { api_key } of Object.values(ownCredentials.credentials)) expect(shown.text).not.toContain(api_key);

    const { body: dora } = await signIn(as("dora@example.com", "support"));
    expect((await asks("jobs.list", { world: "staging" }, dora.token)).status).toBe(200);
    expect((await asks("credentials.list", { world: "staging", reveal: true }, dora.token)).status).toBe(403);
  });

  test("are told to sign in again when their token is invalid", async () => {
    const { status, text } = await asks("jobs.list", {}, "sbp_of-an-hour-ago");
    expect([status, JSON.parse(text)]).toEqual([401, { type: "unauthorized", message: SIGN_IN_ENDED }]);
    const client = new ScenarioClient(`http://127.0.0.1:${service.port}`, "sbp_of-an-hour-ago");
    await expect(client.must("jobs.list", {})).rejects.toThrow(SIGN_IN_ENDED);
  });

  test("lose their token with their world, because the next world of that name could show the service's keys", async () => {
    const { body: cleo } = await signIn(as("cleo@acme.example", "acme"));
    await asks("worlds.delete", { world: "acme" }, service.ready.control_token);
    expect((await asks("jobs.list", { world: "acme" }, cleo.token)).status).toBe(401);
    const { body: again } = await signIn(as("cleo@acme.example", "acme"));
    const shown = await asks("credentials.list", { world: "acme", reveal: true }, again.token);
    expect(shown.status).toBe(200);
    for (const { api_key } of Object.values(ownCredentials.credentials)) expect(shown.text).not.toContain(api_key);
  });

  test("can't call anything with headers alone, nor from a page of another site", async () => {
    const anna = as("anna@example.com");
    for (const address of [
      "/__sandbox/jobs.list",
      "/__sandbox/worlds.delete",
      "/__sandbox/mcp",
      "/__sandbox/tokens.current",
    ])
      expect((await post(service.port, address, {}, anna)).status, address).toBe(401);
    const live = await fetch(`http://127.0.0.1:${service.port}/__sandbox/live`, { headers: anna });
    expect(live.status).toBe(401);
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site", origin: "https://evil.example.com" },
      { origin: "null" },
    ])
      expect((await raw({ ...anna, ...headers }))?.status).toBe(403);
    const own = await raw({ ...anna, "sec-fetch-site": "same-origin", origin: PUBLIC_URL });
    expect(own?.status).toBe(200);
    // Pages of other sites can't read the token, because there is no CORS header.
    expect(Object.keys(own?.headers ?? {}).filter((name) => /^access-control/i.test(name))).toEqual([]);
  });

  test("can't be impersonated by a replay, which comes from this machine like the proxy", async () => {
    const { control_token: operator } = service.ready;
    await asks("tokens.invite", { world: "guest", name: "Guest", scope: "act" }, operator);
    const { body: made } = await post<{ token: string }>(
      ...([service.port, "/__sandbox/tokens.create", { world: "guest", name: "Guest", scope: "act" }] as const),
      bearer(operator),
    );
    const { body: keys } = await post<{ items: { api_key: string; integration_id: string }[] }>(
      ...([service.port, "/__sandbox/credentials.list", { world: "guest", reveal: true }] as const),
      bearer(made.token),
    );
    const [key] = keys.items;
    const kept = await fetch(`http://127.0.0.1:${service.port}/api/2026-01/businesses.list`, {
      ...{ method: "POST", body: "{}" },
      headers: {
        ...bearer(key?.api_key ?? ""),
        ...{ "service-integration-id": key?.integration_id ?? "", "x-sandbox-tenant": "guest" },
        "content-type": "application/json",
      },
    });
    expect(kept.status).toBe(200);
    const headers = [
      ["X-Forwarded-Email", "dora@example.com"],
      ["x-forwarded-groups", "support"],
    ];
    const replayed = (path: string) =>
      asks("requests.replay", { world: "guest", id: kept.headers.get("x-request-id"), path, headers }, made.token);
    for (const path of [SIGN_IN, "/%5F_sandbox/tokens.sign-in?a", "/__%73andbox/tokens.sign-in#/a"]) {
      const { status, text } = await replayed(path);
      expect([status, text], path).toEqual([422, expect.stringContaining("/path is of the control plane")]);
    }
    expect((await replayed("/api/2026-01/businesses.list")).status).toBe(200);
  });

  /** Sends headers that scripts can't set, including duplicates. */
  const raw = async (headers: Record<string, string>, more: readonly string[] = []) => {
    const connection = await RawConnection.open(service.port);
    const [head = "", ...rest] = rawRequest(`POST ${SIGN_IN}`, { host: "127.0.0.1", ...headers }, "{}").split("\r\n");
    const [answer] = await connection.send([head, ...more, ...rest].join("\r\n")).answers(1);
    connection.close();
    // The connection reads bytes as Latin-1.
    return answer && { ...answer, body: Buffer.from(answer.body, "latin1").toString() };
  };

  test.each([
    ["no header", {}, []],
    ["an empty address", as(""), []],
    ["an invalid address", as("anna"), []],
    ["two addresses", as("anna@example.com, ben@example.com"), []],
    ["the header twice", as("anna@example.com"), ["x-forwarded-EMAIL: anna@example.com"]],
  ])("%s signs in no one: 401, and tokens still work", async (_what, headers, more) => {
    const answer = await raw(headers, more);
    expect([answer?.status, JSON.parse(answer?.body ?? "")]).toEqual([
      401,
      { type: "unauthorized", message: "Nobody has signed in. Open /sign-in at the service’s public address." },
    ]);
    expect((await asks("jobs.list", {}, service.ready.control_token)).status).toBe(200);
  });

  test("without a matching rule are refused with a sentence, and repeated groups don't count", async () => {
    const stranger = await signIn(as("eve@example.com", "others"));
    expect([stranger.status, stranger.body]).toEqual([
      403,
      { type: "forbidden", message: "No access for eve@example.com. Ask the operator of this sandbox to add you." },
    ]);
    expect((await raw(as("eve@example.com", "others"), ["X-Forwarded-Groups: sandbox-operators"]))?.status).toBe(403);
  });

  test("headers are read only from the proxy's address, whatever X-Forwarded-For says", async () => {
    const other = await startWithPeople("10.9.9.9");
    for (const headers of [as("anna@example.com"), { ...as("anna@example.com"), "x-forwarded-for": "10.9.9.9" }]) {
      const answer = await post(other.port, SIGN_IN, {}, headers);
      expect([answer.status, answer.text]).toEqual([401, (await post(other.port, SIGN_IN, {}, {})).text]);
    }
    await other.end();
  });
});

test("without a people file no one can sign in", async () => {
  const service = await startTestService();
  expect((await post(service.port, SIGN_IN, {}, as("anna@example.com"))).status).toBe(404);
  await service.end();
});

describe("the people file", () => {
  const folder = temporaryFolder();
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  const fileOf = (content: unknown): string => {
    const file = path.join(folder, "people.json");
    fs.writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
  };
  const one = (rule: object) => ({ people: [rule] });
  test.each([
    ["{", "it is not valid JSON"],
    [{}, "people"],
    [{ people: [] }, "/people"],
    [one({ email: "anna", scope: "operator" }), "/people/0/email"],
    [one({ email: "anna@example.com" }), "/people/0/scope"],
    [one({ email: "anna@example.com", scope: "admin" }), "/people/0/scope"],
    [one({ scope: "operator" }), "/people/0 needs either email or group"],
    [one({ email: "anna@example.com", group: "a", scope: "operator" }), "/people/0 needs either email or group"],
    [one({ group: "a", scope: "operator", world: "acme" }), "/people/0/world must be left out"],
    [one({ group: " ops", scope: "operator" }), "/people/0/group"],
    [one({ group: "a", scope: "act" }), "/people/0/world is missing"],
    [one({ group: "a", scope: "act", world: "no name" }), "/people/0/world must be 1 to 64"],
    [one({ group: "a", scope: "act", world: "default" }), "/people/0/scope must be view"],
    [one({ group: "a", scope: "view", world: "acme", wrold: "acme" }), "wrold"],
  ])("%j is refused at the start, naming the field", (content, says) => {
    expect(() => readPeopleFile(fileOf(content))).toThrow(says);
  });

  test("requires a deployed sandbox and a trusted proxy", async () => {
    for (const given of [
      { people, trustedProxies: ["127.0.0.1"] },
      { people, mode: "deployed", publicUrl: PUBLIC_URL, credentials: ownCredentials },
    ] as const)
      await expect(startTestService(undefined, given)).rejects.toThrow(
        "--people needs --mode deployed and --trusted-proxy",
      );
    expect(serveOptions.find((option) => option.long === "--people")?.envVar).toBe("SANDBOX_PEOPLE");
  });
});
