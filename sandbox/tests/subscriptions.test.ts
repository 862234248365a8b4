import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultQuotas } from "../config.ts";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import {
  accessCodesIssue,
  credentialsList,
  deliveriesList,
  organizationsList,
  requestsList,
  subscriptionsList,
} from "../contract/control/operations.ts";
import { receiversCreate } from "../contract/control/receiver-operations.ts";
import { tokensInvite } from "../contract/control/service-operations.ts";
import { policiesGet, policiesSet, worldsReset } from "../contract/control/world-operations.ts";
import { fixedCredentials } from "../contract/demo-values.ts";
import { integrationsInsert, jobsInsert } from "../contract/operations/partner.ts";
import {
  credentialHeaders,
  repairer,
  startTestService,
  supplier,
  type TestCredential,
  type TestService,
} from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const ADDRESS = "/__webhooks/subscribe";
const { integration_id } = repairer;
const subscribe = (body: unknown, headers: Record<string, string> = {}) => service.post(ADDRESS, body, headers);
const refusal = (reason: string) => ({ status: 400, body: { ok: false, reason } });
const answerOf = async (body: unknown, headers: Record<string, string> = {}) => {
  const answer = await subscribe(body, headers);
  return { status: answer.status, body: answer.body };
};

describe("a subscription on a local server", () => {
  test.each([
    "http://localhost/hooks",
    "https://localhost:8443/hooks",
    "http://127.0.0.1:9/",
    "https://127.0.0.1/",
    "http://[::1]:9/hooks?a=b",
    "https://[::1]/",
    "http://0.0.0.0:9/",
    "https://0.0.0.0/",
  ])("to %s is accepted without credentials", async (url) => {
    expect(await answerOf({ integration_id, url })).toEqual({ status: 200, body: { ok: true } });
  });

  test.each([
    "https://hooks.example.com/",
    "http://10.0.0.1/",
    "http://192.168.1.1/",
    "http://169.254.169.254/latest",
    "http://localhost.example.com/",
    "http://127.0.0.1.example.com/",
    "http://user:secret@127.0.0.1/",
    "http://127.0.0.1:0/",
    "ftp://localhost/",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "localhost",
    "/hooks",
    "not a url",
    "",
    `http://localhost/${"x".repeat(2048)}`,
  ])("D76: to %j is refused as url_not_loopback", async (url) => {
    expect(await answerOf({ integration_id, url })).toEqual(refusal("url_not_loopback"));
  });

  test.each([
    [{}],
    [{ integration_id }],
    [{ url: "http://localhost/" }],
    [{ integration_id: null, url: "http://localhost/" }],
    [{ integration_id, url: null }],
    [{ integration_id, url: 5 }],
    [{ integration_id: "1234", url: "http://localhost/" }],
    [{ integration_id: `${integration_id}0`, url: "http://localhost/" }],
    [{ integration_id: "no", url: "not a url either" }],
  ])("D76: with %j lacks a field", async (body) => {
    expect(await answerOf(body)).toEqual(refusal("missing_field"));
  });

  test.each(["{", "[]", "null", '"x"', "1", "integration_id=x&url=y", new Uint8Array([0xff, 0xfe])])(
    "with the body %j is unreadable",
    async (body) => {
      for (const type of ["application/json", "text/plain"])
        expect(await service.raw(ADDRESS, { headers: { "content-type": type }, body })).toMatchObject(
          refusal("bad_body"),
        );
    },
  );

  test("D4: in JSON under another type is refused for the type", async () => {
    const headers = { "content-type": "text/plain" };
    const answer = await service.raw(ADDRESS, { headers, body: JSON.stringify({ integration_id }) });
    expect(answer).toMatchObject({ status: 415, body: { type: "unsupported_media_type" } });
  });

  test("with an empty body lacks its fields", async () => {
    expect(await service.raw(ADDRESS, { body: "" })).toMatchObject(refusal("missing_field"));
  });

  test("D71: to the same url again changes nothing, to another adds one", async () => {
    const world = "again";
    const tenant = { "x-sandbox-tenant": world };
    const asked = { integration_id: supplier.integration_id.toUpperCase() };
    for (const url of ["http://localhost:1/a", "http://localhost:1/a", "http://localhost:1/b", "http://localhost:1/a"])
      expect(await answerOf({ ...asked, url }, tenant)).toEqual({ status: 200, body: { ok: true } });
    const { items } = await service.control(subscriptionsList, { world });
    expect(items.map((one) => one.integration_id)).toEqual([supplier.integration_id, supplier.integration_id]);
  });

  test("is recorded with its side, even without credentials", async () => {
    await subscribe({ integration_id: supplier.integration_id, url: "http://127.0.0.1:9/whose" });
    const { items } = await service.control(requestsList, { limit: 1 });
    expect(items).toMatchObject([{ operation: "webhooks.subscribe", outcome: "supplier subscribed", side: null }]);
  });

  test("isn't created by a refused call", async () => {
    const before = (await service.control(subscriptionsList, {})).items.length;
    await subscribe({ integration_id, url: "http://10.0.0.1/" });
    await subscribe({ integration_id: "1", url: "http://localhost/refused" });
    expect((await service.control(subscriptionsList, {})).items).toHaveLength(before);
  });

  test("exists only in the given world", async () => {
    const receiver = await RecordingReceiver.start();
    const team = { "x-sandbox-tenant": "team" };
    expect((await subscribe({ integration_id, url: receiver.url }, team)).status).toBe(200);
    const site = await ownSite(service);
    const job = (external: string) => ({ identity: { external }, repairer_site_id: site });
    await service.ok(jobsInsert, job("in default"), repairer);
    const mine = await service.ok(jobsInsert, job("in team"), repairer, team);
    const [received] = await receiver.waitFor(1);
    expect(received?.envelope.payload).toEqual({ job_id: mine.id, change_action: "inserted" });
    expect(receiver.received).toHaveLength(1);
    await receiver.stop();
  });
});

describe("D76: in a world with its own keys, such as one with an invited partner", () => {
  let worlds = 0;
  let world = "";
  let tenant: Record<string, string> = {};
  const url = "https://127.0.0.1:8443/hooks";
  const keyOf = async (side: string) => {
    const { items } = await service.control(credentialsList, { world, reveal: true });
    const { api_key = "", integration_id } = items.find(({ scope }) => scope === side) ?? { integration_id: "" };
    return { api_key, integration_id };
  };
  const answered = async (credential: TestCredential | null, body: unknown) => {
    const headers = { ...tenant, ...(credential ? credentialHeaders(credential) : {}) };
    const { status, body: answer } = await subscribe(body, headers);
    return [status, answer];
  };
  const unauthorized = [401, { ok: false, reason: "unauthorized" }];
  const accepted = [200, { ok: true }];
  beforeEach(async () => {
    worlds += 1;
    world = `partner-${worlds}`;
    tenant = { "x-sandbox-tenant": world };
    await service.control(tokensInvite, { world, name: "Partner", scope: "manage" });
  });

  test("a stranger can't subscribe with any body, and a key only its own integration", async () => {
    const [own, other] = [await keyOf("repairer"), await keyOf("supplier")];
    const asked = { integration_id: own.integration_id, url };
    for (const nobody of [null, repairer, { ...own, api_key: other.api_key }, { ...own, api_key: "" }])
      for (const body of [asked, {}, []]) expect(await answered(nobody, body)).toEqual(unauthorized);
    const refused = await subscribe(asked, tenant);
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
    expect(await answered(other, asked)).toEqual(unauthorized);
    expect((await service.control(subscriptionsList, { world })).items).toEqual([]);
    expect(await answered(own, {})).toEqual([400, { ok: false, reason: "missing_field" }]);
    expect(await answered(own, asked)).toEqual(accepted);
    expect((await service.control(subscriptionsList, { world })).items).toMatchObject([asked]);
  });

  test("a refusal is recorded with its reason", async () => {
    const [own, other] = [await keyOf("repairer"), await keyOf("supplier")];
    const body = { integration_id: own.integration_id, url };
    const explained = async (credential: TestCredential | null) => {
      await answered(credential, body);
      const { items } = await service.control(requestsList, { world, limit: 1 });
      const { refusal, checks } = await service.control(requestsExplain, { world, id: items[0]?.id ?? "" });
      return [refusal?.cause, checks.find(({ verdict }) => verdict === "refused")?.check];
    };
    expect(await explained(null)).toEqual(["subscription_credentials", "credentials"]);
    expect(await explained(repairer)).toEqual(["credentials", "credentials"]);
    expect(await explained(other)).toEqual(["subscription_of_another", "rules"]);
  });

  test("a reset keeps the requirement, the setting disables it, and other worlds can enable it", async () => {
    await service.control(worldsReset, { world });
    const own = await keyOf("repairer");
    const asked = { integration_id: own.integration_id, url };
    expect(await answered(null, asked)).toEqual(unauthorized);
    const { own_keys, policies } = await service.control(policiesGet, { world });
    expect([own_keys, policies.subscribe_credentials]).toEqual([true, "own_keys"]);
    await service.control(policiesSet, { world, policies: { subscribe_credentials: "optional" } });
    expect(await answered(null, asked)).toEqual(accepted);

    expect((await service.control(policiesGet, {})).own_keys).toBe(false);
    const elsewhere = { "x-sandbox-tenant": "careful" };
    expect(await subscribe({ integration_id, url }, elsewhere)).toMatchObject({ status: 200 });
    await service.control(policiesSet, { world: "careful", policies: { subscribe_credentials: "required" } });
    expect(await subscribe({ integration_id, url }, elsewhere)).toMatchObject({ status: 401 });
    const shown = { ...elsewhere, ...credentialHeaders(repairer) };
    expect(await subscribe({ integration_id, url }, shown)).toMatchObject({ status: 200 });
  });
});

test("a refused call notifies no one", async () => {
  const receiver = await RecordingReceiver.start();
  const team = { "x-sandbox-tenant": "refused" };
  await subscribe({ integration_id, url: receiver.url }, team);
  const job = { identity: { external: "refused" }, repairer_site_id: await ownSite(service, team) };
  const inserted = await service.ok(jobsInsert, job, repairer, team);
  expect((await service.call(jobsInsert, job, repairer, team)).status).toBe(422);
  await receiver.waitFor(1);
  const { items } = await service.control(deliveriesList, { world: "refused" });
  expect(items).toHaveLength(1);
  expect(receiver.received.map((one) => one.envelope.payload)).toEqual([
    { job_id: inserted.id, change_action: "inserted" },
  ]);
  await receiver.stop();
});

describe("D26: the webhook secret", () => {
  const ask = (headers: Record<string, string>) => service.post("/__webhooks/secret", {}, headers);

  test("D3, D4: is returned for a JSON object or an empty body", async () => {
    const send = async (body: string, type = "application/json", credentials = credentialHeaders(repairer)) => {
      const headers = { ...credentials, "content-type": type };
      const response = await fetch(`${service.baseUrl}/__webhooks/secret`, { method: "POST", headers, body });
      return [response.status, ((await response.json()) as { readonly type?: string }).type];
    };
    for (const body of ["", "{}", '{"more":1}']) expect(await send(body), body).toEqual([200, undefined]);
    for (const body of ["{", "[]", "null", '"text"']) expect(await send(body), body).toEqual([400, "bad_request"]);
    expect(await send("a=b", "text/plain")).toEqual([415, "unsupported_media_type"]);
    // D2: callers without credentials learn nothing about bodies.
    expect(await send("{", "text/plain", {})).toEqual([401, "unauthorized"]);
  });

  test("is returned only for the right credential", async () => {
    for (const side of ["repairer", "supplier"] as const) {
      const { integration_id: id, webhook_secret: secret } = fixedCredentials[side];
      const headers = credentialHeaders(fixedCredentials[side]);
      expect(await ask(headers)).toMatchObject({ status: 200, body: { integration_id: id, secret } });
    }
    const mixed = { ...credentialHeaders(repairer), "service-integration-id": supplier.integration_id };
    for (const headers of [{}, { authorization: `Bearer ${repairer.api_key}` }, mixed] as Record<string, string>[]) {
      const answer = await ask(headers);
      expect([answer.status, answer.body, answer.headers.get("www-authenticate")]).toEqual([
        401,
        { type: "unauthorized" },
        "Bearer",
      ]);
    }
  });

  test("D20: is unique for each integration, pwh_ and 43 characters", async () => {
    const { client_id, client_secret } = service.ready.clients?.demo ?? { client_id: "", client_secret: "" };
    const [organization] = (await service.control(organizationsList, {})).items;
    const secrets = new Set<string>([
      fixedCredentials.repairer.webhook_secret,
      fixedCredentials.supplier.webhook_secret,
    ]);
    for (let count = 0; count < 3; count += 1) {
      const { access_code } = await service.control(accessCodesIssue, {
        client_id,
        organization_id: organization?.id ?? "",
        scope: "repairer",
      });
      const installed = await service.ok(integrationsInsert, { access_code, client_id, client_secret });
      expect(installed.api_key).toMatch(/^isk_[0-9a-f]{32}$/);
      secrets.add(((await ask(credentialHeaders(installed))).body as { secret: string }).secret);
    }
    expect(secrets.size).toBe(5);
    for (const secret of secrets) expect(secret).toMatch(/^pwh_[A-Za-z0-9_-]{43}$/);
    for (const { api_key } of [repairer, supplier]) expect(api_key).toMatch(/^sbx_[0-9a-f]{32}$/);
  });
});

test("D86: a world has a limited number of subscriptions, for any integrations", async () => {
  const small = await startTestService(undefined, { quotas: { ...defaultQuotas, worldSubscriptions: 2 } });
  try {
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      const asked = { integration_id: randomUUID(), url: "http://127.0.0.1:9/" };
      const answer = await small.post("/__webhooks/subscribe", asked);
      statuses.push(answer.status);
      if (count === 2) expect(answer.body).toEqual({ ok: false, reason: "too_many_subscriptions" });
    }
    expect(statuses).toEqual([200, 200, 400]);
  } finally {
    await small.end();
  }
});

test("D86: an integration has at most 32 subscriptions in each world, and a repeated url doesn't count", async () => {
  const tenant = { "x-sandbox-tenant": "crowded" };
  const url = (count: number) => `http://127.0.0.1:9/${count}`;
  for (let count = 0; count < 32; count += 1)
    expect((await subscribe({ integration_id, url: url(count) }, tenant)).status).toBe(200);
  expect(await subscribe({ integration_id, url: url(32) }, tenant)).toMatchObject(refusal("too_many_subscriptions"));
  expect((await subscribe({ integration_id, url: url(0) }, tenant)).status).toBe(200);
  expect((await subscribe({ integration_id: supplier.integration_id, url: url(32) }, tenant)).status).toBe(200);
  const { control_token } = service.ready;
  const receiver = await service.call(receiversCreate, { world: "crowded", integration_id }, undefined, {
    authorization: `Bearer ${control_token}`,
  });
  expect(receiver.status).toBe(400);
  const { items } = await service.control(subscriptionsList, { world: "crowded" });
  expect(items.filter((one) => one.integration_id === integration_id)).toHaveLength(32);
});
