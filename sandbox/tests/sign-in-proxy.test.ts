import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findProgram, missingProgram } from "../testing/debian.ts";
import { type TestService, temporaryFolder } from "../testing/harness.ts";
import {
  as,
  bearer,
  DEPLOY_FOLDER,
  ownCredentials,
  post,
  SIGN_IN,
  type SignedIn,
  startWithPeople,
} from "../testing/people-service.ts";
import { freePort } from "../testing/postgres.ts";

describe("docs/deploy/oauth2-proxy.cfg", () => {
  /** Options of oauth2-proxy 7.15.3 used here, with their types (pkg/apis/options, `cfg:` of each field). */
  const known: Readonly<Record<string, "text" | "texts" | "switch">> = {
    ...{ http_address: "text", reverse_proxy: "switch", trusted_proxy_ips: "texts", upstreams: "texts" },
    ...{
      provider: "text",
      oidc_issuer_url: "text",
      client_id: "text",
      client_secret_file: "text",
      redirect_url: "text",
    },
    ...{ scope: "text", oidc_groups_claim: "text", code_challenge_method: "text", email_domains: "texts" },
    ...{ cookie_secret_file: "text", cookie_expire: "text", cookie_secure: "switch", cookie_samesite: "text" },
    session_cookie_minimal: "switch",
    ...{ set_xauthrequest: "switch", skip_provider_button: "switch" },
  };
  const kinds = { text: /^"[^"]+"$/, texts: /^\["[^"]+"(, "[^"]+")*\]$/, switch: /^(true|false)$/ };
  const read = (name: string) => fs.readFileSync(path.join(DEPLOY_FOLDER, name), "utf8");
  const settings = read("oauth2-proxy.cfg")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split(" = ", 2) as [string, string]);

  test("contains only known settings of oauth2-proxy, with valid values", () => {
    expect(settings.map(([name]) => name).toSorted()).toEqual(Object.keys(known).toSorted());
    for (const [name, value] of settings) expect(value, name).toMatch(kinds[known[name] ?? "text"]);
  });

  test("listens where nginx expects it, and sends the expected headers", () => {
    const nginx = read("nginx-sign-in.conf");
    const given = Object.fromEntries(settings);
    expect(nginx).toContain(`proxy_pass http://${given.http_address?.slice(1, -1)};`);
    expect(given.set_xauthrequest).toBe("true");
    for (const header of ["email", "groups"]) expect(nginx).toContain(`$upstream_http_x_auth_request_${header};`);
  });
});

const nginx = findProgram("nginx");

describe("nginx with the documented configuration, a stub of oauth2-proxy and the service", () => {
  /** People by cookie name, with their groups. */
  const sessions: Readonly<Record<string, readonly [string, string]>> = {
    anna: ["anna@example.com", ""],
    cleo: ["cleo@acme.example", "x,acme"],
    eve: ["eve@example.com", "others"],
    // As many groups as identity providers send, more than nginx accepts by default.
    frank: [
      "frank@example.com",
      `acme,${Array.from({ length: 200 }, (_, at) => `group-with-a-long-name-${at}`).join(",")}`,
    ],
  };
  let service: TestService;
  let proxy: http.Server;
  let child: ChildProcess;
  const folder = temporaryFolder();
  let port = 0;

  beforeAll(async () => {
    if (nginx === null) return;
    service = await startWithPeople("127.0.0.1");
    proxy = http.createServer(({ url, headers }, response) => {
      const [email = "", groups = ""] = sessions[/_oauth2_proxy=(\w+)/.exec(headers.cookie ?? "")?.[1] ?? ""] ?? [];
      const known = { "x-auth-request-email": email, "x-auth-request-groups": groups };
      if (url === "/oauth2/auth") response.writeHead(email === "" ? 401 : 202, email === "" ? {} : known);
      else if (url === "/oauth2/start")
        response.writeHead(302, { location: `https://login.example.com/?after=${headers["x-auth-request-redirect"]}` });
      else if (url === "/oauth2/sign_out")
        response.writeHead(302, {
          location: String(headers["x-auth-request-redirect"]),
          "set-cookie": "_oauth2_proxy=",
        });
      else response.writeHead(404);
      response.end();
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    port = await freePort();
    const text = fs.readFileSync(path.join(DEPLOY_FOLDER, "nginx-sign-in.conf"), "utf8");
    const adapted = text
      .replace(/listen 443 ssl;/, `listen 127.0.0.1:${port};`)
      .replaceAll(/^ *ssl_.*\n/gm, "")
      .replaceAll("127.0.0.1:4026", `127.0.0.1:${service.port}`)
      .replaceAll("127.0.0.1:4180", `127.0.0.1:${(proxy.address() as AddressInfo).port}`)
      .replace("http {", "http {\n  access_log off;");
    const file = path.join(folder, "nginx.conf");
    fs.writeFileSync(file, adapted);
    const main = "daemon off; pid nginx.pid; error_log stderr;";
    const args = ["-p", folder, "-e", "stderr", "-g", main, "-c", file];
    child = spawn(nginx, args, { stdio: ["ignore", "ignore", "pipe"] });
    await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/__health`)).status).toBe(200), 10_000);
  });
  afterAll(async () => {
    if (nginx === null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    proxy.close();
    await service.end();
    fs.rmSync(folder, { recursive: true });
  });

  const host = { host: "sandbox.example.com" };
  const session = (name: string) => ({ ...host, cookie: `_oauth2_proxy=${name}` });
  const signIn = (headers: object) => post<SignedIn>(port, SIGN_IN, {}, headers);

  test("admits signed-in people with their access", async (context) => {
    context.skip(nginx === null, missingProgram("nginx"));
    const anna = await signIn(session("anna"));
    expect(anna.body).toMatchObject({ name: "anna@example.com", scope: "operator" });
    expect((await post(port, "/__sandbox/worlds.list", {}, { ...host, ...bearer(anna.body.token) })).status).toBe(200);
    const cleo = await signIn(session("cleo"));
    expect(cleo.body).toMatchObject({ name: "cleo@acme.example", world: "acme", scope: "manage" });
    expect((await post(port, "/__sandbox/jobs.list", {}, { ...host, ...bearer(cleo.body.token) })).status).toBe(403);
    const stranger = await signIn(session("eve"));
    expect([stranger.status, stranger.text]).toEqual([403, expect.stringContaining("No access for eve@example.com")]);
  });

  test("sends a stranger to the sign-in page and back", async (context) => {
    context.skip(nginx === null, missingProgram("nginx"));
    expect((await signIn(host)).status).toBe(401);
    const asked = (headers: object) =>
      fetch(`http://127.0.0.1:${port}/sign-in?to=%2Fjobs%3Fworld%3Dacme%26side%3Dx`, {
        redirect: "manual",
        headers: { ...headers },
      });
    const stranger = await asked(host);
    expect([stranger.status, stranger.headers.get("location")]).toEqual([
      ...[302, "https://login.example.com/?after=/sign-in?to=%2Fjobs%3Fworld%3Dacme%26side%3Dx"],
    ]);
    // The service has no explorer here; only the forwarded request matters.
    expect((await asked(session("anna"))).headers.get("x-request-id")).not.toBeNull();
  });

  test("ends a session, and returns to the explorer", async (context) => {
    context.skip(nginx === null, missingProgram("nginx"));
    const out = await fetch(`http://127.0.0.1:${port}/sign-out`, { redirect: "manual", headers: session("anna") });
    expect([out.status, out.headers.get("set-cookie")]).toEqual([302, "_oauth2_proxy="]);
    expect(new URL(out.headers.get("location") ?? "", "https://sandbox.example.com").href).toBe(
      "https://sandbox.example.com/",
    );
  });

  test("accepts people in many groups, and hides their cookies from the service", async (context) => {
    context.skip(nginx === null, missingProgram("nginx"));
    expect((await signIn(session("frank"))).body).toMatchObject({ scope: "manage", world: "acme" });
    // The service itself refuses headers of this size.
    const cookie = `_oauth2_proxy=${"a".repeat(20_000)}`;
    const asked = (of: number) => fetch(`http://127.0.0.1:${of}/__health`, { headers: { cookie } });
    expect([(await asked(service.port)).status, (await asked(port)).status]).toEqual([431, 200]);
  });

  test("overwrites identity headers sent by a caller", async (context) => {
    context.skip(nginx === null, missingProgram("nginx"));
    const smuggled = { ...as("anna@example.com", "sandbox-operators"), "X-Auth-Request-Email": "anna@example.com" };
    expect((await signIn({ ...host, ...smuggled })).status).toBe(401);
    expect((await signIn({ ...session("eve"), ...smuggled })).status).toBe(403);
    expect((await signIn({ ...session("cleo"), ...smuggled })).body).toMatchObject({ scope: "manage", world: "acme" });
    for (const address of [`${SIGN_IN}/`, "/__sandbox/tokens%2Esign-in", "//__sandbox/tokens.sign-in", `${SIGN_IN}?a`])
      expect((await post(port, address, {}, { ...host, ...smuggled })).status, address).not.toBe(200);
  });

  test("leaves keys, tokens and links working without a sign-in", async (context) => {
    context.skip(nginx === null, missingProgram("nginx"));
    const { api_key, integration_id } = ownCredentials.credentials.repairer;
    const mine = { ...host, ...bearer(api_key), "service-integration-id": integration_id };
    expect((await post(port, "/api/2026-01/businesses.list", {}, mine)).status).toBe(200);
    const operator = { ...host, ...bearer(service.ready.control_token) };
    const invited = await post<{ link: string }>(
      port,
      "/__sandbox/tokens.invite",
      { world: "guest", name: "Guest", scope: "act" },
      operator,
    );
    const claim = new URL(invited.body.link).hash.replace("#claim=", "");
    expect((await post(port, "/__sandbox/tokens.claim", { claim }, host)).status).toBe(200);
  });
});
