import { afterEach, beforeEach, expect, test } from "vitest";
import { requestsUserAgents, type SearchHit, searchEverywhere } from "../contract/control/explain-operations.ts";
import {
  accessCodesIssue,
  credentialsList,
  deliveriesList,
  eventsList,
  jobsList,
  organizationsList,
  procurementsList,
  requestsList,
  subscriptionsList,
} from "../contract/control/operations.ts";
import { subscriptionsSendTest } from "../contract/control/receiver-operations.ts";
import { tokensCreate } from "../contract/control/service-operations.ts";
import { worldsList } from "../contract/control/world-operations.ts";
import { fixedClients } from "../contract/demo-values.ts";
import { operationPath } from "../contract/operation.ts";
import { businessesList, integrationsInsert, jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";

let service: TestService;
let site = "";
beforeEach(async () => {
  service = await startTestService();
  site = await ownSite(service);
});
afterEach(() => service.end());

const search = async (query: string, world = "default"): Promise<SearchHit[]> =>
  (await service.control(searchEverywhere, { query, world })).items;
/** Organization of the tests' credential. */
const ownName = async (): Promise<string> => {
  const { items } = await service.control(credentialsList, {});
  return items.find((one) => one.integration_id === repairer.integration_id)?.organization_name ?? "";
};
const insert = (external: string, more: { job_number?: string; claim_number?: string; plate?: string } = {}) =>
  service.ok(
    jobsInsert,
    {
      identity: { external },
      repairer_site_id: site,
      job_number: more.job_number ?? null,
      claim_number: more.claim_number ?? null,
      vehicle: { chassis_number: null, plate_number: more.plate ?? null, plate_state: null },
    },
    repairer,
  );
test("ranks a job's exact number first, before others that contain it, in either case", async () => {
  await insert("r-1", { job_number: "RANK-7" });
  await insert("r-2", { job_number: "x-rank-7" });
  await insert("r-3", { job_number: "RANK-70" });
  expect((await search(" rank-7 ")).map(({ label }) => label)).toEqual(["RANK-7", "RANK-70", "x-rank-7"]);
});

test("finds a job by plate, claim, external ID and its own ID, with distinguishing details", async () => {
  const { id } = await insert("estimate:4711", { job_number: "J-4711", claim_number: "CLM/É 9", plate: "QQÄ123" });
  const detail = expect.stringContaining("QQÄ123 · CLM/É 9 · estimate:4711 · ");
  for (const query of ["qqä", "clm/é 9", "estimate:471", id.slice(0, 18).toUpperCase(), "qq"])
    expect(await search(query), query).toContainEqual({ kind: "job", id, label: "J-4711", detail });
  expect(await search(id.slice(0, 7))).not.toContainEqual(expect.objectContaining({ id }));
});

test("finds a plate in any spacing and hyphenation, in both searches", async () => {
  const { id } = await insert("plate-1", { plate: "PLT482" });
  for (const typed of ["PLT482", "plt 482", "PLT-482", "plt - 4"]) {
    expect((await search(typed)).map((hit) => hit.id)).toContain(id);
    const { items, total } = await service.control(jobsList, { search: typed });
    expect([items.map((job) => job.id), total]).toEqual([[id], 1]);
  }
});

test("finds orders by reference, and insurers, organizations and integrations by name and ID", async () => {
  const [procurement] = (await service.control(procurementsList, {})).items;
  expect(await search(procurement?.reference ?? "")).toContainEqual(
    expect.objectContaining({ kind: "procurement", id: procurement?.id }),
  );
  const organizations = (await service.control(organizationsList, {})).items;
  for (const { id, name, scope } of organizations) {
    const kind = scope === null ? "insurer" : "organization";
    expect(await search(name)).toContainEqual({ kind, id, label: name, detail: "" });
  }
  expect(await search(repairer.integration_id)).toContainEqual(
    expect.objectContaining({ kind: "integration", id: repairer.integration_id }),
  );
  expect(await search(repairer.api_key)).toEqual([]);
});

test("finds everything sent over the network by each of its identifiers", async () => {
  const url = `${service.baseUrl}/__webhooks/sink`;
  await service.post("/__webhooks/subscribe", { integration_id: repairer.integration_id, url });
  const answer = await service.call(jobsInsert, { identity: { external: "wire" }, repairer_site_id: site }, repairer);
  const requestId = answer.headers.get("x-request-id") ?? "";
  const [request] = (await service.control(requestsList, { ids: [requestId] })).items;
  const itsCall = {
    ...{ kind: "request", id: requestId, label: jobsInsert.id },
    ...{ detail: `200 · wire · ${await ownName()}`, at: request?.at },
  };
  expect(await search(requestId)).toEqual([itsCall]);
  const [delivery] = (await service.control(deliveriesList, {})).items;
  const [event] = (await service.control(eventsList, {})).items;
  for (const id of [delivery?.id, delivery?.message_id])
    expect(await search(id ?? "")).toMatchObject([{ kind: "delivery", id: delivery?.id }]);
  expect(await search(event?.id ?? "")).toContainEqual(itsCall);
  const [subscription] = (await service.control(subscriptionsList, {})).items;
  expect(await search("webhooks/SINK")).toMatchObject([{ kind: "subscription", id: subscription?.id, label: url }]);
  const test = await service.control(subscriptionsSendTest, { id: subscription?.id ?? "" });
  expect(await search(test.event_id)).toMatchObject([{ kind: "delivery", id: test.id }]);
});

test("finds nothing for unknown text and for foreign syntax, without errors", async () => {
  for (const query of [
    '"',
    '""" OR *',
    "a'b",
    "plate_number : x",
    "^",
    "%_%",
    "\u{1F600}",
    "zzzzzz",
    "<b>",
    "NEAR(a b)",
  ])
    expect(await search(query, "untouched"), query).toEqual([]);
});

test("refuses an empty or too long query", async () => {
  const authorization = `Bearer ${service.ready.control_token}`;
  for (const body of [{}, { query: "" }, { query: "  " }, { query: "x".repeat(257) }]) {
    const answer = await service.post(operationPath(searchEverywhere), body, { authorization });
    expect(answer).toMatchObject({ status: 400, body: { type: "bad_request" } });
  }
});

test("finds a refused call by its body and headers, including the user agent, even if nothing was stored", async () => {
  const body = {
    identity: { external: "never-stored" },
    repairer_site_id: "no-site",
    vehicle: { chassis_number: null, plate_number: "WXY 771", plate_state: null },
  };
  const refused = await service.call(jobsInsert, body, repairer, { "user-agent": "PartsBridge/7.4" });
  expect(refused.status).toBe(422);
  const id = refused.headers.get("x-request-id");
  const hit = expect.objectContaining({ kind: "request", id });
  for (const query of ["never-stored", "wxy 771", "PartsBridge/7.4", "unprocessable"])
    expect(await search(query), query).toContainEqual(hit);
  const { items } = await service.control(requestsList, { user_agent: "PartsBridge/" });
  expect(items.map((row) => row.id)).toEqual([id]);
  const agents = (await service.control(requestsUserAgents, {})).items;
  expect(agents).toContainEqual({ user_agent: "PartsBridge/7.4", calls: 1 });
});

test("distinguishes similar calls by refusal, match and caller", async () => {
  const send = (external: string, plate: string, more: object = {}) =>
    service.call(
      jobsInsert,
      {
        identity: { external },
        repairer_site_id: site,
        vehicle: { chassis_number: null, plate_number: plate, plate_state: null },
        ...more,
      },
      repairer,
    );
  await send("alike-1", "LK 21 A", { repairer_site_id: "no-site" });
  await send("alike-2", "LK 21 B", { job_number: 7 });
  const name = await ownName();
  const found = (await search("lk 21")).filter(({ kind }) => kind === "request");
  expect(found.map(({ detail }) => detail)).toEqual([`422 · LK 21 B · ${name}`, `422 · LK 21 A · ${name}`]);
  expect(new Set(found.map(({ reason }) => reason)).size).toBe(2);
  expect(found.every(({ reason }) => (reason ?? "").length > 10)).toBe(true);
});

test("finds a refused call with a deeply nested body", async () => {
  const body = `["DEEP 42 X",${"[".repeat(20_000)}${"]".repeat(20_000)}]`;
  await service.raw(operationPath(jobsInsert), {
    headers: {
      authorization: `Bearer ${repairer.api_key}`,
      "service-integration-id": repairer.integration_id,
      "content-type": "application/json",
    },
    body,
  });
  expect((await search("deep 42")).map(({ kind }) => kind)).toEqual(["request"]);
});

test("finds a job, an order or a call of another world if this one has none", async () => {
  const there = { "x-sandbox-tenant": "other-lab" };
  const body = { identity: { external: "elsewhere-1" }, repairer_site_id: site, job_number: "ELSE-77" };
  const inserted = await service.call(jobsInsert, body, repairer, there);
  const refused = await service.call(jobsInsert, { ...body, repairer_site_id: "no-site" }, repairer, there);
  const id = refused.headers.get("x-request-id") ?? "";
  const job = { kind: "job", id: (inserted.body as { id: string }).id, world: "other-lab" };
  expect(await search("else-77")).toContainEqual(expect.objectContaining(job));
  expect(await search(id)).toEqual([expect.objectContaining({ kind: "request", id, world: "other-lab" })]);
  expect((await search("else-77", "other-lab")).every(({ world }) => world === undefined)).toBe(true);
  await insert("elsewhere-1", { job_number: "ELSE-77" });
  expect((await search("else-77")).every(({ world }) => world === undefined)).toBe(true);
});

test("finds an integration's subscription of another world by the integration's ID, even if no integration has it", async () => {
  const there = { "x-sandbox-tenant": "subscribing-lab" };
  const url = `${service.baseUrl}/__webhooks/sink`;
  const unknown = "5b1f2c9e-8a3d-4c60-9f51-0d8a77e1c0aa";
  await service.call(businessesList, {}, repairer, there);
  await service.post("/__webhooks/subscribe", { integration_id: unknown, url }, there);
  const world = "subscribing-lab";
  expect(await search(unknown)).toEqual([expect.objectContaining({ kind: "subscription", label: url, world })]);
  const { items: credentials } = await service.control(credentialsList, {});
  const organization_id = credentials.find(({ scope }) => scope === "repairer")?.organization_id ?? "";
  const { client_id, client_secret } = fixedClients.demo;
  const issued = { world, client_id, organization_id, scope: "repairer" } as const;
  const { access_code } = await service.control(accessCodesIssue, issued);
  const installed = await service.ok(integrationsInsert, { client_id, client_secret, access_code }, undefined, there);
  expect(await search(installed.integration_id)).toEqual([
    expect.objectContaining({ kind: "integration", id: installed.integration_id, world }),
  ]);
});

test("says how many other worlds it left out", async () => {
  const { items: before } = await service.control(worldsList, {});
  const skipped = async (query: string) => (await service.control(searchEverywhere, { query })).skipped_worlds;
  expect([await skipped("skip-77"), await skipped("RO-")]).toEqual([0, 0]);
  // The world that is searched is none of the 32 others.
  const missing = 33 - before.length + 3;
  for (let made = 0; made < missing; made += 1)
    await service.call(businessesList, {}, repairer, { "x-sandbox-tenant": `many-${made}` });
  expect(await skipped("skip-77")).toBe(3);
});

test("a refused call names the world that its job is in", async () => {
  const there = { "x-sandbox-tenant": "job-lab" };
  const body = { identity: { external: "astray-1" }, repairer_site_id: site };
  expect((await service.call(jobsInsert, body, repairer, there)).status).toBe(200);
  await service.call(jobsGet, { identity: { external: "astray-1" } }, repairer);
  const [hit] = (await search("astray-1")).filter(({ kind }) => kind === "request");
  expect(hit?.reason).toContain("job-lab");
});

test("a world token finds nothing in other worlds", async () => {
  const { token } = await service.control(tokensCreate, { world: "own-lab", name: "partner", scope: "view" });
  await service.call(
    jobsInsert,
    { identity: { external: "hidden-1" }, repairer_site_id: site, job_number: "HIDE-1" },
    repairer,
  );
  const authorization = `Bearer ${token}`;
  const answer = await service.post(
    operationPath(searchEverywhere),
    { query: "HIDE-1", world: "own-lab" },
    { authorization },
  );
  expect(answer).toMatchObject({ status: 200, body: { items: [] } });
});
