import fs from "node:fs";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectionLimits, defaultQuotas } from "../config.ts";
import { activityStrays } from "../contract/control/activity-operations.ts";
import {
  accessCodesIssue,
  organizationsList,
  requestsList,
  subscriptionsList,
  uploadsList,
} from "../contract/control/operations.ts";
import { tokensCreate } from "../contract/control/service-operations.ts";
import { policiesSet, worldsList } from "../contract/control/world-operations.ts";
import { fixedClients } from "../contract/demo-values.ts";
import { drillNames } from "../contract/drill-names.ts";
import { businessesList, integrationsInsert, uploadsPrepare } from "../contract/operations/partner.ts";
import { UNUSED_ID } from "../contract/values.ts";
import { controlHandlers } from "../control/registry.ts";
import { credentialHeaders, repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.end());

const as = (tenant: string) => ({ "x-sandbox-tenant": tenant });
const worlds = async (): Promise<string[]> => (await service.control(worldsList, {})).items.map(({ name }) => name);
const files = (): string[] =>
  fs.readdirSync(path.join(service.folder, "worlds")).filter((name) => !name.startsWith("w-default."));
const stranger = { api_key: "sbx_wrong", integration_id: repairer.integration_id };
const json = { "content-type": "application/json" };
const subscribe = (tenant: string, body: object) =>
  service.raw("/__webhooks/subscribe", { headers: { ...json, ...as(tenant) }, body: JSON.stringify(body) });
const { client_id, client_secret } = fixedClients.demo;

test("D85: a stranger's calls to an unknown world get the responses of a new one, and leave nothing", async () => {
  const install = (changes: object) =>
    service.call(integrationsInsert, { client_id, client_secret, access_code: "none", ...changes }, undefined, as("a"));
  expect(
    [
      await service.call(businessesList, {}, stranger, as("b")),
      await install({}),
      await install({ client_secret: "wrong" }),
      await install({ client_id: "nobody" }),
      await install({ client_id: fixedClients.no_oauth.client_id }),
      await subscribe("c", { integration_id: repairer.integration_id, url: "https://example.com/" }),
      await subscribe("d", { url: "http://127.0.0.1/" }),
      await service.raw("/__webhooks/secret", { headers: as("e") }),
      await service.raw("/__webhooks/sink", { headers: as("f") }),
      await service.raw("/__health", { method: "GET", headers: as("g") }),
      await service.raw("/openapi.json", { method: "GET", headers: as("h") }),
      await service.raw(`/__oauth/authorize?client_id=${client_id}&redirect_uri=http://127.0.0.1/&world=i`, {
        method: "GET",
      }),
      await service.raw("/__oauth/authorize?client_id=nobody", { method: "GET", headers: as("j") }),
    ].map(({ status }) => status),
  ).toEqual([401, 401, 401, 404, 403, 400, 400, 401, 401, 200, 200, 200, 400]);
  expect([await worlds(), files()]).toEqual([["default"], []]);
});

test("D85: reading an unknown world gets 404 with similar names and creates nothing; writing creates it", async () => {
  await service.ok(businessesList, {}, repairer, as("team-blue"));
  const token = { authorization: `Bearer ${service.ready.control_token}` };
  const reads = controlHandlers
    .filter(({ operation }) => operation.effect === "read")
    .map(({ operation }) => operation.id);
  for (const id of reads) await service.post(`/__sandbox/${id}`, { world: "team-bleu", id: UNUSED_ID }, token);
  expect(await service.post("/__sandbox/requests.list", { world: "team-bleu" }, token)).toMatchObject({
    status: 404,
    body: { type: "no_such_world", message: "World team-bleu doesn’t exist. Did you mean team-blue?" },
  });
  expect(await service.post("/__sandbox/snapshots.list", { world: "team-bleu" }, token)).toMatchObject({
    status: 404,
    body: { type: "no_such_world", message: "World team-bleu doesn’t exist. Did you mean team-blue?" },
  });
  const live = await fetch(`${service.baseUrl}/__sandbox/live?world=team-bleu`, { headers: token });
  expect([live.status, await live.json()]).toMatchObject([404, { type: "no_such_world" }]);
  expect((await worlds()).toSorted()).toEqual(["default", "team-blue"]);
  await service.control(policiesSet, { world: "made", policies: {} });
  expect((await service.control(requestsList, { world: "made" })).items).toEqual([]);
});

test("D85: a refused control operation creates no world; naming an ID in an unknown one gets 404 with similar names", async () => {
  await service.make("team-blue");
  const token = { authorization: `Bearer ${service.ready.control_token}` };
  const [integration, organization] = [{ integration_id: UNUSED_ID }, { organization_id: UNUSED_ID }];
  const error = { effect: { error: {} } };
  const refused: Readonly<Record<string, object>> = {
    "retention.set": {},
    "access-codes.issue": { client_id: "nobody", ...organization, scope: "repairer" },
    "faults.set": { ...integration, ...error },
    "faults.clear": { id: UNUSED_ID },
    "counterparts.set": { rules: [{ ...organization, does: "confirm", after_seconds: 0 }] },
    "counterparts.now": { id: "99" },
    "plans.set": { client_id: "nobody", plan: { name: "A", requires: [{ kind: "event", name: "repairer.jobs" }] } },
    "requests.annotate": { id: UNUSED_ID, pinned: true },
    "receivers.create": { ...integration, behaviour: {} },
    "receivers.set": { id: UNUSED_ID, behaviour: {} },
    "receivers.delete": { id: UNUSED_ID },
    "subscriptions.delete": { id: UNUSED_ID },
    "subscriptions.pause": { id: UNUSED_ID },
    "subscriptions.resume": { id: UNUSED_ID },
    "subscriptions.send-test": { id: UNUSED_ID },
    "deliveries.redeliver": { id: UNUSED_ID },
    "deliveries.send-drill": { id: UNUSED_ID, drill: drillNames[0] },
    "drills.run-all": { subscription_id: UNUSED_ID },
    "evidence.revoke": { id: UNUSED_ID, reason: "A test." },
    "snapshots.save": { name: "no name" },
    "snapshots.restore": { name: "none" },
    "snapshots.delete": { name: "none" },
    "requests.replay": { id: UNUSED_ID },
    "worlds.copy": { to: "copied" },
    "worlds.branch": { to: "branched", request_id: UNUSED_ID },
    "tokens.create": { name: "A", scope: "view" },
    "tokens.invite": { name: "A", scope: "view", from: { world: "nowhere" } },
  };
  // They find what outlives its world, or what another world has.
  const elsewhere = new Set(["evidence.revoke", "snapshots.restore", "snapshots.delete", "tokens.invite"]);
  for (const [id, body] of Object.entries(refused)) {
    const answer = await service.post(`/__sandbox/${id}`, { world: "team-bleu", ...body }, token);
    expect([id, answer.status >= 400 && answer.status < 500]).toEqual([id, true]);
    if (answer.status === 404 && !elsewhere.has(id)) expect(answer.text, id).toContain("Did you mean team-blue?");
    expect(answer.text, id).not.toMatch(/"\/\w+ is required|must have|not a known field/);
    expect([id, (await worlds()).toSorted()]).toEqual([id, ["default", "team-blue"]]);
  }
  expect(files().every((name) => name.startsWith("w-team-blue."))).toBe(true);
});

test("D85: a refused replay doesn't create its target world", async () => {
  const token = { authorization: `Bearer ${service.ready.control_token}` };
  const { headers } = await service.raw("/api/2026-01/businesses.list", { headers: credentialHeaders(repairer) });
  const asked = { id: headers.get("x-request-id"), to: "elsewhere", integration_id: UNUSED_ID };
  expect(await service.post("/__sandbox/requests.replay", asked, token)).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining("isn’t an integration of world elsewhere") },
  });
  expect(await worlds()).toEqual(["default"]);
  expect(await service.post("/__sandbox/requests.replay", { ...asked, integration_id: null }, token)).toMatchObject({
    status: 200,
    body: { world: "elsewhere", status: 401 },
  });
});

test("D85: an upload address creates no world, whatever world it names", async () => {
  const { upload_url } = await service.ok(
    uploadsPrepare,
    { file_name: "a.png", media_type: "image", type: "job_media" },
    repairer,
  );
  const address = new URL(upload_url);
  address.searchParams.set("world", "elsewhere");
  const answer = await service.raw(address.pathname + address.search, { method: "PUT", body: "x" });
  expect([answer.status, await worlds()]).toEqual([404, ["default"]]);
  expect((await service.control(uploadsList, {})).items.length).toBe(1);
});

test("D85: a call with credentials, an accepted subscription and the control plane create a world", async () => {
  await service.ok(businessesList, {}, supplier, as("credentialed"));
  expect(
    (await subscribe("subscribed", { integration_id: repairer.integration_id, url: "http://127.0.0.1/" })).status,
  ).toBe(200);
  expect((await service.raw("/__webhooks/secret", { headers: { ...as("secret"), ...repairerHeaders } })).status).toBe(
    200,
  );
  const organization_id =
    (await service.control(organizationsList, {})).items.find(({ scope }) => scope === "repairer")?.id ?? "";
  await service.control(accessCodesIssue, { world: "controlled", client_id, organization_id, scope: "repairer" });
  expect((await worlds()).toSorted()).toEqual(["controlled", "credentialed", "default", "secret", "subscribed"]);
});

const repairerHeaders = {
  authorization: `Bearer ${repairer.api_key}`,
  "service-integration-id": repairer.integration_id,
};

test("D85: above the limit of worlds another is refused, and existing ones continue", async () => {
  const { folder } = service;
  await service.stop();
  service = await startTestService(folder, { quotas: { ...defaultQuotas, worlds: 2 } });
  await service.ok(businessesList, {}, repairer, as("a"));
  const refused = { status: 503, body: { type: "too_many_worlds", message: expect.stringContaining("2 worlds") } };
  expect(await service.call(businessesList, {}, repairer, as("b"))).toMatchObject(refused);
  const [kept] = (await service.control(activityStrays, {})).items;
  expect(kept).toMatchObject({
    world: "b",
    operation: businessesList.id,
    status: 503,
    reason: expect.stringContaining("2 worlds"),
  });
  expect((await service.call(businessesList, {}, stranger, as("b"))).status).toBe(401);
  for (const world of ["a", "default"]) await service.ok(businessesList, {}, repairer, as(world));
  expect((await worlds()).toSorted()).toEqual(["a", "default"]);
});

/** Opens a control-plane stream. @returns a function that closes it */
const opened = async (token: string, address: string) => {
  const abort = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${service.baseUrl}/__sandbox/${address}`, { headers, signal: abort.signal });
  const refused = response.ok ? null : ((await response.json()) as { type: string; message: string });
  return { status: response.status, refused, close: () => abort.abort() };
};

test("D86: a token has at most 20 live feeds and listen streams, without affecting others", async () => {
  await service.make("acme");
  const create = (name: string) => service.control(tokensCreate, { world: "acme", name, scope: "act" });
  const [{ token }, { token: other }] = [await create("one"), await create("other")];
  const feeds: Awaited<ReturnType<typeof opened>>[] = [];
  for (let count = 0; count < 19; count += 1) feeds.push(await opened(token, "live?world=acme"));
  feeds.push(await opened(token, "listen?world=acme&name=one"));
  expect(feeds.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  for (const further of ["live?world=acme", "listen?world=acme&name=two"])
    expect(await opened(token, further)).toMatchObject({
      status: 429,
      refused: {
        type: "rate_limited",
        message: expect.stringMatching(/20 live feeds open, the limit\. Close a window/),
      },
    });
  const { items } = await service.control(subscriptionsList, { world: "acme" });
  expect(items.some(({ url }) => url.includes("two"))).toBe(false);
  for (const free of [other, service.ready.control_token])
    expect((await opened(free, "live?world=acme")).status).toBe(200);
  feeds[0]?.close();
  await expect.poll(async () => (await opened(token, "live?world=acme")).status).toBe(200);
});

test("D86: all live feeds together leave connections for calls", async () => {
  const { folder } = service;
  await service.stop();
  service = await startTestService(folder, { limits: { streams: 2 } });
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await opened(service.ready.control_token, "live")).status);
  expect(statuses).toEqual([200, 200, 429]);
  expect(connectionLimits.streams).toBeLessThan(connectionLimits.connections / 2);
  await service.ok(businessesList, {}, repairer);
});

test("a stranger's call can't delay others, whatever it contains", async () => {
  const queries = ["?", "&", "&key=", "?token=", "signature=", "isk_", "=", "%3F"].map((piece) =>
    piece.repeat(15_000 / piece.length),
  );
  const bodies = [`[${'"",'.repeat(349_000)}""]`, `{"a":[${'"",'.repeat(349_000)}""]}`, " ".repeat(1_000_000)];
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  await Promise.all([
    ...queries.flatMap((query) => [
      service.raw(`/api/2026-01/businesses.list?${query}`),
      service.raw(`/nowhere?${query}`, { headers: { "x-note": query } }),
    ]),
    ...bodies.map((body) => service.raw("/api/2026-01/integrations.insert", { body, headers: json })),
  ]);
  await service.control(requestsList, {});
  lag.disable();
  expect(lag.max / 1e6).toBeLessThan(2_000);
  const { items } = await service.control(requestsList, { limit: 50 });
  expect(Math.max(...items.map(({ path }) => path.length))).toBeLessThanOrEqual(2_049);
});
