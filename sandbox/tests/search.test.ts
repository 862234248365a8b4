import { afterAll, beforeAll, expect, test } from "vitest";
import {
  deliveriesList,
  eventsList,
  jobsList,
  organizationsList,
  procurementsList,
  requestsList,
  subscriptionsList,
} from "../contract/control/operations.ts";
import { type SearchHit, searchEverywhere } from "../contract/control/search-operations.ts";
import { subscriptionsSendTest } from "../contract/control/subscription-operations.ts";
import { pathOf } from "../contract/operation.ts";
import { jobsInsert } from "../contract/operations/partner.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { siteOf } from "../testing/order.ts";

let service: TestService;
let site = "";
beforeAll(async () => {
  service = await startTestService();
  site = await siteOf(service);
});
afterAll(() => service.end());

const search = async (query: string, limit?: number): Promise<SearchHit[]> =>
  (await service.control(searchEverywhere, { query, ...(limit === undefined ? {} : { limit }) })).items;
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
const found = (hits: readonly SearchHit[]) =>
  hits.map(({ label, matched_field, match }) => [label, matched_field, match]);

test("an exact match comes before prefixes, these before what contains it, newer ones first, in either case", async () => {
  await insert("r-1", { job_number: "Rank-7" });
  await insert("r-2", { job_number: "x-rank-7" });
  await insert("r-3", { job_number: "RANK-70" });
  await insert("r-4", { job_number: "RANK-71" });
  expect(found(await search(" rank-7 "))).toEqual([
    ["Rank-7", "job_number", "exact"],
    ["RANK-71", "job_number", "prefix"],
    ["RANK-70", "job_number", "prefix"],
    ["x-rank-7", "job_number", "contains"],
  ]);
  expect((await search("rank-7", 1)).map(({ label }) => label)).toEqual(["Rank-7"]);
});

test("finds a job by plate, claim, external id and its own id, with what tells it from others", async () => {
  const { id } = await insert("estimate:4711", { job_number: "J-4711", claim_number: "CLM/É 9", plate: "QQÄ123" });
  const of = async (query: string) => (await search(query)).filter((hit) => hit.id === id);
  const expected = (matched_field: string, match: string, detail: string) => [
    { kind: "job", id, label: "J-4711", detail: expect.stringContaining(detail), matched_field, match },
  ];
  expect(await of("qqä")).toEqual(expected("plate_number", "prefix", "QQÄ123 · "));
  expect(await of("clm/é 9")).toEqual(expected("claim_number", "exact", "QQÄ123 · CLM/É 9 · "));
  expect(await of("estimate:471")).toEqual(expected("external_id", "prefix", "estimate:4711"));
  expect(await of(id.slice(0, 18).toUpperCase())).toEqual(expected("id", "prefix", "QQÄ123"));
  expect(await of("qq")).toEqual(expected("plate_number", "prefix", "QQÄ123"));
  expect(await of(id.slice(0, 7))).toEqual([]);
});

test("finds a plate however it is spaced and hyphenated, in the search everywhere and in the list of jobs", async () => {
  const { id } = await insert("plate-1", { plate: "PLT482" });
  for (const typed of ["PLT482", "plt 482", "PLT-482", "plt - 4"]) {
    expect((await search(typed)).map((hit) => hit.id)).toContain(id);
    const { items, total } = await service.control(jobsList, { search: typed });
    expect([items.map((job) => job.id), total]).toEqual([[id], 1]);
  }
});

test("finds procurements by reference, insurers, organizations and integrations by name and id", async () => {
  const [procurement] = (await service.control(procurementsList, {})).items;
  expect(await search(procurement?.reference ?? "")).toContainEqual(
    expect.objectContaining({ kind: "procurement", id: procurement?.id, matched_field: "reference", match: "exact" }),
  );
  const organizations = (await service.control(organizationsList, {})).items;
  for (const { id, name, scope } of organizations) {
    const kind = scope === null ? "insurer" : "organization";
    expect(await search(name)).toContainEqual({
      kind,
      id,
      label: name,
      detail: "",
      matched_field: "name",
      match: "exact",
    });
  }
  expect(await search(repairer.integration_id)).toContainEqual(
    expect.objectContaining({ kind: "integration", id: repairer.integration_id, match: "exact" }),
  );
  expect(await search(repairer.api_key)).toEqual([]);
});

test("finds what went over the wire by every identifier of it", async () => {
  const url = `${service.baseUrl}/__webhooks/sink`;
  await service.post("/__webhooks/subscribe", { integration_id: repairer.integration_id, url });
  const answer = await service.call(jobsInsert, { identity: { external: "wire" }, repairer_site_id: site }, repairer);
  const requestId = answer.headers.get("x-request-id") ?? "";
  const [request] = (await service.control(requestsList, { ids: [requestId] })).items;
  expect(await search(requestId)).toEqual([
    {
      kind: "request",
      id: requestId,
      label: jobsInsert.id,
      detail: `200 · repairer · wire · ${request?.at}`,
      matched_field: "id",
      match: "exact",
    },
  ]);
  const [delivery] = (await service.control(deliveriesList, {})).items;
  const [event] = (await service.control(eventsList, {})).items;
  const ofDelivery = { kind: "delivery", id: delivery?.id, match: "exact" };
  const itsCall = { kind: "request", id: requestId, match: "exact" };
  for (const matched_field of ["id", "message_id"] as const)
    expect(await search(delivery?.[matched_field] ?? "")).toMatchObject([
      { ...itsCall, matched_field },
      { ...ofDelivery, matched_field },
    ]);
  expect(await search(event?.id ?? "")).toMatchObject([{ kind: "request", id: requestId, matched_field: "event_id" }]);
  const [subscription] = (await service.control(subscriptionsList, {})).items;
  expect(await search("webhooks/SINK")).toMatchObject([
    { kind: "subscription", id: subscription?.id, label: url, matched_field: "url", match: "contains" },
  ]);
  const test = await service.control(subscriptionsSendTest, { id: subscription?.id ?? "" });
  expect(await search(test.event_id)).toMatchObject([{ kind: "delivery", id: test.id, matched_field: "event_id" }]);
});

test("what nothing matches, and what is syntax elsewhere, finds nothing and breaks nothing", async () => {
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
    expect(await search(query), query).toEqual([]);
});

test("refuses a query that is none, too long or too many", async () => {
  const authorization = `Bearer ${service.ready.control_token}`;
  for (const body of [{}, { query: "" }, { query: "  " }, { query: "x".repeat(257) }, { query: "x", limit: 21 }]) {
    const answer = await service.post(pathOf(searchEverywhere), body, { authorization });
    expect(answer).toMatchObject({ status: 400, body: { type: "bad_request" } });
  }
});
