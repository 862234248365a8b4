import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readCredentialsFile } from "../command/credentials-file.ts";
import { businessesList, integrationsInsert } from "../contract/operations/partner.ts";
import { startTestService, supplier, type TestService, temporaryFolder } from "../testing/harness.ts";
import { CommandProcess } from "../testing/process.ts";
import { RawConnection, rawRequest } from "../testing/raw-connection.ts";

const PUBLIC = "https://sandbox.example.com";
const own = {
  credentials: {
    repairer: {
      api_key: `sbx_${"a".repeat(32)}`,
      integration_id: "11111111-1111-4111-8111-111111111111",
      webhook_secret: `pwh_${"b".repeat(43)}`,
    },
    supplier: {
      api_key: `sbx_${"c".repeat(32)}`,
      integration_id: "22222222-2222-4222-8222-222222222222",
      webhook_secret: `pwh_${"d".repeat(43)}`,
    },
  },
  clients: {
    demo: {
      client_id: "partner-app",
      client_secret: "a-secret-of-our-own",
      redirect_uris: ["https://partner.example.com/callback"],
    },
    no_oauth: { client_id: "partner-other", client_secret: "another-secret-of-ours" },
  },
};

const folders: string[] = [];
const fileOf = (content: unknown): string => {
  const folder = temporaryFolder();
  folders.push(folder);
  const file = path.join(folder, "credentials.json");
  fs.writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
};
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

describe("the deployed service", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(undefined, {
      mode: "deployed",
      publicUrl: PUBLIC,
      credentials: readCredentialsFile(fileOf(own)),
    });
  });
  afterAll(() => service.end());

  // Its ready line has the public address; tests call the actual one.
  const at = async (address: string, headers: Record<string, string>, body: unknown) => {
    const response = await fetch(`http://127.0.0.1:${service.port}${address}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text) as unknown };
  };

  const worldNames = async (): Promise<string[]> => {
    const listed = await at("/__sandbox/worlds.list", { authorization: `Bearer ${service.ready.control_token}` }, {});
    return (listed.body as { items: { name: string }[] }).items.map(({ name }) => name).toSorted();
  };

  test("has no credentials or clients in its ready line", () => {
    expect(service.ready).toMatchObject({ mode: "deployed", base_url: PUBLIC });
    expect(service.ready).not.toHaveProperty("credentials");
    expect(service.ready).not.toHaveProperty("clients");
  });

  test("accepts the operator's credentials, not the documented ones", async () => {
    const { api_key, integration_id } = own.credentials.repairer;
    const mine = { authorization: `Bearer ${api_key}`, "service-integration-id": integration_id };
    expect((await at("/api/2026-01/businesses.list", mine, {})).status).toBe(200);
    const documented = {
      authorization: `Bearer ${supplier.api_key}`,
      "service-integration-id": supplier.integration_id,
    };
    expect((await at("/api/2026-01/businesses.list", documented, {})).status).toBe(401);
    const insert = await at(
      "/api/2026-01/integrations.insert",
      {},
      { client_id: "partner-app", client_secret: "a-secret-of-our-own", access_code: "x" },
    );
    expect(insert.body).toEqual({ type: "invalid_access_code" });
    expect([businessesList.id, integrationsInsert.id]).toHaveLength(2);
  });

  test.each([
    ["http://hooks.example.com/", "https_required"],
    ["ftp://hooks.example.com/", "https_required"],
    ["not a url", "https_required"],
    ["https://user:secret@hooks.example.com/", "https_required"],
    ["https://127.0.0.1/", "private_or_reserved_host"],
    ["https://localhost:8443/", "private_or_reserved_host"],
    ["https://10.1.2.3/", "private_or_reserved_host"],
    ["https://192.168.1.1/", "private_or_reserved_host"],
    ["https://169.254.169.254/latest", "private_or_reserved_host"],
    ["https://2130706433/", "private_or_reserved_host"],
    ["https://0x7f.1/", "private_or_reserved_host"],
    ["https://[::1]/", "private_or_reserved_host"],
    ["https://[::ffff:10.0.0.1]/", "private_or_reserved_host"],
    ["https://[fd00::1]/", "private_or_reserved_host"],
    ["https://[::ffff:0:10.0.0.1]/", "private_or_reserved_host"],
    ["https://[2a00:1450::5efe:10.0.0.1]/", "private_or_reserved_host"],
    ["https://[2a00:1450::200:5efe:a00:1]/", "private_or_reserved_host"],
    ["https://[4000::1]/", "private_or_reserved_host"],
    ["https://hooks.example.com:0/", "https_required"],
    ["http://10.0.0.1/", "private_or_reserved_host"],
  ])("D76, D77: a subscription to %s is refused as %s", async (url, reason) => {
    const answer = await at(
      "/__webhooks/subscribe",
      {},
      { integration_id: own.credentials.repairer.integration_id, url },
    );
    expect(answer).toEqual({ status: 400, body: { ok: false, reason } });
  });

  test("D90: only the public https address is its own origin", async () => {
    const { api_key, integration_id } = own.credentials.repairer;
    const mine = { authorization: `Bearer ${api_key}`, "service-integration-id": integration_id };
    const call = async (host: string, origin: string) => {
      const connection = await RawConnection.open(service.port);
      const head = { ...mine, host, origin, connection: "close" };
      const [answer] = await connection.sendAndEnd(rawRequest("POST /api/2026-01/businesses.list", head));
      return answer?.status;
    };
    expect(await call("sandbox.example.com", PUBLIC)).toBe(200);
    expect(await call("sandbox.example.com", "http://sandbox.example.com")).toBe(403);
    expect(await call(`localhost:${service.port}`, `http://localhost:${service.port}`)).toBe(200);
  });

  test("a public https url is accepted", async () => {
    expect(
      await at(
        "/__webhooks/subscribe",
        {},
        { integration_id: own.credentials.repairer.integration_id, url: "https://hooks.example.com/in" },
      ),
    ).toMatchObject({ status: 200 });
  });

  test("D85: a subscription of an unknown integration is refused and creates no world", async () => {
    const before = await worldNames();
    const body = { integration_id: "33333333-3333-4333-8333-333333333333", url: "https://hooks.example.com/in" };
    for (const headers of [{}, { "x-sandbox-tenant": "of-a-stranger" }] as const)
      expect(await at("/__webhooks/subscribe", { ...headers }, body)).toEqual({
        status: 400,
        body: { ok: false, reason: "missing_field" },
      });
    expect(await worldNames()).toEqual(before);
  });

  test("D85: the consent page creates no world, whatever its address names, even after a deletion", async () => {
    const operator = { authorization: `Bearer ${service.ready.control_token}` };
    const page = async (world: string): Promise<{ status: number; text: string }> => {
      const asked = { client_id: "partner-app", redirect_uri: "https://partner.example.com/callback", world };
      const response = await fetch(`http://127.0.0.1:${service.port}/__oauth/authorize?${new URLSearchParams(asked)}`);
      return { status: response.status, text: await response.text() };
    };
    const approve = (text: string): Promise<Response> => {
      const hidden = text.matchAll(/<input type="hidden" name="([a-z_]+)" value="([^"]*)">/g);
      const fields = new URLSearchParams([...hidden].map(([, name = "", value = ""]) => [name, value]));
      fields.set("organization_id", /name="organization_id" value="([^"]+)"/.exec(text)?.[1] ?? "");
      fields.set("decision", "approve");
      return fetch(`http://127.0.0.1:${service.port}/__oauth/authorize`, {
        method: "POST",
        body: fields,
        redirect: "manual",
      });
    };
    const before = await worldNames();
    for (const world of ["stranger-1", "stranger-2"]) {
      const refused = await page(world);
      expect(refused).toMatchObject({ status: 400, text: expect.stringContaining("This world doesn’t exist.") });
      expect((await approve(refused.text)).status).toBe(400);
    }
    expect(await worldNames()).toEqual(before);

    await at("/__sandbox/policies.set", operator, { world: "partner", policies: {} });
    const [kept, other] = [await page("partner"), await page("partner")];
    expect((await approve(kept.text)).status).toBe(303);
    await at("/__sandbox/worlds.delete", operator, { world: "partner", checkpoint: false });
    expect((await approve(other.text)).status).toBe(400);
    expect(await worldNames()).toEqual(before);
  });

  test("an invited partner gets the public address and its own keys, not the operator's", async () => {
    const operator = { authorization: `Bearer ${service.ready.control_token}` };
    const invited = await at("/__sandbox/tokens.invite", operator, { world: "acme", name: "Acme", scope: "manage" });
    const { link } = invited.body as { link: string };
    expect(link.startsWith(`${PUBLIC}/claim#claim=sbc_`)).toBe(true);
    const claimed = await at("/__sandbox/tokens.claim", {}, { claim: new URL(link).hash.replace("#claim=", "") });
    const partner = { authorization: `Bearer ${(claimed.body as { token: string }).token}` };
    const seen = [
      await at("/__sandbox/credentials.list", partner, { world: "acme", reveal: true }),
      await at("/__sandbox/clients.list", partner, { world: "acme", reveal: true }),
      await at("/__sandbox/service.info", partner, { world: "acme" }),
    ];
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200]);
    const shown = JSON.stringify(seen);
    for (const secret of [
      ...Object.values(own.credentials).flatMap(({ api_key, webhook_secret }) => [api_key, webhook_secret]),
      ...Object.values(own.clients).map(({ client_secret }) => client_secret),
      service.folder,
    ])
      expect(shown).not.toContain(secret);
    const { api_key, integration_id } = own.credentials.repairer;
    const operators = { authorization: `Bearer ${api_key}`, "service-integration-id": integration_id };
    const inAcme = { ...operators, "x-sandbox-tenant": "acme" };
    expect((await at("/api/2026-01/businesses.list", inAcme, {})).status).toBe(401);
    expect((await at("/api/2026-01/businesses.list", operators, {})).status).toBe(200);
    for (const world of ["default", "elsewhere"])
      expect((await at("/__sandbox/jobs.list", partner, { world })).status).toBe(403);
  });

  test("D21: codes are sent only to the client's registered addresses", async () => {
    const ask = (redirect_uri: string) =>
      fetch(
        `http://127.0.0.1:${service.port}/__oauth/authorize?${new URLSearchParams({ client_id: "partner-app", redirect_uri })}`,
      );
    expect((await ask("https://partner.example.com/callback")).status).toBe(200);
    for (const other of ["https://partner.example.com/other", "http://127.0.0.1:5173/", "https://evil.example/"])
      expect((await ask(other)).status).toBe(400);
  });
});

describe("starting a deployed service", () => {
  const refused = async (args: string[], sentence: RegExp): Promise<void> => {
    const ended = await new CommandProcess([
      "--port",
      "0",
      "--memory",
      "--log",
      "silent",
      "--mode",
      "deployed",
      ...args,
    ]).ended;
    expect(ended).toMatchObject({ status: 2, stdout: "", stderr: expect.stringMatching(sentence) });
  };

  test("needs a public address and own credentials, and refuses the documented ones", async () => {
    await refused([], /needs --public-url and --credentials\./);
    await refused(["--public-url", PUBLIC], /needs --credentials\./);
    await refused(["--credentials", fileOf(own)], /needs --public-url\./);
    await refused(["--public-url", "http://sandbox.example.com", "--credentials", fileOf(own)], /https address/);
    await refused(["--public-url", PUBLIC, "--credentials", "/does/not/exist"], /cannot be used/);
    await refused(["--public-url", PUBLIC, "--credentials", fileOf("{")], /cannot be used/);
    await refused(
      [
        "--public-url",
        PUBLIC,
        "--credentials",
        fileOf({
          ...own,
          credentials: { ...own.credentials, supplier: { ...own.credentials.supplier, api_key: supplier.api_key } },
        }),
      ],
      /documented demo value/,
    );
  }, 20_000);
});
