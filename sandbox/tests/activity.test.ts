import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { activityList, activityStrays } from "../contract/control/activity-operations.ts";
import { searchEverywhere } from "../contract/control/explain-operations.ts";
import { faultsSet } from "../contract/control/fault-operations.ts";
import { deliveriesList, requestsList } from "../contract/control/operations.ts";
import { serviceErase, tokensCreate } from "../contract/control/service-operations.ts";
import { snapshotsRestore, snapshotsSave } from "../contract/control/snapshot-operations.ts";
import {
  clockAdvance,
  policiesSet,
  worldsDelete,
  worldsList,
  worldsReset,
} from "../contract/control/world-operations.ts";
import type { RequestOf } from "../contract/operation.ts";
import {
  integrationsInsert,
  jobsGet,
  jobsInsert,
  supplierProcurementsConfirm,
} from "../contract/operations/partner.ts";
import { UNUSED_ID } from "../contract/values.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { serveCommand } from "../testing/process.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
  return () => service.end();
});

const activity = (asked: RequestOf<typeof activityList> = {}) =>
  service.call(activityList, asked, undefined, { authorization: `Bearer ${service.ready.control_token}` });
const seen = async (asked: RequestOf<typeof activityList> = {}) => {
  const { status, body, text } = await activity(asked);
  expect(status, text).toBe(200);
  return body;
};
const as = (world: string, agent = "acme-dms/2.4.1") => ({ "x-sandbox-tenant": world, "user-agent": agent });
/** A call refused because no job has this ID. */
const miss = (world: string, agent?: string, credential = repairer) =>
  service.call(jobsGet, { identity: { id: UNUSED_ID } }, credential, as(world, agent));

test("groups refused calls of all worlds by cause, most frequent first, each with its last call", async () => {
  await service.make("one");
  await service.make("two");
  expect(await seen()).toMatchObject({ calls: 0, deliveries: 0, expected: 0, items: [], callers: [], last_call: null });
  await service.ok(
    jobsInsert,
    { identity: { external: "a" }, repairer_site_id: await ownSite(service) },
    repairer,
    as("one"),
  );
  await miss("one");
  await miss("two", "bayline/5");
  const last = await miss("one");
  await service.call(supplierProcurementsConfirm, { identity: { id: UNUSED_ID } } as never, repairer, as("two"));

  const found = await seen({ since: "1h" });
  expect(found).toMatchObject({ calls: 4, deliveries: 0, expected: 0, more_callers: 0 });
  expect(found.items.map(({ cause, status, count }) => [cause, status, count])).toEqual([
    ["job_unknown", 404, 3],
    ["scope", 403, 1],
  ]);
  const [group] = found.items;
  expect(group).toMatchObject({
    kind: "call",
    whose_side: "partner",
    expected: false,
    last_call: { world: "one", id: last.headers.get("x-request-id"), operation: "repairer.jobs.get" },
    callers: [
      {
        world: "one",
        integration_id: repairer.integration_id,
        side: "repairer",
        user_agent: "acme-dms/2.4.1",
        count: 2,
      },
      { world: "two", integration_id: repairer.integration_id, user_agent: "bayline/5", origin: "partner", count: 1 },
    ],
  });
  expect(group?.sentence).toMatch(/^[A-Z].+\.$/);
  expect(group?.what_to_do).toMatch(/^[A-Z].+\.$/);
  expect(group?.callers[0]?.organization_name).toMatch(/\w/);
  expect(group?.timeline.reduce((sum, one) => sum + one, 0)).toBe(3);
  const callers = found.callers.map(({ world, user_agent, count }) => `${world} ${user_agent} ${count}`);
  expect(callers[0]).toBe("one acme-dms/2.4.1 2");
  expect(callers.slice(1).sort()).toEqual(["two acme-dms/2.4.1 1", "two bayline/5 1"]);
});

test("every count leads to exactly its calls, by cause and time", async () => {
  await service.make("one");
  await miss("one");
  await miss("one");
  await service.call(jobsGet, { identity: {} } as never, repairer, as("one"));
  await service.post("/api/2026-01/repairer.jobs.get", {}, as("one"));
  await service.post("/api/2026-01/repairer.jobs.got", {}, as("one"));
  const { from, items } = await seen();
  expect(items).toHaveLength(4);
  for (const { cause, status, count, last_call } of items) {
    const asked = { world: "one", from, status, ...(cause === null ? {} : { cause }) };
    const { items: calls, total } = await service.control(requestsList, asked);
    expect(total, cause ?? "none").toBe(count);
    expect(calls[0]?.id).toBe(last_call.id);
  }
});

test("filters by world, integration and program", async () => {
  for (const world of ["one", "two"]) await service.make(world);
  await miss("one", "acme/1");
  await miss("two", "acme/2");
  await miss("two", "corran/1", supplier);
  await service.post("/api/2026-01/repairer.jobs.get", {}, as("two", "curl/8"));
  const counted = async (asked: RequestOf<typeof activityList>) => (await seen(asked)).calls;
  expect(await counted({})).toBe(4);
  expect(await counted({ world: "two" })).toBe(3);
  expect(await counted({ integration_id: repairer.integration_id.toUpperCase() })).toBe(2);
  expect(await counted({ user_agent: "acme/" })).toBe(2);
  expect(await counted({ world: "two", user_agent: "acme/" })).toBe(1);
  expect((await activity({ world: "nowhere" })).status).toBe(404);
});

test("accepts a duration or a time, and names an invalid field", async () => {
  for (const since of [
    "90s",
    "30m",
    "1h",
    "24h",
    "7d",
    "30d",
    "1H",
    new Date(Date.now() - 1_000).toISOString(),
    "2026-01-01",
  ])
    expect((await activity({ since })).status, since).toBe(200);
  for (const since of ["", "1", "1w", "h", "-1h", "0h", "yesterday", new Date(Date.now() + 60_000).toISOString()]) {
    const { status, text } = await activity({ since });
    expect(status, since).toBe(400);
    expect(text).toContain("/since");
  }
  const { from, to } = await seen({ since: "30d" });
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  expect(days).toBeLessThanOrEqual(7);
  expect(days).toBeGreaterThan(6.9);
});

test("a world token sees its own world and no name of another", async () => {
  for (const world of ["acme", "secret-plan"]) await service.make(world);
  const { token } = await service.control(tokensCreate, { world: "acme", name: "Acme", scope: "view" });
  const withToken = (body: RequestOf<typeof activityList>) =>
    service.call(activityList, body, undefined, { authorization: `Bearer ${token}` });
  await miss("secret-plan");
  await miss("acme", "acme/1");
  const { status, body, text } = await withToken({});
  expect(status).toBe(200);
  expect(body).toMatchObject({ calls: 1, items: [{ count: 1, last_call: { world: "acme" } }] });
  expect(text).not.toContain("secret-plan");
  expect((await withToken({ world: "acme" })).body).toMatchObject({ calls: 1 });
  for (const world of ["secret-plan", "default", "nowhere"]) expect((await withToken({ world })).status).toBe(403);
  expect((await service.call(activityList, {})).status).toBe(401);
});

test("a fault's response is expected, but a call that was only delayed isn't", async () => {
  await service.make("faulty");
  const every = { world: "faulty", operation: "repairer.jobs.get", uses: 1 };
  await service.control(faultsSet, { ...every, effect: { error: { status: 429, code: "rate_limited" } } });
  expect((await miss("faulty")).status).toBe(429);
  await service.control(faultsSet, { ...every, effect: { drop: {} } });
  await expect(miss("faulty")).rejects.toThrow();
  await service.control(faultsSet, { ...every, effect: { delay: { ms: 1 } } });
  expect((await miss("faulty")).status).toBe(404);
  const { calls, expected, items } = await seen();
  expect([calls, expected]).toEqual([3, 2]);
  const of = items.map(({ cause, status, expected, whose_side }) => [cause, status, expected, whose_side]);
  expect(of.toSorted((one, other) => Number(one[1]) - Number(other[1]))).toEqual([
    ["fault", 0, true, "fault"],
    ["job_unknown", 404, false, "partner"],
    ["fault", 429, true, "fault"],
  ]);
  for (const { cause, status, count } of items) {
    const asked = { world: "faulty", status, cause: cause ?? "" };
    expect((await service.control(requestsList, asked)).total).toBe(count);
  }
});

test("failed attempts of deliveries are counted by the receiver's response", async () => {
  const receiver = await RecordingReceiver.start();
  onTestFinished(() => receiver.stop());
  receiver.answerWith(() => 500);
  const world = "hooks";
  await service.control(policiesSet, { world, policies: { webhook_retries: "none" } });
  const { integration_id } = repairer;
  const subscribe = (url: string) => service.post("/__webhooks/subscribe", { integration_id, url }, as(world));
  await subscribe(receiver.url);
  await subscribe("http://127.0.0.1:9/nobody");
  const job = { identity: { external: "a" }, repairer_site_id: await ownSite(service) };
  await service.ok(jobsInsert, job, repairer, as(world));
  await vi.waitUntil(async () => (await seen()).deliveries === 2, 10_000);
  const { calls, items } = await seen();
  expect(calls).toBe(0);
  const of = items.map(({ kind, cause, status, whose_side }) => [kind, cause, status, whose_side]);
  expect(of.toSorted((one, other) => Number(one[2]) - Number(other[2]))).toEqual([
    ["delivery", "receiver_unreachable", 0, "receiver"],
    ["delivery", "receiver_refused", 500, "receiver"],
  ]);
  expect(items[0]?.callers[0]).toMatchObject({ world, integration_id, side: "repairer", user_agent: null });

  const found = async (asked: RequestOf<typeof deliveriesList>) =>
    (await service.control(deliveriesList, { world, ...asked })).items.map(({ url }) => url);
  expect(await found({ attempt_cause: "receiver_refused", attempt_status: 500, integration_id })).toEqual([
    receiver.url,
  ]);
  expect(await found({ attempt_cause: "receiver_refused", attempt_status: 503 })).toEqual([]);
  expect(await found({ attempt_cause: "receiver_unreachable" })).toEqual(["http://127.0.0.1:9/nobody"]);
  const attempts_from = new Date(Date.now() + 60_000).toISOString();
  expect(await found({ attempt_cause: "receiver_unreachable", attempts_from })).toEqual([]);
});

test("survives a restart, and drops calls of a deleted world", async () => {
  for (const world of ["kept", "reset", "gone", "restored"]) {
    await service.make(world);
    if (world === "restored") await service.control(snapshotsSave, { world, name: "before" });
    await miss(world);
  }
  await service.stop();
  service = await startTestService(service.folder);
  const worldsOf = async () => (await seen()).callers.map(({ world }) => world).sort();
  expect(await worldsOf()).toEqual(["gone", "kept", "reset", "restored"]);
  await service.control(worldsReset, { world: "reset" });
  expect(await worldsOf()).toEqual(["gone", "kept", "restored"]);
  await service.control(worldsDelete, { world: "gone" });
  await service.control(snapshotsRestore, { world: "restored", name: "before" });
  expect(await worldsOf()).toEqual(["kept"]);
  await miss("reset");
  expect(await worldsOf()).toEqual(["kept", "reset"]);
  await service.control(serviceErase, { confirm: "erase everything" });
  expect(await seen({ since: "7d" })).toMatchObject({ calls: 0, items: [], last_call: null });
});

test("uses real time, whatever a world's clock says, and names the last failure before the window", async () => {
  const now = Date.now();
  await service.control(clockAdvance, { world: "ahead", seconds: 86_400 });
  await miss("ahead");
  const { items } = await seen();
  expect(Math.abs(Date.parse(items[0]?.last_call.at ?? "") - now)).toBeLessThan(60_000);
  vi.useFakeTimers({ toFake: ["Date"], now: now + 2 * 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(await seen()).toMatchObject({ calls: 0, items: [], last_call: { world: "ahead" } });
  expect((await seen({ since: "24h" })).calls).toBe(1);
});

test("stores no secret in a program's name, and only the start of a long one", async () => {
  await service.make("one");
  await miss("one", `agent ${repairer.api_key}`);
  await miss("one", `long/${"x".repeat(500)}`);
  const { text, body } = await activity();
  expect(text).not.toContain(repairer.api_key);
  for (const { user_agent } of body.callers) {
    expect(user_agent?.length).toBeLessThanOrEqual(200);
    const asked = { world: "one", user_agent: user_agent ?? "" };
    expect((await service.control(requestsList, asked)).total).toBe(1);
  }
});

test("excludes successful calls and calls to unknown worlds", async () => {
  expect((await service.post("/api/2026-01/repairer.jobs.get", {}, as("nowhere"))).status).toBe(401);
  expect(await seen()).toMatchObject({ calls: 0, items: [] });
});

test("a killed service loses at most the last second", async () => {
  const { process, service: killed } = await serveCommand();
  await killed.make("one");
  const call = () => killed.call(jobsGet, { identity: { id: UNUSED_ID } }, repairer, as("one"));
  await call();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await call();
  await process.kill("SIGKILL");
  const again = await startTestService(killed.folder);
  onTestFinished(() => again.end());
  const { calls } = await again.control(activityList, {});
  expect(calls).toBeGreaterThanOrEqual(1);
  expect(calls).toBeLessThanOrEqual(2);
}, 60_000);

test("refused calls to unknown worlds are stored by the service, masked, without creating a world", async () => {
  await service.make("acme");
  const wrong = { ...repairer, api_key: "isk_this_is_no_key_of_anybody" };
  const first = await service.call(jobsGet, { identity: { id: UNUSED_ID } }, wrong, as("acmee", "bayline/5"));
  const access_code = "a-code-that-nobody-has";
  const install = { client_id: "nobody", client_secret: "very secret", access_code };
  await service.call(integrationsInsert, install, undefined, as("nowhere"));
  await fetch(`${service.baseUrl}/api/2026-01/no.such`, { method: "POST", headers: as("acmee"), body: "{}" });
  await service.call(jobsGet, { identity: { id: UNUSED_ID } }, repairer, as("acme"));

  const { items } = await service.control(activityStrays, {});
  expect(items.map(({ world, status, operation }) => [world, status, operation])).toEqual([
    ["acmee", 404, null],
    ["nowhere", 404, "integrations.insert"],
    ["acmee", 401, "repairer.jobs.get"],
  ]);
  expect(items[2]).toMatchObject({ id: first.headers.get("x-request-id"), exists: false, nearest: ["acme"] });
  expect(items[2]?.reason).toMatch(/\S/);
  const text = JSON.stringify(items);
  for (const secret of [wrong.api_key, "very secret", access_code]) expect(text).not.toContain(secret);
  const found = async (search: string) => (await service.control(activityStrays, { search })).items.length;
  // The names of the stored JSON’s members don’t count.
  expect([await found("BAYLINE/5"), await found('"identity":{"ID"'), await found("error_code")]).toEqual([1, 1, 0]);
  expect((await service.control(worldsList, {})).items.map(({ name }) => name)).not.toContain("acmee");
  // Only calls that a world records are counted, so that a count leads to them.
  expect((await seen()).calls).toBe(1);

  // Only operators find them by search.
  const hits = async (headers?: Record<string, string>) => {
    const { body } = await service.call(searchEverywhere, { world: "acme", query: "bayline" }, undefined, headers);
    return body.items.map(({ kind, id }) => [kind, id]);
  };
  expect(await hits({ authorization: `Bearer ${service.ready.control_token}` })).toEqual([["stray", items[2]?.id]]);
  const { token } = await service.control(tokensCreate, { world: "acme", name: "Partner", scope: "manage" });
  expect(await hits({ authorization: `Bearer ${token}` })).toEqual([]);
  const denied = await service.call(activityStrays, { world: "acme" }, undefined, { authorization: `Bearer ${token}` });
  expect(denied.status).toBe(403);
});

test("a refused subscription creates no world and is listed by the service", async () => {
  const body = JSON.stringify({ integration_id: "x", url: "http://example.com/" });
  await fetch(`${service.baseUrl}/__webhooks/subscribe`, {
    method: "POST",
    headers: { ...as("typo"), "content-type": "application/json" },
    body,
  });
  const { items } = await service.control(activityStrays, { search: "typo" });
  expect(items.map(({ operation, status }) => [operation, status])).toEqual([["webhooks.subscribe", 400]]);
});
