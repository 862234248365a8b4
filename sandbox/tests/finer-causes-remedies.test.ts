import http from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { faultsSet } from "../contract/control/fault-operations.ts";
import { accessCodesIssue, requestsList } from "../contract/control/operations.ts";
import { tokensCreate } from "../contract/control/service-operations.ts";
import { clockAdvance, clockReset, worldsReset } from "../contract/control/world-operations.ts";
import { fixedClients } from "../contract/demo-values.ts";
import { operationPath } from "../contract/operation.ts";
import { jobsInsert } from "../contract/operations/partner.ts";
import { explainedCalls, pathTo } from "../testing/explained-calls.ts";
import { credentialHeaders, repairer, startTestService, type TestService } from "../testing/harness.ts";
import { buildSeedWorld } from "../worlds/seed/seed-world.ts";

let service: TestService;
const seed = buildSeedWorld();
const buyer = seed.credentials[0]?.organization_id ?? "";
const SITE = seed.businesses.find(({ type, organization_id }) => type === "repairer_site" && organization_id === buyer);
const JOB = seed.jobs.find(({ external_id }) => external_id === "estimate:88213");

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const { sendTo, explainId, explain } = explainedCalls(() => service);
const job = (external: string, more = {}) => ({ identity: { external }, repairer_site_id: SITE?.id, ...more });

test("gives the value where the service knows it", async () => {
  const get = async (identity: object) => (await explain("repairer.jobs.get", { identity })).refusal;
  expect((await get({ id: "J-20418" }))?.what_to_do).toBe(`Send \`/identity/id\` as \`"${JOB?.id}"\`.`);
  expect((await get({ external: "J-20418" }))?.what_to_do).toBe('Send `/identity` as `{"external":"estimate:88213"}`.');
  expect((await get({ external: JOB?.id }))?.what_to_do).toBe(`Send \`/identity\` as \`{"id":"${JOB?.id}"}\`.`);
  const order = seed.procurements.find(({ buyer_organization_id }) => buyer_organization_id === buyer);
  const item = await explain("repairer.procurements.get", { identity: { id: order?.source_items[0]?.id } });
  expect(item.refusal?.what_to_do).toContain(`\`"${order?.id}"\``);
  const ofJob = await explain("repairer.procurements.get", { identity: { id: order?.job_id } });
  expect(ofJob.refusal?.what_to_do).toContain(order?.id);
});

test("gives the integration ID of a known key, and the step from a code to a key", async () => {
  const list = async (headers: Readonly<Record<string, string>>) =>
    (await explain("businesses.list", {}, { headers })).refusal?.what_to_do;
  const own = `Send \`Service-Integration-ID: ${repairer.integration_id}\` with this key.`;
  expect(await list({ "service-integration-id": buyer })).toBe(own);
  expect(await list({ "service-integration-id": "my-app" })).toBe(own);
  expect(await list({ "service-integration-id": "" })).toBe(own);
  expect(await list({ authorization: "Bearer ac_abcdefgh" })).toMatch(
    /^Exchange the code for a key first: call `integrations\.insert`/,
  );
});

test("names the client of a secret", async () => {
  const { client_secret, client_id } = fixedClients.demo;
  const { refusal } = await explain("integrations.insert", { client_id: "mine", client_secret, access_code: "x" });
  expect(refusal).toMatchObject({ what_to_do: expect.stringContaining(`Send \`client_id\` as \`${client_id}\`. `) });
});

test("tells apart a form and JSON of another media type", async () => {
  const headers = { "content-type": "text/plain;charset=UTF-8" };
  const json = await explain("repairer.jobs.get", { identity: { external: "estimate:88213" } }, { headers });
  expect(json.refusal?.what_to_do).toBe(
    "Send the same body with `Content-Type: application/json`. It is JSON already.",
  );
  const text = await explain("repairer.jobs.get", null, { headers, text: "estimate:88213" });
  expect(text.refusal?.what_to_do).toMatch(/^Write the fields as JSON/);
});

test.each([
  [
    "/api/2026-01/repairer.procurements.place",
    /is an extension of this sandbox, outside the contract/,
    "/__extensions/",
  ],
  [
    "/api/2026-01/repairer.jobs.update",
    /`repairer\.jobs\.insert` also updates a job, with `if_`/,
    '{"exists":"update"}',
  ],
  ["/api/2026-01/repairer.jobs.parts.delete", /^No operation deletes a part\.$/, "`quantity` 0"],
  ["/api/2026-01/repairer.jobs.list", /^No operation lists jobs\.$/, "repairer.jobs.get"],
  [
    "/api/2026-01/supplier.procurements.list",
    /^No operation lists a supplier’s orders\.$/,
    "supplier.procurements.get",
  ],
  ["/api/2026-01/supplier.procurements.reject", /^Both sides cancel an order/, "/__extensions/"],
  ["/oauth/token", /no token endpoint: `integrations\.insert` exchanges the code/, "as JSON to `/api/"],
  ["/oauth/authorize", /another address/, "/__oauth/authorize"],
  ["/api/2026-01/webhooks.subscribe", /outside the contract/, "/__webhooks/subscribe"],
  [
    "/api/2026-01/api/2026-01/businesses.list",
    /^The address has `\/api\/2026-01` twice\.$/,
    "`/api/2026-01/businesses.list`",
  ],
  ["/api/2026-01/repairer/jobs/get", /written with dots: `repairer\.jobs\.get`/, "`/api/2026-01/repairer.jobs.get`"],
  ["/api/2026-01/clock.advance", /an operation of the control plane/, "`/__sandbox/clock.advance`"],
  ["/api/businesses.list", /^The address has no version/, "`/api/2026-01/businesses.list`"],
  ["/api/2026-01/businesses.list/", /ends with a slash/, "`/api/2026-01/businesses.list`"],
  ["/api/2026-01/Businesses.List", /upper-case letters/, "`/api/2026-01/businesses.list`"],
  ["/__extensions/2026-01/businesses.list", /an operation of the contract/, "`/api/2026-01/businesses.list`"],
])("%s: says which operation is meant", async (path, sentence, remedy) => {
  const { refusal, nearest } = await explain(path, {});
  expect(refusal?.sentence).toMatch(sentence);
  expect(refusal?.what_to_do).toContain(remedy);
  expect(nearest?.addresses.length).toBeGreaterThan(0);
});

test("quotes a world's name and the character that no name has", async () => {
  const names = { "acme corp": /is `acme corp`\. It has a space in it/, "acme/eu": /the character `\/`/ };
  for (const [name, sentence] of Object.entries(names)) {
    const answer = await sendTo(pathTo("businesses.list"), {}, { world: name });
    const { refusal } = await explainId(answer.headers.get("x-request-id") ?? "");
    expect(refusal?.sentence).toMatch(sentence);
    expect(refusal?.what_to_do).toContain(`such as \`${name.replace(/[ /]/, "-")}\``);
  }
});

test("a moved clock is the sandbox's side, and its reset makes the address work again", async () => {
  const world = "remedies-clock";
  const prepare = { file_name: "a.gif", media_type: "image", type: "job_media" };
  const prepared = await sendTo(pathTo("uploads.prepare"), prepare, { world });
  const { pathname, search } = new URL((JSON.parse(prepared.text) as { upload_url: string }).upload_url);
  await service.control(clockAdvance, { world, seconds: 901 });
  const put = () => service.raw(`${pathname}${search}`, { method: "PUT", body: "GIF89a" });
  const { refusal } = await explainId((await put()).headers.get("x-request-id") ?? "", world);
  expect(refusal).toMatchObject({ cause: "upload_clock", whose_side: "sandbox" });
  expect(refusal?.what_to_do).toMatch(/`clock\.reset`/);
  await service.control(clockReset, { world });
  expect((await put()).status).toBe(200);

  const { client_id, client_secret } = fixedClients.demo;
  const issued = { world, client_id, organization_id: buyer, scope: "repairer" } as const;
  const { access_code } = await service.control(accessCodesIssue, issued);
  await service.control(clockAdvance, { world, seconds: 901 });
  const install = { client_id, client_secret, access_code };
  expect((await explain("integrations.insert", install, { world })).refusal).toMatchObject({
    ...{ cause: "access_code_clock", whose_side: "sandbox" },
    what_to_do: "Put the clock back with `clock.reset`, or get a new access code.",
  });
});

test("an upload's address that was escaped is recorded in its world", async () => {
  const world = "remedies-escaped";
  const prepare = { file_name: "a.gif", media_type: "image", type: "job_media" };
  const prepared = await sendTo(pathTo("uploads.prepare"), prepare, { world });
  const { pathname, search } = new URL((JSON.parse(prepared.text) as { upload_url: string }).upload_url);
  for (const written of ["&amp;", "\\u0026", "%26"]) {
    const answer = await service.raw(`${pathname}${search.replaceAll("&", written)}`, {
      method: "PUT",
      body: "GIF89a",
    });
    const { refusal } = await explainId(answer.headers.get("x-request-id") ?? "", world);
    expect(refusal?.sentence).toBe(
      `Each \`&\` in the address was ${written === "%26" ? "percent-encoded as" : "written as"} \`${written}\`.`,
    );
  }
});

test("a refusal that follows from a fault of an earlier call names the fault", async () => {
  const world = "remedies-fault";
  const effect = { error: { status: 503, when: "after" } } as const;
  await service.control(faultsSet, { world, name: "drill", operation: jobsInsert.id, effect, uses: 1 });
  await sendTo(pathTo(jobsInsert.id), job("faulty"), { world });
  expect((await explain(jobsInsert.id, job("faulty"), { world })).refusal).toMatchObject({
    ...{ cause: "job_exists", whose_side: "fault", earlier: expect.any(String) },
    sentence: expect.stringMatching(/ earlier\. The fault “drill” returned 503 in place of its response\.$/),
  });
  await service.control(faultsSet, { world, operation: jobsInsert.id, effect: { error: { status: 500 } }, uses: 1 });
  await sendTo(pathTo(jobsInsert.id), job("never"), { world });
  expect((await explain("repairer.jobs.get", { identity: { external: "never" } }, { world })).refusal).toMatchObject({
    ...{ cause: "job_unknown", whose_side: "fault", earlier: expect.any(String) },
    sentence: expect.stringMatching(/ never ran: a fault returned 500 in place of its response\.$/),
  });
});

test("an insert that never ran did not create a job of the seed", async () => {
  const world = "remedies-seed";
  const effect = { error: { status: 503 } } as const;
  await service.control(faultsSet, { world, operation: jobsInsert.id, effect, uses: 1 });
  await sendTo(pathTo(jobsInsert.id), job("estimate:88213"), { world });
  const { refusal } = await explain(jobsInsert.id, job("estimate:88213"), { world });
  expect(refusal?.whose_side).toBe("partner");
  expect(refusal?.sentence).not.toMatch(/This program created/);
});

test("a test value is named as the cause of its response and of a delay", async () => {
  const world = "remedies-test-values";
  for (const answer of ["not_found", "429", "500*2", "unprocessable"])
    await sendTo(pathTo(jobsInsert.id), job(answer, { claim_number: `test:answer=${answer}` }), { world });
  for (const answer of ["not_found", "429", "500*2", "unprocessable"]) {
    const { refusal, checks } = await explain("repairer.jobs.get", { identity: { external: answer } }, { world });
    expect(refusal).toMatchObject({ cause: "fault", whose_side: "fault" });
    expect(refusal?.sentence).toContain(`has the test value \`test:answer=${answer}\`, which asks for this response`);
    expect(refusal?.what_to_do).toContain(
      answer === "500*2" ? "responds to 2 calls that name" : "responds to one call",
    );
    expect(checks.find(({ verdict }) => verdict === "refused")?.name).toBe("Test value");
    expect(checks.map(({ check }) => check)).not.toContain("rules");
  }
  await sendTo(pathTo(jobsInsert.id), job("slow", { claim_number: "test:delay=5s" }), { world });
  await new Promise<void>((resolve) => {
    const headers = { ...credentialHeaders(repairer), "x-sandbox-tenant": world, "content-type": "application/json" };
    const options = { method: "POST", path: pathTo("repairer.jobs.get"), headers };
    const sent = http.request(service.baseUrl, options).on("error", () => resolve());
    sent.end(JSON.stringify({ identity: { external: "slow" } }));
    setTimeout(() => sent.destroy(), 100);
  });
  await expect.poll(async () => (await service.control(requestsList, { world, limit: 1 })).items[0]?.status).toBe(0);
  const [last] = (await service.control(requestsList, { world, limit: 1 })).items;
  expect((await explainId(last?.id ?? "", world)).refusal).toMatchObject({
    ...{ cause: "fault", whose_side: "fault" },
    sentence: expect.stringMatching(/`test:delay=5s`, and the caller did not wait so long\. The call never ran\.$/),
  });
});

test("a subscription with an organization's or a business's ID names the integration's", async () => {
  for (const id of [buyer, SITE?.id]) {
    const body = { integration_id: id, url: "http://127.0.0.1:9/" };
    const { warning } = await explain("/__webhooks/subscribe", body);
    expect(warning).toMatch(/^This is the ID of the (?:organization|business) .*, not of an integration\./);
    expect(warning).toContain(`\`${repairer.integration_id}\``);
  }
});

test("an offer of another job is named, also for a job without parts", async () => {
  const world = "remedies-offers";
  const basket = await sendTo(pathTo("repairer.jobs.baskets.latest.get"), { job_identity: { id: JOB?.id } }, { world });
  const { offers } = JSON.parse(basket.text) as { readonly offers: readonly { readonly sellable_id: string }[] };
  await sendTo(pathTo(jobsInsert.id), job("no parts"), { world });
  const place = { job_identity: { external: "no parts" }, sellable_ids: [offers[0]?.sellable_id] };
  const { refusal } = await explain("repairer.procurements.place", place, { world });
  expect(refusal?.sentence).toMatch(/^The offer is of job .* The job that the call names has no parts/);
  expect(refusal?.what_to_do).toContain(`{"id":"${JOB?.id}"}`);
});

test("names the world in whose basket an offer is", async () => {
  const job_identity = { external: "of another world" };
  await sendTo(pathTo(jobsInsert.id), job(job_identity.external), { world: "offers" });
  await sendTo(pathTo("repairer.jobs.parts.insert"), { job_identity, parts: [{}] }, { world: "offers" });
  const basket = await sendTo(pathTo("repairer.jobs.baskets.latest.get"), { job_identity }, { world: "offers" });
  const { offers } = JSON.parse(basket.text) as { readonly offers: readonly { readonly sellable_id: string }[] };
  const place = { job_identity: { id: JOB?.id }, sellable_ids: [offers[0]?.sellable_id] };
  expect((await explain("repairer.procurements.place", place)).refusal).toMatchObject({
    sentence: expect.stringMatching(/^The basket with this offer is in world offers\. This call went to default/),
  });
});

test("says what is wrong with a price, a choice, a picture's form and a job's order", async () => {
  const confirmed = seed.procurements.find(
    ({ status, buyer_organization_id }) => status === "order_confirmed" && buyer_organization_id === buyer,
  );
  const reconcile = async (unit_price: string) => {
    const body = { identity: { id: confirmed?.id }, lines: [{ quantity: 1, unit_price }] };
    return (await explain("repairer.invoices.reconcile", body)).refusal?.sentence;
  };
  expect(await reconcile("10.0055")).toBe("`/lines/0/unit_price` has 4 decimals, more than the currency.");
  expect(await reconcile("1,548")).toMatch(/may be of thousands or of decimals\.$/);
  expect(await reconcile("1000001")).toMatch(/more than a million\.$/);
  expect(await reconcile("ten")).not.toMatch(/million\.$/);
  const thousands = { identity: { id: confirmed?.id }, lines: [{ quantity: 1, unit_price: "1,548.00" }] };
  expect((await explain("repairer.invoices.reconcile", thousands)).refusal?.what_to_do).toBe(
    'Send `/lines/0/unit_price` as `"1548.00"`.',
  );
  const [one, two] = seed.businesses.filter(({ type }) => type === "insurer");
  const insurers = { work_provider_id: one?.organization_id, work_provider_contract: two?.name };
  expect((await explain(jobsInsert.id, job("insurers", insurers))).refusal).toMatchObject({
    ...{ cause: "work_providers_differ", pointers: ["/work_provider_contract", "/work_provider_id"] },
  });
  const { refusal: choice } = await explain(jobsInsert.id, job("choice", { if_: { exists: "ignore" } }));
  expect(choice?.what_to_do).toBe('Send `/if_/exists` as `"update"` or `"replace"`.');

  const prepare = { file_name: "a.bmp", media_type: "image", type: "job_media" };
  const prepared = await sendTo(pathTo("uploads.prepare"), prepare);
  const { pathname, search } = new URL((JSON.parse(prepared.text) as { upload_url: string }).upload_url);
  const put = await service.raw(`${pathname}${search}`, { method: "PUT", body: `BM${"x".repeat(40)}` });
  expect((await explainId(put.headers.get("x-request-id") ?? "")).refusal).toMatchObject({
    ...{ sentence: "The body is a BMP picture.", what_to_do: "Send the picture as PNG, JPEG, WebP, GIF or HEIC." },
  });

  const requested = seed.procurements.find(
    ({ status, buyer_organization_id }) => status === "order_requested" && buyer_organization_id === buyer,
  );
  const { refusal } = await explain("repairer.jobs.delete", { identity: { id: requested?.job_id } });
  expect(refusal?.what_to_do).toMatch(/^Cancel order `[0-9a-f-]{36}` with `procurements\.cancel` first\.$/);
});

test("names the job of a part", async () => {
  const parts = await sendTo(pathTo("repairer.jobs.parts.list"), { job_identity: { id: JOB?.id } });
  const { items } = JSON.parse(parts.text) as { readonly items: readonly { readonly id: string }[] };
  const { refusal } = await explain("repairer.jobs.get", { identity: { id: items[0]?.id } });
  expect(refusal?.what_to_do).toBe(`Send \`/identity/id\` as \`"${JOB?.id}"\`.`);
});

test("warns of pictures that nobody can read, and notes an insert in place of an update", async () => {
  const prepare = { file_name: "a.gif", media_type: "image", type: "job_media" };
  const prepared = JSON.parse((await sendTo(pathTo("uploads.prepare"), prepare)).text) as {
    readonly upload_url: string;
    readonly public_url: string;
  };
  const warn = async (external: string, url: string) =>
    (await explain(jobsInsert.id, job(external, { images: [url] }))).warning;
  expect(await warn("picture 1", prepared.upload_url)).toMatch(/^`\/images\/0` is an `upload_url`/);
  expect(await warn("picture 2", prepared.public_url)).toMatch(/^The picture of `\/images\/0` has not been uploaded\./);
  const { pathname, search } = new URL(prepared.upload_url);
  await service.raw(`${pathname}${search}`, { method: "PUT", body: "GIF89a" });
  expect(await warn("picture 3", prepared.public_url)).toBeUndefined();

  const update = (external: string) => explain(jobsInsert.id, job(external, { if_: { exists: "update" } }));
  const note = "No job had this `identity`, so the call inserted a new one. `if_` applies only to a job that exists.";
  expect((await update("not there")).notes).toContain(note);
  expect((await update("estimate:88213")).notes ?? []).not.toContain(note);
  const again = await explain(jobsInsert.id, job("estimate:88213"));
  expect(again.refusal?.sentence).not.toMatch(/This program created/);
  expect((await update("not there")).notes ?? []).not.toContain(note);
});

test("an upload from before a reset of its world is said to be", async () => {
  const world = "remedies-reset";
  const prepare = { file_name: "a.gif", media_type: "image", type: "job_media" };
  const prepared = await sendTo(pathTo("uploads.prepare"), prepare, { world });
  const { pathname, search } = new URL((JSON.parse(prepared.text) as { upload_url: string }).upload_url);
  await service.control(worldsReset, { world });
  const put = await service.raw(`${pathname}${search}`, { method: "PUT", body: "GIF89a" });
  expect((await explainId(put.headers.get("x-request-id") ?? "", world)).refusal?.sentence).toMatch(
    /^The upload was prepared before world remedies-reset was (?:created or )?reset, .* before this call\.$/,
  );
});

test("explains a call to a world that doesn't exist, to operators only", async () => {
  const { client_id, client_secret } = fixedClients.demo;
  const issued = { world: "remedies-there", client_id, organization_id: buyer, scope: "repairer" } as const;
  const { access_code } = await service.control(accessCodesIssue, issued);
  const installed = await sendTo(
    pathTo("integrations.insert"),
    { client_id, client_secret, access_code },
    { world: "remedies-there" },
  );
  const { api_key, integration_id } = JSON.parse(installed.text) as { api_key: string; integration_id: string };
  const headers = { authorization: `Bearer ${api_key}`, "service-integration-id": integration_id };
  const answer = await sendTo(pathTo("businesses.list"), {}, { world: "remedies-ther", headers });
  const id = answer.headers.get("x-request-id") ?? "";
  await expect.poll(async () => (await service.control(requestsExplain, { id }).catch(() => null))?.id).toBe(id);
  const { refusal } = await explainId(id);
  expect(refusal).toMatchObject({ cause: "key_of_other_world", code: "unauthorized" });
  expect(refusal?.sentence).toBe(
    "World remedies-ther doesn’t exist. The integration ID belongs to world remedies-there.",
  );
  expect(refusal?.what_to_do).toMatch(/^Send `x-sandbox-tenant: remedies-there` with the call\.$/);
  const { token } = await service.control(tokensCreate, { name: "Partner", scope: "view" });
  const ofPartner = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const path = operationPath(requestsExplain);
  const asked = await service.raw(path, { headers: ofPartner, body: JSON.stringify({ world: "default", id }) });
  expect(asked.status).toBe(404);
});

test("an order that a test value cancelled, and offers that a test value or a change took away", async () => {
  const world = "remedies-acts";
  const claim = (claim_number: string) =>
    sendTo(pathTo(jobsInsert.id), job("estimate:88213", { claim_number, if_: { exists: "update" } }), { world });
  await claim("test:cancel-after=0s");
  const job_identity = { id: JOB?.id };
  const readBasket = async () => {
    const basket = await sendTo(pathTo("repairer.jobs.baskets.latest.get"), { job_identity }, { world });
    return JSON.parse(basket.text) as {
      readonly offers: readonly { readonly sellable_id: string; readonly job_part_ids: readonly string[] }[];
    };
  };
  const { offers } = await readBasket();
  const place = { job_identity, sellable_ids: [offers[0]?.sellable_id] };
  const placed = await sendTo(pathTo("repairer.procurements.place"), place, { world });
  const [order] = (JSON.parse(placed.text) as { readonly items: readonly { readonly id: string }[] }).items;
  const cancel = async () => (await explain("procurements.cancel", { identity: { id: order?.id } }, { world })).refusal;
  const read = async () =>
    (await sendTo(pathTo("repairer.procurements.get"), { identity: { id: order?.id } }, { world })).text;
  await expect.poll(read).toContain('"status":"cancelled"');
  expect(await cancel()).toMatchObject({
    whose_side: "sandbox",
    sentence: expect.stringMatching(
      /already cancelled: the sandbox, as the supplier, did so\. The test value `cancel-after=0s` in the job’s claim number/,
    ),
  });

  await claim("test:offers=none");
  const none = await explain("repairer.procurements.place", place, { world });
  expect(none.refusal).toMatchObject({
    ...{ cause: "offer_unknown", whose_side: "fault" },
    sentence: expect.stringContaining("the test value `offers=none`"),
  });
  await claim("CL-1");
  const parts = [{ identity: { id: offers[0]?.job_part_ids[0] }, quantity: 0 }];
  await sendTo(pathTo("repairer.jobs.parts.insert"), { job_identity, parts }, { world });
  expect((await explain("repairer.procurements.place", place, { world })).refusal?.sentence).toMatch(
    /^The offer was in a basket of this job that was read with this key before\. The job’s parts have changed/,
  );
});

test("names the client to which a code was issued", async () => {
  const world = "remedies-client";
  const { client_id } = fixedClients.demo;
  const issued = { world, client_id, organization_id: buyer, scope: "repairer" } as const;
  const { access_code } = await service.control(accessCodesIssue, issued);
  const { client_id: other, client_secret } = fixedClients.no_oauth;
  const install = { client_id: other, client_secret, access_code };
  expect((await explain("integrations.insert", install, { world })).refusal).toMatchObject({
    cause: "client_not_enabled",
    what_to_do: expect.stringContaining(`Use the code with the client \`${client_id}\``),
  });
});
