import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { faultsList, faultsSet } from "../contract/control/fault-operations.ts";
import {
  accessCodesIssue,
  clientsList,
  credentialsList,
  deliveriesList,
  jobsList,
  organizationsList,
  procurementsList,
  requestsList,
  subscriptionsDelete,
  subscriptionsList,
} from "../contract/control/operations.ts";
import { receiversCreate, receiversList, subscriptionsPause } from "../contract/control/receiver-operations.ts";
import { tokensCreate } from "../contract/control/service-operations.ts";
import { snapshotsExport, snapshotsSave } from "../contract/control/snapshot-operations.ts";
import {
  clockAdvance,
  clockGet,
  clockReset,
  policiesSet,
  retentionGet,
  retentionSet,
  workCancel,
  workList,
  worldsBranch,
  worldsCopy,
  worldsDelete,
  worldsList,
} from "../contract/control/world-operations.ts";
import { fixedClients } from "../contract/demo-values.ts";
import { type Operation, operationPath, type RequestOf, type ResponseOf } from "../contract/operation.ts";
import {
  integrationsInsert,
  jobsGet,
  jobsInsert,
  procurementsCancel,
  repairerProcurementsGet,
  supplierProcurementsConfirm,
  uploadsPrepare,
} from "../contract/operations/partner.ts";
import { startService } from "../service.ts";
import {
  credentialHeaders,
  repairer,
  startTestService,
  supplier,
  type TestCredential,
  TestService,
  testConfig,
} from "../testing/harness.ts";
import { ownSite, placeOrder } from "../testing/order.ts";
import { ownCredentials, PUBLIC_URL, post } from "../testing/people-service.ts";
import { serveCommand } from "../testing/process.ts";

const POLLING = { timeout: 20_000 };
vi.setConfig({ testTimeout: 60_000 });

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const PNG = new Uint8Array(Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex"));
const as = (world: string) => ({ "x-sandbox-tenant": world });
const idOf = (answer: { readonly headers: Headers }): string => answer.headers.get("x-request-id") ?? "";
const tokenOf = (of = service) => ({ authorization: `Bearer ${of.ready.control_token}` });
const branch = (asked: RequestOf<typeof worldsBranch>) => service.control(worldsBranch, asked);
const refused = async (asked: RequestOf<typeof worldsBranch>, token = tokenOf()) => {
  const { status, body } = await service.call(worldsBranch, asked, undefined, token);
  return [status, (body as { readonly message?: string }).message];
};
const namesOf = async (of = service) => (await of.control(worldsList, {})).items.map(({ name }) => name);
const insert = async (world: string, external: string, by = repairer) =>
  service.call(
    jobsInsert,
    { identity: { external }, repairer_site_id: await ownSite(service, as(world)) },
    by,
    as(world),
  );
/** A world as the control plane exports it, without the time of the export. */
const shown = async (world: string): Promise<string> => {
  const { document } = await service.control(snapshotsExport, { world });
  return JSON.stringify({ ...document, exported_at: null });
};

/** A partner's server. @returns the received bodies, which grow */
const listening = async (): Promise<{ readonly url: string; readonly bodies: string[] }> => {
  const bodies: string[] = [];
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      bodies.push(body);
      response.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, bodies };
};

test("a confirmed order can be refused or cancelled instead, with the same IDs and without sending twice", async () => {
  const world = "shop";
  const partner = await listening();
  await service.post("/__webhooks/subscribe", { integration_id: repairer.integration_id, url: partner.url }, as(world));
  const [subscription] = (await service.control(subscriptionsList, { world })).items;
  const { id, job_id } = await placeOrder(service, "damaged", as(world));
  const confirmed = await service.call(supplierProcurementsConfirm, { identity: { id } }, supplier, as(world));
  await expect
    .poll(async () => (await service.control(deliveriesList, { world, status: "pending" })).total, POLLING)
    .toBe(0);
  const [before, sent] = [await shown(world), partner.bodies.length];
  expect(sent).toBeGreaterThan(0);

  const made = await branch({ world, request_id: idOf(confirmed), to: "otherwise" });
  expect(made).toMatchObject({
    ...{ name: "otherwise", from_snapshot: null, replayed: 4, differing: 0, first_difference: null, notes: [] },
  });
  const [order] = (await service.control(procurementsList, { world: "otherwise", job_id })).items;
  expect(order).toMatchObject({ id, status: "order_requested" });
  expect((await service.control(deliveriesList, { world: "otherwise" })).total).toBe(0);
  expect((await service.control(subscriptionsList, { world: "otherwise" })).items).toMatchObject([
    { id: subscription?.id, url: partner.url, paused_at: null },
  ]);
  expect(partner.bodies).toHaveLength(sent);

  const there = as("otherwise");
  await service.ok(procurementsCancel, { identity: { id } }, repairer, there);
  expect((await service.call(supplierProcurementsConfirm, { identity: { id } }, supplier, there)).status).toBe(422);
  expect((await service.ok(repairerProcurementsGet, { identity: { id } }, repairer, there)).status).toBe("cancelled");
  expect(await shown(world)).toBe(before);
  // From here on it is an ordinary world.
  await insert("otherwise", "sent");
  await expect.poll(() => partner.bodies.length, POLLING).toBeGreaterThan(sent);
  await expect
    .poll(
      async () => (await service.control(deliveriesList, { world: "otherwise", status: "delivered" })).total,
      POLLING,
    )
    .toBeGreaterThan(0);
  expect(await namesOf()).toEqual(expect.arrayContaining([world, "otherwise"]));
});

test("starts from the nearest snapshot, and later integrations keep their keys", async () => {
  const world = "installed";
  await insert(world, "first");
  await service.control(snapshotsSave, { world, name: "near" });
  const organizations = (await service.control(organizationsList, { world })).items;
  const organization_id = organizations.find(({ scope }) => scope === "repairer")?.id ?? "";
  const { client_id, client_secret } = fixedClients.demo;
  const asked = { world, client_id, organization_id, scope: "repairer" } as const;
  const { access_code } = await service.control(accessCodesIssue, asked);
  const installed = await service.ok(
    integrationsInsert,
    { client_id, client_secret, access_code },
    undefined,
    as(world),
  );
  const mine = await insert(world, "mine", installed);
  const later = await insert(world, "later", installed);
  const made = await branch({ world, request_id: idOf(later), to: "installed-2" });
  expect(made).toMatchObject({ from_snapshot: "near", replayed: 2, differing: 0, notes: [] });
  const job = await service.ok(jobsGet, { identity: { external: "mine" } }, installed, as("installed-2"));
  expect(job.id).toBe(mine.body.id);
  expect(await service.call(jobsGet, { identity: { external: "later" } }, installed, as("installed-2"))).toMatchObject({
    status: 404,
  });
  const again = await branch({ world: "installed-2", request_id: await newestOf("installed-2"), to: "installed-3" });
  expect(again).toMatchObject({ name: "installed-3", differing: 0 });
});

const newestOf = async (world: string): Promise<string> =>
  (await service.control(requestsList, { world, limit: 1 })).items[0]?.id ?? "";

test("recreates built-in receivers, keeps paused subscriptions paused, and shares pictures", async () => {
  const world = "around";
  const partner = await listening();
  await service.control(receiversCreate, { world, integration_id: repairer.integration_id });
  await service.post("/__webhooks/subscribe", { integration_id: repairer.integration_id, url: partner.url }, as(world));
  const asked = { file_name: "a.png", media_type: "image", type: "job_media" } as const;
  const { upload_url, public_url } = await service.ok(uploadsPrepare, asked, repairer, as(world));
  const to = new URL(upload_url);
  expect((await service.raw(to.pathname + to.search, { method: "PUT", body: PNG })).status).toBe(200);
  const mine = (await service.control(subscriptionsList, { world })).items.find(({ url }) => url === partner.url);
  await service.control(subscriptionsPause, { world, id: mine?.id ?? "" });
  const last = await insert(world, "last");
  const made = await branch({ world, request_id: idOf(last), to: "around-2" });
  expect(made).toMatchObject({ replayed: 2, differing: 0, notes: [] });
  const { items } = await service.control(subscriptionsList, { world: "around-2" });
  expect(items.map(({ url, paused_at }) => [url === partner.url, paused_at !== null])).toEqual([
    [false, false],
    [true, true],
  ]);
  expect((await service.control(receiversList, { world: "around-2" })).items).toHaveLength(1);
  const again = await service.raw(to.pathname + to.search, { method: "PUT", body: PNG });
  expect(again.status).not.toBe(200);
  await service.control(worldsDelete, { world });
  expect((await service.raw(new URL(public_url ?? "").pathname, { method: "GET" })).status).toBe(200);
});

test("restores a subscription deleted before the call, paused, with a note", async () => {
  const world = "unsubscribed";
  const { url } = await listening();
  await service.post("/__webhooks/subscribe", { integration_id: repairer.integration_id, url }, as(world));
  const [mine] = (await service.control(subscriptionsList, { world })).items;
  await service.control(subscriptionsDelete, { world, id: mine?.id ?? "" });
  const last = await insert(world, "last");
  const made = await branch({ world, request_id: idOf(last), to: "unsubscribed-2" });
  expect(made.notes).toEqual([`The subscription of ${url} was deleted before the call, and is there again, paused.`]);
  const { items } = await service.control(subscriptionsList, { world: "unsubscribed-2" });
  expect(items).toMatchObject([{ url, paused_at: expect.any(String) }]);
});

test("settings, fault counts and the clock are as before the call", async () => {
  const world = "settled";
  await service.control(policiesSet, { world, policies: { jobs_insert_conflict: "update" } });
  await service.control(clockAdvance, { world, seconds: 86_400 });
  await service.control(faultsSet, {
    world,
    ...{ operation: jobsInsert.id, calls: { nth: 3 }, effect: { error: { code: "internal_error" } } },
  });
  const first = await insert(world, "one");
  await insert(world, "two");
  const failed = await insert(world, "three");
  expect(failed.status).toBe(500);
  await service.control(clockAdvance, { world, seconds: 86_400 });
  const made = await branch({ world, request_id: idOf(failed), to: "settled-2" });
  expect(made).toMatchObject({ differing: 0 });
  const { offset_seconds } = await service.control(clockGet, { world: "settled-2" });
  expect(offset_seconds).toBeGreaterThan(86_400 - 60);
  expect(offset_seconds).toBeLessThanOrEqual(86_400);
  expect((await service.control(jobsList, { world: "settled-2", ids: [first.body.id] })).total).toBe(1);
  expect((await insert("settled-2", "three")).status).toBe(500);
  expect((await insert("settled-2", "three")).status).toBe(200);
});

/** Times of rows on the world's clock by table and position, milliseconds since 1970. */
const stampsIn = async (world: string): Promise<Map<string, number>> => {
  const { document } = await service.control(snapshotsExport, { world });
  const table = (name: string) => document.tables.find((one) => one.name === name);
  const epoch = Number(table("meta")?.rows.find(([key]) => key === "epoch")?.[1]);
  const stamps = new Map<string, number>();
  for (const name of ["jobs", "job_parts", "procurements", "events", "access_codes", "uploads", "subscriptions"]) {
    const { columns = [], rows = [] } = table(name) ?? {};
    for (const [number, row] of rows.entries())
      for (const [index, column] of columns.entries()) {
        const value = row[index];
        const isStamp = /^(created|updated|placed|confirmed|cancelled)_at$|^event_timestamp$/.test(column);
        if (isStamp && typeof value === "number") stamps.set(`${name} ${number} ${column}`, epoch + value);
      }
  }
  return stamps;
};
/** Largest differences of a branch's times and clock from its original world's. */
const strayed = async (before: ReadonlyMap<string, number>, branched: string) => {
  const [stamps, { now }] = [await stampsIn(branched), await service.control(clockGet, { world: branched })];
  expect([...stamps.keys()]).toEqual([...before.keys()]);
  const apart = [...before].map(([key, stamp]) => Math.abs(stamp - (stamps.get(key) ?? 0)));
  return { furthest: Math.max(...apart), ahead: Math.max(...stamps.values()) - Date.parse(now), now: Date.parse(now) };
};
/** Upper bound for one act, even on a busy machine. */
const ACT_MS = 500;

test("repeated calls keep their times, even in quick succession, and none is ahead of the clock", async () => {
  const world = "quick";
  const { id } = await placeOrder(service, "first", as(world));
  for (let count = 0; count < 60; count += 1) await insert(world, `quick-${count}`);
  await Promise.all(Array.from({ length: 20 }, (_, count) => insert(world, `together-${count}`)));
  const before = await stampsIn(world);
  const confirmed = await service.call(supplierProcurementsConfirm, { identity: { id } }, supplier, as(world));
  const called = Date.now();
  await branch({ world, request_id: idOf(confirmed), to: "quick-2" });
  const { furthest, ahead, now } = await strayed(before, "quick-2");
  expect(furthest).toBeLessThan(ACT_MS);
  expect(ahead).toBeLessThanOrEqual(0);
  // The branch continues from the call, and time has passed since.
  expect(now).toBeLessThan(Date.now());
  expect(now).toBeGreaterThanOrEqual(called - ACT_MS);
  const placed = await service.ok(repairerProcurementsGet, { identity: { id } }, repairer, as("quick-2"));
  await service.ok(supplierProcurementsConfirm, { identity: { id } }, supplier, as("quick-2"));
  const after = await service.ok(repairerProcurementsGet, { identity: { id } }, repairer, as("quick-2"));
  expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(placed.updated_at));
  // A branch of a branch is equally exact.
  const again = await stampsIn("quick-2");
  const last = await insert("quick-2", "last");
  await branch({ world: "quick-2", request_id: idOf(last), to: "quick-3" });
  const twice = await strayed(again, "quick-3");
  expect(twice.furthest).toBeLessThan(ACT_MS);
  expect(twice.ahead).toBeLessThanOrEqual(0);
});

test("a clock moved ahead and reset keeps all times, and so does a branch of the branch", async () => {
  const world = "reset-clock";
  await insert(world, "early");
  await service.control(clockAdvance, { world, seconds: 864_000 });
  await insert(world, "ahead");
  await service.control(clockReset, { world });
  await insert(world, "late");
  const before = await stampsIn(world);
  const last = await insert(world, "last");
  const made = await branch({ world, request_id: idOf(last), to: "reset-clock-2" });
  expect(made).toMatchObject({ differing: 0, notes: [] });
  const first = await strayed(before, "reset-clock-2");
  expect(first.furthest).toBeLessThan(ACT_MS);
  expect(Math.abs(first.now - Date.now())).toBeLessThan(60_000);
  const more = await insert("reset-clock-2", "more");
  await branch({ world: "reset-clock-2", request_id: idOf(more), to: "reset-clock-3" });
  expect((await strayed(before, "reset-clock-3")).furthest).toBeLessThan(ACT_MS);
});

test("overlapping calls are repeated in order of effect, and retention is kept", async () => {
  const world = "overlapped";
  await service.control(retentionSet, { world, max_age_hours: 1 });
  await service.control(faultsSet, {
    world,
    ...{ operation: jobsInsert.id, uses: 1, effect: { delay: { ms: 1_000 } } },
  });
  const slow = insert(world, "same");
  await expect.poll(async () => (await service.control(faultsList, { world })).items[0]?.fired, POLLING).toBe(1);
  const quick = await insert(world, "same");
  expect([quick.status, (await slow).status]).toEqual([200, 422]);
  const last = await insert(world, "last");
  const made = await branch({ world, request_id: idOf(last), to: "overlapped-2" });
  expect(made).toMatchObject({ differing: 0, first_difference: null });
  expect((await service.control(retentionGet, { world: "overlapped-2" })).max_age_hours).toBe(1);
});

test("a call with a different response is reported with the first difference and its cause", async () => {
  const folder = fs.mkdtempSync(path.join(service.folder, "quota-"));
  const started = async (subscriptions: number) =>
    new TestService(
      folder,
      await startService({ ...testConfig(folder), quotas: { ...testConfig(null).quotas, subscriptions } }),
    );
  const many = await started(3);
  const url = (number: number) => `http://127.0.0.1:9/${number}`;
  const subscribe = (number: number) =>
    many.post("/__webhooks/subscribe", { integration_id: repairer.integration_id, url: url(number) });
  const answers = [await subscribe(1), await subscribe(2), await subscribe(3)];
  await many.stop();
  const few = await started(1);
  onTestFinished(() => few.stop());
  const last = await few.call(jobsGet, { identity: { external: "none" } }, repairer);
  const made = await few.control(worldsBranch, { request_id: idOf(last), to: "few" });
  expect(made).toMatchObject({
    ...{ replayed: 3, differing: 2 },
    first_difference: {
      request_id: answers[1] && idOf(answers[1]),
      step: "/__webhooks/subscribe → 400",
      ...{ path: "/status", expected: 200, got: 400, cause: "too_many_subscriptions" },
    },
  });
});

test("a call whose history was deleted by retention is refused, naming the earliest possible one", async () => {
  const world = "aged";
  await service.control(retentionSet, { world, max_megabytes: 1 });
  const oldest = await insert(world, "oldest");
  // Retention keeps a world's newest event with its trace.
  await insert(world, "newest");
  const long = { identity: { external: "x" }, note: "y".repeat(300_000) };
  for (let count = 0; count < 12; count += 1) await service.call(jobsGet, long as never, repairer, as(world));
  const kept = async () => (await service.control(requestsList, { world })).items.map(({ id }) => id);
  await expect.poll(kept, { timeout: 30_000, interval: 200 }).not.toContain(idOf(oldest));
  expect(await refused({ world, request_id: idOf(oldest), to: "aged-2" })).toEqual([
    404,
    expect.stringContaining(`${idOf(oldest)} isn’t a recorded call of this world`),
  ]);
  const unreached = await insert(world, "unreached");
  expect(await refused({ world, request_id: idOf(unreached), to: "aged-2" })).toEqual([
    422,
    `Retention deleted some calls of world aged from before this one, and no snapshot replaces them. Save a snapshot now, then branch from a later call.`,
  ]);
  await service.control(snapshotsSave, { world, name: "now" });
  const reached = await insert(world, "reached");
  expect(await refused({ world, request_id: idOf(unreached), to: "aged-2" })).toEqual([
    422,
    expect.stringMatching(/The earliest call to branch from is [0-9a-f-]{36} \(businesses\.list, /),
  ]);
  expect(await branch({ world, request_id: idOf(reached), to: "aged-2" })).toMatchObject({
    ...{ from_snapshot: "now", replayed: 0 },
  });
});

test("a taken or invalid name, an unknown call and a world token are refused without effect", async () => {
  const world = "refusing";
  const call = await insert(world, "one");
  const before = await namesOf();
  const asked = { world, request_id: idOf(call), to: "free" };
  expect(await refused({ ...asked, to: world })).toEqual([400, expect.stringContaining("already exists")]);
  expect(await refused({ ...asked, to: "not a name" })).toEqual([400, expect.stringContaining("/to must be")]);
  expect((await refused({ ...asked, request_id: "x" }))[0]).toBe(400);
  expect(await refused({ ...asked, request_id: supplier.integration_id })).toEqual([
    404,
    expect.stringContaining("Only calls of the API can be branched from"),
  ]);
  expect((await refused({ ...asked, world: "never-made" }))[0]).toBe(404);
  const { token } = await service.control(tokensCreate, { world, name: "partner", scope: "manage" });
  expect(await refused(asked, { authorization: `Bearer ${token}` })).toEqual([
    403,
    "Only the operator can do this, with the control token.",
  ]);
  expect(await namesOf()).toEqual(before);
});

test("a world with its own keys can be branched on a deployed service, and keeps that service's keys", async () => {
  const deployed = await startTestService(undefined, {
    ...{ mode: "deployed", publicUrl: PUBLIC_URL, credentials: ownCredentials, callsPerMinute: 60 },
  });
  onTestFinished(() => deployed.end());
  const operator = { authorization: `Bearer ${deployed.ready.control_token}` };
  const control = async <O extends Operation>(operation: O, body: RequestOf<O>) =>
    (await post<ResponseOf<O>>(deployed.port, operationPath(operation), body, operator)).body;
  const insertAs = (by: TestCredential, world: string, external: string) =>
    post(
      deployed.port,
      operationPath(jobsInsert),
      { identity: { external }, repairer_site_id: "27dd09b9-f7a0-507e-99fd-e42e88e60a99" },
      { ...credentialHeaders(by), ...as(world) },
    );
  await control(policiesSet, { world: "partner", policies: {} });
  await control(tokensCreate, { world: "partner", name: "a partner", scope: "manage" });
  const { items } = await control(credentialsList, { world: "partner", reveal: true });
  const {
    integration_id = "",
    api_key = "",
    organization_id = "",
  } = items.find(({ scope }) => scope === "repairer") ?? {};
  const own = { integration_id, api_key };
  const { items: clients } = await control(clientsList, { world: "partner", reveal: true });
  const { client_id = "", client_secret } = clients.find(({ oauth_enabled }) => oauth_enabled) ?? {};
  const asked = { world: "partner", client_id, organization_id, scope: "repairer" } as const;
  const { access_code } = await control(accessCodesIssue, asked);
  const code = { client_id, client_secret, access_code };
  const { body } = await post<TestCredential>(deployed.port, operationPath(integrationsInsert), code, as("partner"));
  const branchFrom = async (to: string) => {
    const { items: calls } = await control(requestsList, { world: "partner", limit: 1 });
    return control(worldsBranch, { world: "partner", request_id: calls[0]?.id ?? "", to });
  };
  expect((await insertAs(own, "partner", "one")).status).toBe(200);
  expect((await insertAs(body, "partner", "two")).status).toBe(200);
  expect(await branchFrom("partner-2")).toMatchObject({ name: "partner-2", replayed: 2, differing: 0, notes: [] });
  await control(snapshotsSave, { world: "partner", name: "near" });
  expect((await insertAs(body, "partner", "three")).status).toBe(200);
  expect(await branchFrom("partner-3")).toMatchObject({ from_snapshot: "near", differing: 0 });
  for (const theirs of [own, body])
    for (const world of ["partner-2", "partner-3"])
      expect((await insertAs(theirs, world, "theirs")).status, `${world} ${theirs.api_key}`).toBe(401);
  expect((await insertAs(ownCredentials.credentials.repairer, "partner-2", "one")).status).toBe(422);
  expect((await insertAs(ownCredentials.credentials.repairer, "partner-2", "two")).status).toBe(200);
});

test("a branch and a copy keep their own age, even after a restart", async () => {
  const first = await startTestService();
  const call = await first.call(jobsGet, { identity: { external: "none" } }, repairer);
  const askedAt = Date.now();
  const branched = await first.control(worldsBranch, { request_id: idOf(call), to: "branched" });
  const copied = await first.control(worldsCopy, { to: "copied" });
  for (const { created_at } of [branched, copied]) expect(Date.parse(created_at)).toBeGreaterThanOrEqual(askedAt);
  const createdIn = async (of: TestService) =>
    Object.fromEntries((await of.control(worldsList, {})).items.map(({ name, created_at }) => [name, created_at]));
  const created = await createdIn(first);
  await first.stop();
  const again = await startTestService(first.folder);
  onTestFinished(() => again.end());
  await again.call(jobsGet, { identity: { external: "none" } }, repairer, as("branched"));
  expect(await createdIn(again)).toEqual(created);
});

/** A service with a running branch of a call that never ends, because its caller disconnected. */
const heldUp = async (of: TestService) => {
  const site = await ownSite(of);
  const make = (external: string, signal?: AbortSignal) =>
    of.call(jobsInsert, { identity: { external }, repairer_site_id: site }, repairer, {}, signal);
  await of.control(faultsSet, { operation: jobsInsert.id, uses: 1, effect: { hang: {} } });
  const caller = new AbortController();
  const hanging = expect(make("hanging", caller.signal)).rejects.toThrow();
  await expect.poll(async () => (await of.control(faultsList, {})).items[0]?.fired, POLLING).toBe(1);
  caller.abort();
  await hanging;
  await make("next");
  const last = await make("last");
  const branching = of.call(worldsBranch, { request_id: idOf(last), to: "half" }, undefined, tokenOf(of));
  await expect
    .poll(async () => (await of.control(workList, {})).items, POLLING)
    .toMatchObject([{ kind: "branch", world: "default", to: "half", progress: expect.any(Number) }]);
  await expect.poll(() => unfinishedIn(of).some((name) => name.endsWith("service.json")), POLLING).toBe(true);
  return { branching, make };
};
const unfinishedIn = ({ folder }: TestService): string[] => {
  const unfinished = path.join(folder, "unfinished");
  return fs.existsSync(unfinished) ? (fs.readdirSync(unfinished, { recursive: true }) as string[]) : [];
};

test("others are served meanwhile, and a cancelled or abandoned branch leaves nothing", async () => {
  const of = await startTestService();
  onTestFinished(() => of.end());
  const { branching, make } = await heldUp(of);
  const meanwhile = await make("meanwhile");
  expect(meanwhile.status).toBe(200);
  const other = of.call(worldsBranch, { request_id: idOf(meanwhile), to: "other" }, undefined, tokenOf(of));
  const listed = async () => (await of.control(workList, {})).items;
  await expect.poll(listed).toMatchObject([{ to: "half" }, { kind: "branch", to: "other", progress: null }]);
  const [work, next] = await listed();
  await of.control(workCancel, { id: next?.id ?? "" });
  await of.control(workCancel, { id: work?.id ?? "" });
  expect((await other).status).toBe(422);
  expect(await branching).toMatchObject({
    status: 422,
    body: { message: "The branch was cancelled. Nothing was changed." },
  });
  expect(await namesOf(of)).toEqual(["default"]);
  expect(unfinishedIn(of)).toEqual([]);
});

test("a stop ends a branch, and a kill leaves nothing that the next start would open", async () => {
  const stopped = await startTestService();
  const { branching } = await heldUp(stopped);
  await stopped.stop();
  expect((await branching).status).toBe(422);
  expect(unfinishedIn(stopped)).toEqual([]);

  const { process, service: killed } = await serveCommand();
  const held = await heldUp(killed);
  const cut = expect(held.branching).rejects.toThrow();
  await process.kill("SIGKILL");
  await cut;
  const again = await startTestService(killed.folder);
  onTestFinished(() => again.end());
  expect(await namesOf(again)).toEqual(["default"]);
  expect(unfinishedIn(again)).toEqual([]);
});
