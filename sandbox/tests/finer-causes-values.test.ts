import { afterAll, beforeAll, expect, test } from "vitest";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { accessCodesIssue, tracesGet } from "../contract/control/operations.ts";
import { clockAdvance, worldsReset } from "../contract/control/world-operations.ts";
import { fixedClients } from "../contract/demo-values.ts";
import { operationPath } from "../contract/operation.ts";
import {
  basketsLatestGet,
  businessesList,
  integrationsInsert,
  partnerOperations,
  partsInsert,
  procurementsPlace,
  uploadsPrepare,
} from "../contract/operations/partner.ts";
import {
  credentialHeaders,
  repairer,
  type ServiceResponse,
  startTestService,
  supplier,
  type TestService,
} from "../testing/harness.ts";
import { buildSeedWorld } from "../worlds/seed/seed-world.ts";

let service: TestService;
const seed = buildSeedWorld();
const site = seed.businesses.find(
  ({ type, organization_id }) => type === "repairer_site" && organization_id === seed.credentials[0]?.organization_id,
);
const SITE = site?.id ?? "";
const OTHER_WORLD = "values-reset";

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const pathTo = (id: string): string => {
  const found = partnerOperations.find((one) => one.id === id);
  if (!found) throw new Error(`no operation ${id}`);
  return operationPath(found);
};
interface Sent {
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly method?: string;
}
const call = (
  id: string,
  { body = "{}", headers = {}, query = "", method = "POST" }: Sent = {},
): Promise<ServiceResponse> =>
  service.raw(`${pathTo(id)}${query}`, {
    method,
    headers: { "content-type": "application/json", ...credentialHeaders(repairer), ...headers },
    ...(method === "POST" ? { body } : {}),
  });
const send = (id: string, body: object, headers = {}): Promise<ServiceResponse> =>
  call(id, { body: JSON.stringify(body), headers });
const explain = (answer: ServiceResponse, world = "default") =>
  service.control(requestsExplain, { world, id: answer.headers.get("x-request-id") ?? "" });
const insert = (more: object): Promise<ServiceResponse> =>
  send("repairer.jobs.insert", { identity: { external: "values" }, repairer_site_id: SITE, ...more });
const get = (identity: object): Promise<ServiceResponse> => send("repairer.jobs.get", { identity });

test.each([
  [
    "an empty text for an ID",
    { work_provider_id: "" },
    /`\/work_provider_id` is an empty text: it must be a UUID/,
    /as `null`\.$/,
  ],
  [
    "a site's name",
    { repairer_site_id: site?.name },
    /holds the name of a site\. Send its ID, `[0-9a-f-]{36}`\.$/,
    /./,
  ],
  [
    "pictures as the API returns them",
    { images: [{ public_url: "https://a.example/1.jpg" }] },
    /but an object was sent/,
    /Send `\/images\/0` as `"https:\/\/a\.example\/1\.jpg"`/,
  ],
  [
    "a site with a line break",
    { repairer_site_id: `${SITE}\n` },
    /must be a UUID, and is right but for a trailing space or line break/,
    /^Send `\/repairer_site_id` as `"[0-9a-f-]{36}"`\.$/,
  ],
  ["a picture’s path", { images: ["C:\\\\pics\\\\a.jpg"] }, /holds the path of a file, not an address/, /./],
  ["a plate", { vehicle: "ABC123" }, /the text looks like its `plate_number`\.$/, /"plate_number":"ABC123"/],
  ["a chassis number", { vehicle: "7A8BM6F2CW5583636" }, /looks like its `chassis_number`\.$/, /"chassis_number":"7A8/],
  ["a description", { vehicle: "a red hatchback" }, /^`\/vehicle` must be object/, /./],
  [
    "an empty choice for a job that exists",
    { identity: { external: "estimate:88213" }, if_: null },
    /`null` was sent\. The job exists already/,
    /^Send `\/if_` as `\{"exists":"update"\}`\.$/,
  ],
  ["a picture itself", { images: ["data:image/png;base64,AA"] }, /holds the picture itself, not its address/, /./],
])("explains %s in an insert", async (_what, more, sentence, remedy) => {
  const { refusal } = await explain(await insert(more));
  expect(refusal).toMatchObject({ cause: "shape", sentence: expect.stringMatching(sentence) });
  expect(refusal?.what_to_do).toMatch(remedy);
});

test("proposes the only value of a field, even if two are swapped", async () => {
  const { correction } = await explain(
    await send("uploads.prepare", { file_name: "a.jpg", media_type: "job_media", type: "image" }),
  );
  expect(correction?.body).toEqual({ file_name: "a.jpg", media_type: "image", type: "job_media" });
});

test("names fields that an operation doesn't have", async () => {
  const byNumber = await explain(await get({ repairer_site_id: SITE, job_number: "J-1" }));
  expect(byNumber.refusal?.sentence).toBe(
    "`repairer_site_id` and `job_number` aren’t fields here and were ignored. Exactly one of `id` and `external` is needed.",
  );
  const byExternal = await explain(await send("repairer.procurements.get", { identity: { external: "x" } }));
  expect(byExternal.refusal?.sentence).toBe(
    "`external` isn’t a field here and was ignored. `/identity/id` is missing.",
  );
});

test("names the order whose reference was sent as its ID", async () => {
  const own = seed.procurements.find(
    ({ buyer_organization_id, reference }) =>
      reference !== null && buyer_organization_id === seed.credentials[0]?.organization_id,
  );
  const { refusal } = await explain(await send("repairer.procurements.get", { identity: { id: own?.reference } }));
  expect(refusal?.sentence).toBe(`\`/identity/id\` holds the reference of an order. Send its ID, \`${own?.id}\`.`);
});

test("recognises another spelling of an external ID, but no other ID", async () => {
  await insert({ identity: { external: "WO/7 A" } });
  const { refusal } = await explain(await get({ external: encodeURIComponent("WO/7 A") }));
  expect(refusal?.sentence).toBe("`external` is percent-encoded: the job has `WO/7 A`.");
  expect(refusal?.what_to_do).toBe('Send `/identity/external` as `"WO/7 A"`.');
  expect((await explain(await get({ external: "WO/7 B" }))).refusal?.sentence).toMatch(/^Job not found/);
});

test("tells that a world had no insert since its reset", async () => {
  const tenant = { "x-sandbox-tenant": "values-empty" };
  const read = () => send("repairer.jobs.get", { identity: { external: "from before" } }, tenant);
  expect((await explain(await read(), "values-empty")).refusal?.sentence).toMatch(
    /^No job was inserted since this world was created or reset, .* before this call\.$/,
  );
  await send("repairer.jobs.insert", { identity: { external: "new" }, repairer_site_id: SITE }, tenant);
  expect((await explain(await read(), "values-empty")).refusal?.sentence).toMatch(/^Job not found/);
});

test("tells that an empty job number is taken", async () => {
  await insert({ identity: { external: "no number" }, job_number: "" });
  const { refusal } = await explain(await insert({ identity: { external: "none either" }, job_number: "" }));
  expect(refusal).toMatchObject({ cause: "job_number_taken", sentence: expect.stringMatching(/is an empty text/) });
});

test("tells that the insert of an unknown job was refused", async () => {
  const refused = await insert({ identity: { external: "never made" }, claim_number: 12 });
  const { refusal } = await explain(await get({ external: "never made" }));
  expect(refusal).toMatchObject({
    cause: "job_unknown",
    earlier: refused.headers.get("x-request-id"),
    sentence: expect.stringMatching(
      /^The job doesn’t exist, because its insert was refused with 422, [\d.]+ m?s before this/,
    ),
  });
});

test("explains a form, and a body cut inside a character", async () => {
  const form = await explain(
    await call("repairer.jobs.get", { body: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } }),
  );
  expect(form.refusal).toMatchObject({ cause: "media_type", sentence: expect.stringMatching(/^The body is a form: /) });
  const whole = Buffer.from('{"identity": {"external": "ü');
  const cut = await explain(await call("repairer.jobs.get", { body: new Uint8Array(whole.subarray(0, -1)) }));
  expect(cut.refusal).toMatchObject({ cause: "json_cut", sentence: expect.stringMatching(/ends inside a character/) });
  const latin1 = await explain(
    await call("repairer.jobs.get", { body: new Uint8Array(Buffer.from('{"a":"ü"}', "latin1")) }),
  );
  expect(latin1.refusal?.cause).toBe("json_encoding");
});

test("notes what was ignored of the headers, the body and the address", async () => {
  const { api_key, integration_id } = repairer;
  const answer = await service.raw(`${operationPath(businessesList)}?api_key=${api_key}&page=2&world=acme`, {
    headers: { "service-integration-id": integration_id, "idempotency-key": "1" },
    body: JSON.stringify({ headers: { Authorization: `Bearer ${api_key}` } }),
  });
  expect((await explain(answer)).notes).toEqual([
    "The header idempotency-key was ignored. The identity of a job or a part says whether a call is repeated.",
    "The parameter api_key of the address was ignored. Send the key as authorization: Bearer <api_key>.",
    "The parameter page of the address was ignored. Lists are returned whole, without pages.",
    "The parameter world of the address was ignored, and the call went to world default. Name the world in the header x-sandbox-tenant.",
    "The body has credentials. They are read from the headers only.",
  ]);
});

test("explains a browser's preflight", async () => {
  const answer = await call("businesses.list", {
    method: "OPTIONS",
    headers: { origin: "http://127.0.0.1:3000", "access-control-request-method": "POST" },
  });
  const { refusal } = await explain(answer);
  expect(refusal?.sentence).toMatch(/^A browser asked whether a page/);
  expect(refusal?.what_to_do).toMatch(/not from a page in a browser/);
});

test("says that a code has text around it", async () => {
  const { client_id, client_secret } = fixedClients.demo;
  const { access_code } = await service.control(accessCodesIssue, {
    client_id,
    organization_id: seed.credentials[0]?.organization_id ?? "",
    scope: "repairer",
  });
  const sent = { client_id, client_secret, access_code: `code=${access_code}` };
  expect((await explain(await send("integrations.insert", sent))).refusal?.sentence).toMatch(
    /right, but has `code=` before it\.$/,
  );
});

test("explains an upload address that expired by the clock", async () => {
  const world = { ...repairer, world: "values-clock" };
  const prepared = await send(
    uploadsPrepare.id,
    { file_name: "a.jpg", media_type: "image", type: "job_media" },
    { "x-sandbox-tenant": world.world },
  );
  const { upload_url } = JSON.parse(prepared.text) as { upload_url: string };
  await service.control(clockAdvance, { world: world.world, seconds: 901 });
  const { pathname, search } = new URL(upload_url);
  const answer = await service.raw(`${pathname}${search}`, { method: "PUT", body: "x" });
  expect((await explain(answer, world.world)).refusal?.sentence).toMatch(
    /^The address expired because this world’s clock was moved 15 min 1 s ahead/,
  );
});

test("says of no ID of a program’s own that it is from before a reset", async () => {
  const hex = (Date.now() - 60_000).toString(16).padStart(12, "0");
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8def-0123456789ab`;
  expect((await explain(await get({ id }))).refusal?.cause).toBe("job_unknown");
  const { refusal } = await explain(await send("businesses.list", {}, { "service-integration-id": id }));
  expect(refusal?.sentence).not.toMatch(/from before/);
});

test("tells that an integration is from before a reset", async () => {
  const { client_id, client_secret } = fixedClients.demo;
  const organization_id = seed.credentials[0]?.organization_id ?? "";
  const issued = { world: OTHER_WORLD, client_id, organization_id, scope: "repairer" } as const;
  const { access_code } = await service.control(accessCodesIssue, issued);
  const tenant = { "x-sandbox-tenant": OTHER_WORLD };
  const installed = await send(integrationsInsert.id, { client_id, client_secret, access_code }, tenant);
  const { api_key, integration_id } = JSON.parse(installed.text) as { api_key: string; integration_id: string };
  await service.control(worldsReset, { world: OTHER_WORLD });
  const answer = await send(
    "businesses.list",
    {},
    { ...tenant, authorization: `Bearer ${api_key}`, "service-integration-id": integration_id },
  );
  expect((await explain(answer, OTHER_WORLD)).refusal).toMatchObject({
    sentence: expect.stringMatching(/^The key is from before the world was reset, .* before this call\.$/),
    whose_side: "sandbox",
  });
});

test("warns of calls that were accepted, but did nothing or the same again", async () => {
  const made = await insert({ identity: { external: "first" }, claim_number: "CL-77" });
  expect((await explain(made)).warning).toBeUndefined();
  const second = await insert({ identity: { external: "second" }, claim_number: "CL-77" });
  expect((await explain(second)).warning).toMatch(
    /^This may be a duplicate: the same program inserted job first .* earlier, with the same claim number and another identity\./,
  );
  const updated = await insert({ identity: { external: "second" }, claim_number: "CL-77", if_: { exists: "update" } });
  expect((await explain(updated)).warning).toBeUndefined();

  const unnamed = await insert({ identity: { external: "{{id}}" } });
  expect((await explain(unnamed)).warning).toMatch(/^`external` holds a placeholder.* names the same job\.$/);
  const job_identity = { external: "second" };
  for (const [id, sentence] of [
    [basketsLatestGet.id, /^The basket is empty/],
    ["repairer.jobs.parts.list", /had no parts in this world/],
    ["repairer.procurements.list", /nothing was ordered/],
  ] as const)
    expect((await explain(await send(id, { job_identity }))).warning).toMatch(sentence);
  const parts = [{ description: "Mirror" }];
  expect(
    (await explain(await send(partsInsert.id, { job_identity: { external: "first" }, parts }))).warning,
  ).toBeUndefined();
  const again = await send(partsInsert.id, { job_identity: { external: "first" }, parts });
  expect((await explain(again)).warning).toMatch(/inserted these parts, so the job has them twice/);
  const none = await send(partsInsert.id, { job_identity: { external: "first" }, parts: [] });
  expect((await explain(none)).warning).toMatch(/nothing was inserted/);
  expect((await service.control(tracesGet, { id: none.headers.get("x-request-id") ?? "" })).changes).toEqual([]);

  const empty = { job_identity, sellable_ids: ["00000000-0000-4000-8000-000000000000"] };
  expect((await explain(await send(procurementsPlace.id, empty))).refusal?.sentence).toMatch(/because it has no parts/);
  await service.ok(partsInsert, { job_identity, parts: [{ description: "Front bumper", quantity: 1 }] }, repairer);
  const { offers } = await service.ok(basketsLatestGet, { job_identity }, repairer);
  const sellers = await service.ok(businessesList, {}, supplier);
  const offer = offers.find(({ supplier_business_id }) => supplier_business_id === sellers.items[0]?.id);
  const order = { job_identity, sellable_ids: [offer?.sellable_id] };
  const placed = await send(procurementsPlace.id, order);
  expect((await explain(placed)).warning).toBeUndefined();
  expect((await explain(await send(procurementsPlace.id, order))).warning).toMatch(
    /^A part was already in order .*, and is now ordered twice\./,
  );

  const [{ id } = { id: "" }] = (JSON.parse(placed.text) as { items: { id: string }[] }).items;
  const confirm = () => send("supplier.procurements.confirm", { identity: { id } }, credentialHeaders(supplier));
  expect((await explain(await confirm())).warning).toBeUndefined();
  expect((await explain(await confirm())).warning).toMatch(/^The order was already confirmed/);
});
