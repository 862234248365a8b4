import { afterAll, beforeAll, expect, test } from "vitest";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { requestExamples } from "../contract/openapi/examples.ts";
import { operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, type TestService } from "../testing/harness.ts";
import { buildSeedWorld } from "../worlds/seed/seed-world.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const SITE = requestExamples["repairer.jobs.insert"].repairer_site_id;
const JOB = { external: "estimate:88213" };

const send = (id: string, body: unknown) => {
  const operation = partnerOperations.find((one) => one.id === id);
  return service.post(operation ? operationPath(operation) : id, body, credentialHeaders(repairer));
};
const correct = async (id: string, body: unknown) => {
  const answer = await send(id, body);
  return service.control(requestsExplain, { id: answer.headers.get("x-request-id") ?? "" });
};
const insert = (more: object) => ({ identity: JOB, repairer_site_id: SITE, ...more });

test.each<[string, object, object]>([
  ["its choice", { if: { exists: "replace" } }, { if_: { exists: "replace" } }],
  ["its choice as a text", { on_conflict: "update" }, { if_: { exists: "update" } }],
  ["another word for it", { upsert: true }, { if_: { exists: "update" } }],
  [
    "a name that another field has",
    { if: { exists: "replace" }, jobNumber: "C-1" },
    { if_: { exists: "replace" }, job_number: "C-1" },
  ],
])("a misnamed if_ keeps %s, and no misnamed field is left", async (_what, sent, meant) => {
  const { refusal, correction } = await correct("repairer.jobs.insert", insert(sent));
  expect(refusal?.cause).toBe("job_exists");
  expect(correction?.body).toEqual(insert(meant));
  expect(refusal?.what_to_do).toContain(JSON.stringify(sent).includes("replace") ? "replace" : "update");
});

test("another word for a choice is corrected to it", async () => {
  const { correction } = await correct("repairer.jobs.insert", insert({ if_: { exists: "upsert" } }));
  expect(correction?.body).toEqual(insert({ if_: { exists: "update" } }));
});

const seed = buildSeedWorld();
const order = seed.procurements.find(
  ({ buyer_organization_id, reference }) =>
    reference !== null && buyer_organization_id === seed.credentials[0]?.organization_id,
);
const site = seed.businesses.find(({ id }) => id === SITE);
const fresh = (external: string, more: object) => insert({ identity: { external }, ...more });
const NO_VEHICLE = { chassis_number: null, plate_number: null, plate_state: null };

test.each<[string, string, object, object, string]>([
  [
    "an external ID sent as an ID",
    "repairer.jobs.get",
    { identity: { id: JOB.external } },
    { identity: JOB },
    'Send `/identity` as `{"external":"estimate:88213"}`.',
  ],
  [
    "an insurer's name sent as its ID",
    "repairer.jobs.insert",
    fresh("insurer", { work_provider_id: "Longreach Mutual" }),
    fresh("insurer", { work_provider_contract: "Longreach Mutual" }),
    'Send `/work_provider_contract` as `"Longreach Mutual"`.',
  ],
  [
    "an order's reference sent as its ID",
    "repairer.procurements.get",
    { identity: { id: order?.reference } },
    { identity: { id: order?.id } },
    `Send \`/identity/id\` as \`"${order?.id}"\`.`,
  ],
  [
    "a site's name",
    "repairer.jobs.insert",
    fresh("site", { repairer_site_id: site?.name }),
    fresh("site", {}),
    `Send \`/repairer_site_id\` as \`"${SITE}"\`.`,
  ],
  [
    "an order's ID sent as a job's",
    "repairer.jobs.get",
    { identity: { id: order?.id } },
    { identity: { id: order?.job_id } },
    `Send \`/identity/id\` as \`"${order?.job_id}"\`.`,
  ],
  [
    "a chassis number sent as the vehicle",
    "repairer.jobs.insert",
    fresh("chassis", { vehicle: "7A8DK0S1904128461" }),
    fresh("chassis", { vehicle: { ...NO_VEHICLE, chassis_number: "7A8DK0S1904128461" } }),
    "Send `/vehicle` as",
  ],
  [
    "a plate sent as the vehicle",
    "repairer.jobs.insert",
    fresh("plate", { vehicle: "NKR482" }),
    fresh("plate", { vehicle: { ...NO_VEHICLE, plate_number: "NKR482" } }),
    "Send `/vehicle` as",
  ],
])("corrects %s", async (_what, id, sent, meant, remedy) => {
  const { refusal, correction } = await correct(id, sent);
  expect(correction?.body).toEqual(meant);
  if (!remedy.endsWith(" as")) expect(refusal?.what_to_do).toBe(remedy);
  expect((await send(id, meant)).status).toBe(200);
});

test("corrects a price with separators", async () => {
  const confirmed = seed.procurements.find(
    ({ status, buyer_organization_id }) =>
      status === "order_confirmed" && buyer_organization_id === seed.credentials[0]?.organization_id,
  );
  const body = (unit_price: string) => ({ identity: { id: confirmed?.id }, lines: [{ quantity: 1, unit_price }] });
  const { refusal, correction } = await correct("repairer.invoices.reconcile", body("1,234.50"));
  expect(refusal?.what_to_do).toBe('Send `/lines/0/unit_price` as `"1234.50"`.');
  expect(correction?.body).toEqual(body("1234.50"));
  const lines = (...prices: string[]) => ({
    identity: { id: confirmed?.id },
    lines: prices.map((unit_price) => ({ quantity: 1, unit_price })),
  });
  const two = await correct("repairer.invoices.reconcile", lines("€12.50", "3.00", " 13.00"));
  expect(two.refusal?.pointers).toEqual(["/lines/0/unit_price", "/lines/2/unit_price"]);
  expect(two.correction?.body).toEqual(lines("12.50", "3.00", "13.00"));
  const some = await correct("repairer.invoices.reconcile", lines("€12.50", "1.005"));
  expect(some.refusal?.sentence).toMatch(/`\/lines\/1\/unit_price` has 3 decimals/);
  expect(some.correction).toBeNull();
});

test("names all invalid values of a call, and corrects them together", async () => {
  const part = (quantity: unknown) => ({ description: "Clip", quantity });
  const parts = (...quantities: unknown[]) => ({ job_identity: JOB, parts: quantities.map(part) });
  const all = await correct("repairer.jobs.parts.insert", parts("2", "3"));
  expect(all.refusal?.sentence).toBe(
    "`/parts/0/quantity` and `/parts/1/quantity` must be integer between 0 and 255 or null, but text was sent.",
  );
  expect(all.refusal?.what_to_do).toBe("Send `/parts/0/quantity` as `2` and `/parts/1/quantity` as `3`.");
  expect(all.correction?.body).toEqual(parts(2, 3));
  const some = await correct("repairer.jobs.parts.insert", parts("2", 300, "three", 1, -1, 1.5, "x"));
  expect(some.refusal?.sentence).toMatch(
    /^`\/parts\/0\/quantity`, `\/parts\/2\/quantity` and `\/parts\/6\/quantity` must be .* text was sent\. .* but `300` was/,
  );
  expect(some.refusal?.pointers).toHaveLength(6);
  expect(some.refusal?.what_to_do).toMatch(
    /^Send `\/parts\/0\/quantity` as `2`; correct `\/parts\/1\/quantity`, .* then/,
  );
  expect(some.correction).toBeNull();
});

test("corrects a numbered object to a list, and a decimal comma", async () => {
  const part = { description: "Clip", quantity: 1 };
  const listed = await correct("repairer.jobs.parts.insert", { job_identity: JOB, parts: { 0: part, 1: part } });
  expect(listed.correction?.body).toEqual({ job_identity: JOB, parts: [part, part] });
  const parts = (quantity: unknown) => ({ job_identity: JOB, parts: [{ ...part, quantity }] });
  expect((await correct("repairer.jobs.parts.insert", parts("2,0"))).correction?.body).toEqual(parts(2));
  expect((await correct("repairer.jobs.parts.insert", parts("1,000"))).correction).toBeNull();
  const offers = (...sellable_ids: string[]) => ({ job_identity: JOB, sellable_ids });
  const twice = await correct("repairer.procurements.place", offers(SITE, SITE));
  expect(twice.correction?.body).toEqual(offers(SITE));
  const { refusal } = await correct("repairer.procurements.place", { job_identity: JOB, sellable_ids: [] });
  expect(refusal?.sentence).toBe("`/sellable_ids` is an empty list: it must have at least one item.");
});

test("finds what each of several wrong values is", async () => {
  const { refusal, correction } = await correct(
    "repairer.jobs.insert",
    fresh("two", { repairer_site_id: site?.name, work_provider_id: "Longreach Mutual", claim_number: 5 }),
  );
  expect(refusal?.sentence).toMatch(/but a number was sent\. .*the name of a site\. .*holds an insurer’s name/);
  expect(correction?.body).toEqual(fresh("two", { claim_number: "5", work_provider_contract: "Longreach Mutual" }));
});

test.each([
  ["{{job_id}}", /^Set the variable/],
  ["job [object Object]", /^Send the object’s field/],
  ["[object Object]", /^Send the object’s field/],
])("tells what to do about the ID %j", async (value, remedy) => {
  for (const identity of [{ id: value }, { external: value }])
    if (!("external" in identity && value.includes("object")))
      expect((await correct("repairer.jobs.get", { identity })).refusal?.what_to_do).toMatch(remedy);
});
