import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { activityList } from "../contract/control/activity-operations.ts";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { faultsSet } from "../contract/control/fault-operations.ts";
import { accessCodesIssue, requestsList } from "../contract/control/operations.ts";
import { snapshotsRestore, snapshotsSave } from "../contract/control/snapshot-operations.ts";
import { clockAdvance, worldsDelete, worldsReset } from "../contract/control/world-operations.ts";
import { fixedClients } from "../contract/demo-values.ts";
import { jobsInsert, partsInsert } from "../contract/operations/partner.ts";
import { explainedCalls, pathTo } from "../testing/explained-calls.ts";
import { credentialHeaders, repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
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

/** Installs in a world. @returns the headers of the new key */
const installIn = async (world: string) => {
  const { client_id, client_secret } = fixedClients.demo;
  const issued = { world, client_id, organization_id: buyer, scope: "repairer" } as const;
  const { access_code } = await service.control(accessCodesIssue, issued);
  const install = { client_id, client_secret, access_code };
  const installed = await sendTo(pathTo("integrations.insert"), install, { world });
  const { api_key, integration_id } = JSON.parse(installed.text) as Record<string, string>;
  return { authorization: `Bearer ${api_key}`, "service-integration-id": String(integration_id) };
};

test("says what kept a variable from being filled in", async () => {
  const list = async (authorization: string) =>
    (await explain("businesses.list", {}, { headers: { authorization } })).refusal;
  for (const variable of ["$API_KEY", "$api.key"])
    expect(await list(`Bearer ${variable}`)).toMatchObject({
      ...{ cause: "key_placeholder", sentence: expect.stringMatching(/^The key is the text of a `\$` variable: /) },
      what_to_do: expect.stringMatching(/^Put the text in double quotes in the shell: inside single quotes/),
    });
  expect((await list("Bearer %API_KEY%"))?.what_to_do).toMatch(/^Only cmd\.exe fills in `%…%`/);
  expect((await list("Bearer {{api_key}}"))?.what_to_do).toMatch(/^Set the variable/);
  const body = await explain("repairer.jobs.get", { identity: { id: "$JOB" } });
  expect(body.refusal?.what_to_do).toMatch(/double quotes in the shell/);
});

test("names the fault that responded to a call", async () => {
  const world = "hints-met";
  const operation = jobsInsert.id;
  const error = { status: 503 };
  await service.control(faultsSet, { world, name: "drill", operation, effect: { error }, uses: 1 });
  const { refusal } = await explain(operation, job("met"), { world });
  expect(refusal?.sentence).toBe(
    "The fault “drill” of world hints-met responded to this call. Returned 503 without running.",
  );
  await service.control(faultsSet, { world, operation, effect: { drop: {} }, uses: 1 });
  await sendTo(pathTo(operation), job("met"), { world }).catch(() => undefined);
  await expect.poll(async () => (await service.control(requestsList, { world, limit: 1 })).items[0]?.status).toBe(0);
  const [last] = (await service.control(requestsList, { world, limit: 1 })).items;
  expect((await explainId(last?.id ?? "", world)).refusal?.sentence).toMatch(
    /^A fault of world hints-met left this call without a response\. The connection was closed/,
  );
});

test("names the next mistake of a body of another type", async () => {
  const form = { "content-type": "application/x-www-form-urlencoded", "user-agent": "python-requests/2.32.3" };
  const oauth = "grant_type=authorization_code&code=ac_x&client_id=a&client_secret=b";
  const install = await explain("integrations.insert", null, { headers: form, text: oauth });
  expect(install.refusal?.sentence).toMatch(/^The body is a form: .* `code` is called `access_code` here\.$/);
  expect(install.refusal?.what_to_do).toMatch(/Rename `code` to `access_code`, then send the call again\.$/);
  const plain = await explain("repairer.jobs.get", null, { headers: form, text: "identity=id" });
  expect(plain.refusal?.what_to_do).toMatch(/Pass the fields as `json=`, not as `data=`\.$/);
  const headers = { "content-type": "text/plain;charset=UTF-8" };
  const printed = await explain("repairer.jobs.get", null, { headers, text: "[object Object]" });
  expect(printed.refusal?.sentence).toMatch(/^`Content-Type` is .* The body is an object printed as text, not JSON/);
  expect(printed.refusal?.what_to_do).toMatch(/`JSON\.stringify`.* Send it with `Content-Type: application\/json`\.$/);
  const wrong = await explain("repairer.jobs.get", { identity: 7 }, { headers });
  expect(wrong.refusal?.what_to_do).toMatch(/It is JSON already\. Then correct a field: \/identity must be object\.$/);
});

test("renames fields at all levels at once", async () => {
  const { refusal, correction } = await explain("repairer.jobs.get", { Identity: { Id: JOB?.id } });
  expect(refusal?.sentence).toBe("The fields are called `identity` and `id` here: `Identity` and `Id` were ignored.");
  expect(refusal?.what_to_do).toMatch(/^Rename `Identity` to `identity` and `Id` to `id`, .* in lower case/);
  expect(correction?.body).toEqual({ identity: { id: JOB?.id } });
  const { client_id, client_secret } = fixedClients.demo;
  const code = await explain("integrations.insert", { code: "ac_x", client_id, client_secret });
  expect(code.refusal?.what_to_do).toMatch(/^Rename `code` to `access_code`, then send the call again\. Get a new/);
});

test("says that a list is of one job, and that null counts as sent", async () => {
  const { refusal } = await explain("repairer.procurements.list", {});
  expect(refusal?.sentence).toBe("No field was sent: `/job_identity` is missing.");
  expect(refusal?.what_to_do).toMatch(/lists the orders of one job/);
  const both = await explain("repairer.jobs.get", { identity: { id: JOB?.id, external: null } });
  expect(both.refusal?.sentence).toMatch(/A field that is `null` counts as sent\.$/);
});

test("knows an empty list of PHP, and quotes that a Windows shell took", async () => {
  const list = await explain("businesses.list", null, { text: "[]" });
  expect(list.refusal).toMatchObject({ cause: "json_list", what_to_do: expect.stringMatching(/`\{\}` if .*PHP/) });
  const jobs = await explain(jobsInsert.id, [job("one"), job("two")]);
  expect(jobs.refusal?.what_to_do).toBe("Send one call for each job: the operation takes one object.");
  const parts = await explain("repairer.jobs.parts.insert", [{ description: "Front bumper" }]);
  expect(parts.refusal?.what_to_do).toBe("Send one JSON object, with the list in its field `parts`.");
  const nested = await explain("repairer.jobs.get", { identity: [] });
  expect(nested.refusal?.what_to_do).toMatch(/PHP writes an empty array as `\[\]`/);
  const shell = await explain("repairer.jobs.get", null, { text: "'{identity:{id:7a4e61f4}}'" });
  expect(shell.refusal).toMatchObject({ cause: "json_quotes", sentence: expect.stringMatching(/cmd\.exe/) });
  expect(shell.refusal?.what_to_do).toContain('\\"');
  const quoted = await explain("repairer.jobs.get", null, { text: `'{"identity":{"id":"a"}}'` });
  expect(quoted.refusal?.what_to_do).toBe("Send the JSON without quotes around it.");
});

test("says that a world was reset, where that is known", async () => {
  const world = "hints-reset";
  await sendTo(pathTo(jobsInsert.id), job("before"), { world });
  await service.control(worldsReset, { world });
  const { refusal } = await explain("repairer.jobs.get", { identity: { external: "before" } }, { world });
  expect(refusal?.sentence).toMatch(/^This world was reset .* before this call, and no job was inserted since\./);
  expect(refusal?.what_to_do).toBe("Insert the job in this world, then send the call again.");
  expect(refusal?.whose_side).toBe("sandbox");
});

test("names the world's clock beside real time, and the address in place of a code", async () => {
  const world = "hints-nightly";
  await sendTo(pathTo(jobsInsert.id), job("nightly"), { world });
  await service.control(clockAdvance, { world, seconds: 3_600 });
  const { refusal } = await explain(jobsInsert.id, job("nightly"), { world });
  expect(refusal?.sentence).toMatch(
    /^A call with the same key created the job .* earlier, 1 h by this world’s clock\.$/,
  );
  const { client_id, client_secret } = fixedClients.demo;
  const grant = { world, client_id, organization_id: buyer, scope: "repairer" } as const;
  const { access_code: code } = await service.control(accessCodesIssue, grant);
  const access_code = `http://127.0.0.1:8787/callback?code=${code}&state=xyz`;
  await sendTo(pathTo("integrations.insert"), { client_id, client_secret, access_code: code }, { world });
  const again = await explain("integrations.insert", { client_id, client_secret, access_code: code }, { world });
  expect(again.refusal?.sentence).toMatch(
    / An earlier call of the same client exchanged it for the integration `[0-9a-f-]{36}`\.$/,
  );
  expect(again.refusal?.what_to_do).toMatch(/^Use the key and the ID of that response\./);
  const whole = await explain("integrations.insert", { client_id, client_secret, access_code }, { world });
  expect(whole.refusal?.what_to_do).toMatch(/^Send only the value of the redirect address’s parameter `code`/);
});

test("an accepted call notes why its notification failed", async () => {
  const world = "hints-notified";
  const receiver = http.createServer((_, response) => response.writeHead(202).end()).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/hooks`;
  const url = `${address}?token=of-theirs`;
  await sendTo("/__webhooks/subscribe", { integration_id: repairer.integration_id, url }, { world });
  const answer = await sendTo(pathTo(jobsInsert.id), job("notified"), { world });
  const notes = async () => (await explainId(answer.headers.get("x-request-id") ?? "", world)).notes?.join(" ") ?? "";
  await expect
    .poll(notes)
    .toContain(`to ${address}?… is not acknowledged. The receiver returned 202. Respond with 200.`);
  expect(await notes()).not.toContain("of-theirs");
  receiver.close();
});

test("the activity gives the side that all calls of a cause have", async () => {
  const world = "hints-activity";
  const operation = jobsInsert.id;
  await service.control(faultsSet, { world, operation, effect: { error: { status: 503, when: "after" } }, uses: 1 });
  await sendTo(pathTo(operation), job("again"), { world });
  await sendTo(pathTo(operation), job("again"), { world });
  const side = async () =>
    (await service.control(activityList, { world })).items.find(({ cause }) => cause === "job_exists")?.whose_side;
  expect(await side()).toBe("fault");
  await sendTo(pathTo(operation), job("estimate:88213"), { world });
  expect(await side()).toBe("partner");
});

test.each([
  ["@body.json", /name of a file, not the file’s content\.$/, /curl reads the file after `@` with `-d`/],
  ['{\\"identity\\":{\\"id\\":\\"a\\"}}', /^A backslash comes before each double quote/, /without the backslashes/],
  ["&{Identity:{ID:7a4e61f4}}", /printed as text/, /Encode the object as JSON/],
  ["{identity:{id:7a4e61f4}}", /^The body has no double quotes, .* Windows shell/, /write each double quote as/],
  ['{"identity":{"external":$JOB}}', /placeholder/, /Set the variable/],
])("knows how %s came about", async (text, sentence, remedy) => {
  const { refusal } = await explain("repairer.jobs.get", null, { text });
  expect(refusal?.sentence).toMatch(sentence);
  expect(refusal?.what_to_do).toMatch(remedy);
});

test("puts flattened fields, the texts of objects, and the items of a list in their places", async () => {
  const flat = { identity__external: "flat", repairer_site_id: SITE?.id };
  const { refusal, correction } = await explain(jobsInsert.id, flat);
  expect(refusal?.sentence).toBe("`/identity__external` was ignored: its place is `/identity/external`.");
  expect(refusal?.what_to_do).toMatch(/^Move `\/identity__external` to `\/identity\/external`/);
  expect(correction?.body).toEqual({ identity: { external: "flat" }, repairer_site_id: SITE?.id });
  const place = { job_identity: { external: "estimate:88213" }, sellable_ids: [{ sellable_id: JOB?.id, quantity: 1 }] };
  const offers = await explain("repairer.procurements.place", place);
  expect(offers.refusal?.what_to_do).toBe(`Send \`/sellable_ids/0\` as \`"${JOB?.id}"\`.`);
  const vehicle = await explain("tier1.prepare", { plate: "YP19KRN", region: "GB" });
  expect(vehicle.refusal?.what_to_do).toContain('`{"identifiers":[{…}]}`');
});

test("names the world of an offer, and the restore that a job is missing after", async () => {
  const [one, other] = ["hints-offers-one", "hints-offers-other"];
  const job_identity = { external: "offers" };
  const parts = [{ description: "Front bumper cover", quantity: 1 }];
  for (const world of [one, other]) {
    await sendTo(pathTo(jobsInsert.id), job("offers"), { world });
    await sendTo(pathTo("repairer.jobs.parts.insert"), { job_identity, parts }, { world });
  }
  const basket = await sendTo(pathTo("repairer.jobs.baskets.latest.get"), { job_identity }, { world: one });
  const { offers } = JSON.parse(basket.text) as { readonly offers: readonly { readonly sellable_id: string }[] };
  const place = { job_identity, sellable_ids: [offers[0]?.sellable_id] };
  const { refusal } = await explain("repairer.procurements.place", place, { world: other });
  expect(refusal?.sentence).toBe(`The basket with this offer is in world ${one}. This call names ${other}.`);

  const world = "hints-restored";
  await sendTo(pathTo(jobsInsert.id), job("first"), { world });
  await service.control(snapshotsSave, { world, name: "first" });
  await sendTo(pathTo(jobsInsert.id), job("later"), { world });
  await service.control(snapshotsRestore, { world, name: "first" });
  const missing = await explain("repairer.jobs.get", { identity: { external: "later" } }, { world });
  expect(missing.refusal?.sentence).toMatch(/^The world has no such job\. It was restored .* before this call/);
  expect(missing.refusal?.whose_side).toBe("sandbox");
});

test("tells an ID, an external ID and a key that a restore took away, each also of a world without other jobs", async () => {
  const world = "hints-taken-back";
  await service.control(snapshotsSave, { world, name: "empty" });
  const inserted = await sendTo(pathTo(jobsInsert.id), job("taken"), { world });
  const { id } = JSON.parse(inserted.text) as { readonly id: string };
  const headers = await installIn(world);
  await service.control(snapshotsRestore, { world, name: "empty" });
  const restored = /restored.* before this call/;
  const byId = await explain("repairer.jobs.get", { identity: { id } }, { world });
  expect(byId.refusal).toMatchObject({ cause: "job_from_before", sentence: expect.stringMatching(restored) });
  const order = await explain("repairer.procurements.get", { identity: { id } }, { world });
  expect(order.refusal).toMatchObject({ cause: "procurement_from_before", whose_side: "sandbox" });
  const byExternal = await explain("repairer.jobs.get", { identity: { external: "taken" } }, { world });
  expect(byExternal.refusal?.sentence).toMatch(restored);
  const byKey = await explain("businesses.list", {}, { world, headers });
  expect(byKey.refusal).toMatchObject({ cause: "key_from_before", sentence: expect.stringMatching(restored) });
  for (const { refusal } of [byId, byExternal, byKey]) expect(refusal?.whose_side).toBe("sandbox");
  expect(byKey.refusal?.what_to_do).toMatch(/^Install again/);
});

test("tells that the world of a key was deleted", async () => {
  const world = "hints-deleted";
  const headers = await installIn(world);
  await service.control(worldsDelete, { world });
  const answer = await sendTo(pathTo("businesses.list"), {}, { world, headers });
  const id = answer.headers.get("x-request-id") ?? "";
  await expect.poll(async () => (await service.control(requestsExplain, { id }).catch(() => null))?.id).toBe(id);
  const { refusal } = await service.control(requestsExplain, { id });
  expect(refusal).toMatchObject({
    whose_side: "sandbox",
    sentence: expect.stringMatching(/^World hints-deleted was deleted .* before this call, with its keys\.$/),
    what_to_do:
      "Install again for a new key and ID, or undo the deletion: snapshots.list has the checkpoint of hints-deleted.",
  });
});

test("names the reset or the restore that an access code is from before", async () => {
  const world = "hints-codes";
  const { client_id, client_secret } = fixedClients.demo;
  const exchange = async (after: () => Promise<unknown>) => {
    const issue = { world, client_id, organization_id: buyer, scope: "repairer" } as const;
    const { access_code } = await service.control(accessCodesIssue, issue);
    await after();
    const answer = await sendTo(pathTo("integrations.insert"), { client_id, client_secret, access_code }, { world });
    return (await explainId(answer.headers.get("x-request-id") ?? "", world)).refusal;
  };
  await sendTo(pathTo("businesses.list"), {}, { world });
  await service.control(snapshotsSave, { world, name: "codes" });
  for (const [how, after] of [
    ["restored", () => service.control(snapshotsRestore, { world, name: "codes" })],
    ["reset", () => service.control(worldsReset, { world })],
  ] as const)
    expect(await exchange(after)).toMatchObject({
      whose_side: "sandbox",
      sentence: expect.stringMatching(
        new RegExp(`which was ${how} .* before this call\\. Codes from before don’t work`),
      ),
    });
  expect(await exchange(() => sendTo("/", {}))).toBeNull();
});

test("names the earlier call of the same program, and links to it", async () => {
  const world = "hints-earlier";
  const call = (id: string, body: object) => sendTo(pathTo(id), body, { world });
  const idOf = (answer: { headers: Headers }) => answer.headers.get("x-request-id");
  const job_identity = { external: "parts" };
  const part = (external_id: string, description: string) => ({ identity: { external_id }, description, quantity: 1 });
  await call(jobsInsert.id, job("parts"));
  await call("repairer.jobs.parts.insert", { job_identity, parts: [part("one", "Bonnet")] });
  const basket = await call("repairer.jobs.baskets.latest.get", { job_identity });
  const { offers } = JSON.parse(basket.text) as { readonly offers: readonly { readonly sellable_id: string }[] };
  const changed = await call("repairer.jobs.parts.insert", {
    job_identity,
    parts: [{ ...part("one", "Bonnet"), quantity: 0 }, part("two", "Headlamp left")],
  });
  const place = { job_identity, sellable_ids: [offers[0]?.sellable_id] };
  const offer = (await explain("repairer.procurements.place", place, { world })).refusal;
  expect(offer?.sentence).toMatch(
    /the latest basket doesn’t have it\. A call with the same key changed them, .* before this call\.$/,
  );
  expect(offer?.earlier).toBe(idOf(changed));

  const numbered = await call(jobsInsert.id, job("numbered", { job_number: "HINT-1" }));
  const taken = (await explain(jobsInsert.id, job("second", { job_number: "HINT-1" }), { world })).refusal;
  expect(taken?.sentence).toMatch(
    /has this number\. A call with the same key gave it to that job, .* before this call\.$/,
  );
  expect(taken?.earlier).toBe(idOf(numbered));
});

test("says that a partner's key doesn't open the control plane", async () => {
  const answer = await sendTo("/__sandbox/worlds.list", {});
  expect(answer.text).toContain("An API key of partners doesn’t open the control plane.");
});

test("names a malformed integration ID beside another mistake of the credentials", async () => {
  const headers = {
    authorization: `Bearer Bearer ${repairer.api_key}`,
    "service-integration-id": repairer.integration_id.slice(0, -1),
  };
  const { refusal } = await explain("businesses.list", {}, { headers });
  expect(refusal?.cause).toBe("bearer_twice");
  expect(refusal?.sentence).toMatch(/header twice\. The `Service-Integration-ID` header is not a UUID\.$/);
});

test("says where fields, a key and an integration ID of the address belong", async () => {
  const query = `api_key=${repairer.api_key}&integration_id=${repairer.integration_id}`;
  const headers = { "content-type": "application/json" };
  const answer = await service.raw(`${pathTo("repairer.jobs.get")}?${query}`, { body: "{}", headers });
  expect((await explainId(answer.headers.get("x-request-id") ?? "")).notes).toContain(
    "The parameter integration_id of the address was ignored. Send it as the header service-integration-id.",
  );
  const read = await service.raw(`${pathTo("repairer.jobs.get")}?identity[external]=a`, { method: "GET" });
  expect((await explainId(read.headers.get("x-request-id") ?? "")).refusal?.what_to_do).toBe(
    'Send the call with the method POST, and its fields as JSON in the body: `{"identity":{"external":"a"}}`. They are not read from the address.',
  );
});

test("recognises a printed dict of Python, and gives an external ID without what isn't shown", async () => {
  const text = "{'identity': {'external': 'a'}, 'vehicle': None}";
  expect((await explain(jobsInsert.id, null, { text })).refusal).toMatchObject({
    cause: "json_printed",
    sentence: expect.stringMatching(/^The body is a Python `dict` printed as text/),
  });
  const { refusal, correction } = await explain("repairer.jobs.get", {
    identity: { external: "estimate:88213\u200b" },
  });
  expect(refusal?.what_to_do).toBe('Send `/identity/external` as `"estimate:88213"`.');
  expect(correction?.body).toEqual({ identity: { external: "estimate:88213" } });
});

test("names brackets around an ID, and a field in another notation inside an envelope", async () => {
  const { refusal } = await explain("repairer.jobs.get", { identity: { id: `{${JOB?.id.toUpperCase()}}` } });
  expect(refusal?.sentence).toBe("`/identity/id` must be a UUID, and is right but for the brackets around it.");
  const wrapped = await explain("repairer.jobs.parts.list", { data: { jobIdentity: { external: "estimate:88213" } } });
  expect(wrapped.refusal).toMatchObject({
    sentence:
      "The fields are inside `data`. They belong at the top of the body. `jobIdentity` is called `job_identity` here.",
    what_to_do: "Send what `data` holds as the whole body, with `jobIdentity` as `job_identity`.",
  });
});

test("takes only an offer of a basket for one, and names the test value that left none", async () => {
  const world = "hints-not-an-offer";
  const job_identity = { external: "estimate:88213" };
  const basket = await sendTo(pathTo("repairer.jobs.baskets.latest.get"), { job_identity }, { world });
  const { offers } = JSON.parse(basket.text) as {
    readonly offers: readonly { readonly supplier_business_id: string }[];
  };
  const sellable_ids = [offers[0]?.supplier_business_id];
  const { refusal } = await explain("repairer.procurements.place", { job_identity, sellable_ids }, { world });
  expect(refusal?.sentence).toMatch(/^The value is the ID of the supplier .*, not an offer\.$/);
});

test("names both mistakes of credentials without Bearer and without an ID", async () => {
  const { refusal } = await explain(
    "businesses.list",
    {},
    { headers: { authorization: repairer.api_key, "service-integration-id": "" } },
  );
  expect(refusal?.sentence).toMatch(/without the word `Bearer`\. The `Service-Integration-ID` header is missing\.$/);
  expect(refusal?.what_to_do).toContain(` Send \`Service-Integration-ID: ${repairer.integration_id}\` with this key.`);
});

test("says of a repeated deletion that nothing is left to do, and of a client_id which ID is meant", async () => {
  const world = "hints-deleted-twice";
  await sendTo(pathTo(jobsInsert.id), job("twice"), { world });
  const effect = { drop: { when: "after" as const } };
  await service.control(faultsSet, { world, operation: "repairer.jobs.delete", effect, uses: 1 });
  const identity = { external: "twice" };
  await sendTo(pathTo("repairer.jobs.delete"), { identity }, { world }).catch(() => undefined);
  const again = await explain("repairer.jobs.delete", { identity }, { world });
  expect(again.refusal).toMatchObject({ cause: "job_deleted", what_to_do: "Nothing is left to do." });
  const url = "http://127.0.0.1:9999/";
  const subscribed = await sendTo(
    "/__webhooks/subscribe",
    { integration_id: fixedClients.demo.client_id, url },
    { world },
  );
  const { refusal } = await explainId(subscribed.headers.get("x-request-id") ?? "", world);
  expect(refusal?.what_to_do).toBe("Send the `integration_id` that `integrations.insert` returned with the key.");
});

test("a call to a world that no accepted call has made yet is explained by its own mistake first", async () => {
  const ofStray = async (path: string, init: Parameters<TestService["raw"]>[1]) => {
    const answer = await service.raw(path, init);
    const id = answer.headers.get("x-request-id") ?? "";
    await expect.poll(async () => (await service.control(requestsExplain, { id }).catch(() => null))?.id).toBe(id);
    return service.control(requestsExplain, { id });
  };
  const tenant = { "x-sandbox-tenant": "hints-not-yet", "content-type": "application/json" };
  const key = { ...tenant, "service-integration-id": repairer.integration_id, "x-api-key": repairer.api_key };
  const { notes, refusal } = await ofStray(pathTo("businesses.list"), { headers: key, body: "{}" });
  expect(refusal?.sentence).toBe("World hints-not-yet doesn’t exist. The `Authorization` header is missing.");
  expect(notes).toEqual(["The header x-api-key was ignored. Did you mean authorization: Bearer <api_key>?"]);
  const read = await ofStray(pathTo("businesses.list"), { method: "GET", headers: tenant });
  expect(read.refusal).toMatchObject({
    sentence: expect.stringMatching(
      /takes POST, not GET\. World hints-not-yet doesn’t exist: an accepted call creates it\.$/,
    ),
    what_to_do: expect.stringMatching(/^Send the call with the method POST\./),
  });
});

test.each(["{{integration_id}}", "$ID", "<integration_id>"])("knows both placeholders: %s", async (id) => {
  const headers = { authorization: "Bearer {{api_key}}", "service-integration-id": id };
  expect((await explain("businesses.list", {}, { headers })).refusal).toMatchObject({
    cause: "key_placeholder",
    sentence:
      "The key is a placeholder: a variable was not filled in. The integration ID is a placeholder: a variable was not filled in.",
    what_to_do: expect.stringMatching(/Also set the variable of the `Service-Integration-ID`\.$/),
  });
});

test("knows a placeholder in braces, lost leading zeros, and half an emoji", async () => {
  const headers = { authorization: "Bearer {api_key}" };
  expect((await explain("businesses.list", {}, { headers })).refusal?.cause).toBe("key_placeholder");
  const world = "hints-zeros";
  await sendTo(pathTo(jobsInsert.id), job("00417"), { world });
  const { refusal } = await explain("repairer.jobs.get", { identity: { external: "417" } }, { world });
  expect(refusal).toMatchObject({
    sentence: "`external` is right but for its leading zeros: the job has `00417`.",
    what_to_do: 'Send `/identity/external` as `"00417"`.',
  });
  const text = '{"identity":{"external":"a\\ud83d"},"repairer_site_id":null}';
  const cut = await explain(jobsInsert.id, null, { text: text.replace("null", JSON.stringify(SITE?.id)) });
  expect(cut.refusal?.sentence).toMatch(/ contains half of a character: a text was likely cut inside an emoji\.$/);
  expect(cut.correction?.edits).toMatchObject([{ pointer: "/identity/external", after: "a" }]);
});

test("names the mistake that the corrected call would be refused for", async () => {
  const world = "hints-two";
  await sendTo(pathTo(jobsInsert.id), job("two-1", { job_number: "TWO" }), { world });
  const both = async (body: object, sent = {}) => {
    const { refusal, correction } = await explain(jobsInsert.id, body, { world, ...sent });
    return { said: `${refusal?.sentence} ${refusal?.what_to_do}`, correction };
  };
  const taken = { job_number: "TWO", work_provider_contract: "Nobody Insurance" };
  expect((await both(job("two-2", taken))).said).toMatch(
    /^No insurer has this name or ID\. Job `[0-9a-f-]{36}` \(`external`: `two-1`\) of the site has this number\..* Send an insurer .* Use a job number that no other job of this site has/,
  );
  expect((await both(job("two-1", { work_provider_contract: "Nobody Insurance" }))).said).toMatch(
    /^A call with the same key created the job .* No insurer has this name or ID\. Add `if_` .* Send an insurer /,
  );
  const { identity, ...rest } = job("two-1", { images: [{ public_url: "https://images.example/1.jpg" }] });
  const posted = JSON.parse((await sendTo(pathTo("repairer.jobs.get"), { identity }, { world })).text) as object;
  const again = await both({ ...posted, ...rest });
  expect(again.said).toMatch(
    /`\/id` was ignored: .* must be string.* A call with the same key created the job .* Add `if_` /,
  );
  expect((await sendTo(pathTo(jobsInsert.id), again.correction?.body, { world })).status).toBe(200);

  const { client_id } = fixedClients.demo;
  const install = { client_id, client_secret: "cs_wrong", access_code: "ac_wrong" };
  const { refusal } = await explain("integrations.insert", install, { world });
  expect(refusal?.sentence).toMatch(/ This access code doesn’t exist in this world\.$/);
});

test("names the unknown record behind a wrong shape, and the wrong shape behind a key", async () => {
  const nobody = "00000000-0000-4000-8000-000000000000";
  const parts = await explain("repairer.jobs.parts.insert", { job_identity: nobody, parts: { description: "Bonnet" } });
  expect(parts.refusal?.sentence).toMatch(/`\/parts` must be array.* Job not found for this integration\.$/);
  const order = await explain("repairer.procurements.get", { order_id: nobody });
  expect(order.refusal).toMatchObject({
    cause: "shape",
    sentence: expect.stringMatching(/Order not found for this integration/),
  });
  const known = await explain("repairer.jobs.get", { job_identity: { id: JOB?.id } });
  expect(known.refusal?.sentence).toMatch(/`job_identity` was ignored\.$/);

  const wrongKey = await explain("repairer.jobs.get", { job_identity: {} }, { headers: { authorization: "Bearer x" } });
  expect(wrongKey.refusal).toMatchObject({
    cause: "credentials",
    sentence: expect.stringMatching(/ The field is called `identity` here: `job_identity` was ignored\./),
    what_to_do: expect.stringMatching(/ Rename `job_identity` to `identity`/),
  });
  const ofSupplier = await explain("supplier.procurements.confirm", { identity: { id: 7 } });
  expect(ofSupplier.refusal?.sentence).toMatch(/needs a supplier key\. `\/identity\/id` must be a UUID/);
});

test("names what is wrong with a header beside what stands around the other", async () => {
  const list = async (authorization: string, id: string) =>
    (await explain("businesses.list", {}, { headers: { authorization, "service-integration-id": id } })).refusal;
  const cut = repairer.api_key.slice(0, -1);
  const braces = await list(`Bearer ${cut}`, `{${repairer.integration_id}}`);
  expect(braces?.sentence).toBe(
    "The integration ID is in brackets. The key is one character too short: its end is missing.",
  );
  const hyphens = await list(`Bearer ${cut}`, repairer.integration_id.replaceAll("-", ""));
  expect(hyphens?.sentence).toMatch(/without its hyphens\. The key is one character too short/);
  expect((await list(`"Bearer ${cut}"`, repairer.integration_id))?.sentence).toMatch(
    /^The `Authorization` header is in quotes\. The key is one character too short/,
  );
  const basic = Buffer.from(`${repairer.integration_id}:${repairer.api_key}`).toString("base64");
  expect((await list(`Basic ${basic}`, repairer.integration_id))?.sentence).toMatch(/not with `Bearer`\.$/);
  expect((await list(`Basic ${basic}`, "my-app"))?.sentence).toMatch(/not with `Bearer`\. .*`Service-Integration-ID`/);
  expect((await list(`Bearer "${repairer.api_key}"`, "my-app"))?.sentence).toMatch(
    /^The key is in quotes\. .*`Service-Integration-ID`/,
  );
  expect((await list(`Bearer ${repairer.api_key}`, `{${repairer.integration_id}}`))?.sentence).toBe(
    "The integration ID is in brackets.",
  );
});

test("names the other mistake of an install link and of a subscription", async () => {
  const link = async (query: string) => {
    const answer = await service.raw(`/__oauth/authorize?${query}`, { method: "GET" });
    return (await explainId(answer.headers.get("x-request-id") ?? "")).refusal;
  };
  const uri = encodeURIComponent("https://app.partner.example/callback");
  for (const client of ["client_id=demo_client&", "client_id=demo-client-no-oauth&", ""]) {
    const refusal = await link(`${client}redirect_uri=${uri}`);
    expect(refusal?.sentence).toMatch(
      / The host of `redirect_uri` is app\.partner\.example, which is not this machine\.$/,
    );
    expect(refusal?.what_to_do).toMatch(/ Send an http or https address of localhost or 127\.0\.0\.1/);
  }
  const url = "https://abc123.ngrok.io/hooks";
  for (const body of [
    { integrationId: repairer.integration_id, url },
    { integration_id: "mine", callback_url: url },
  ]) {
    const { refusal } = await explain("/__webhooks/subscribe", body);
    expect(refusal?.cause).toBe("subscription_fields");
    expect(refusal?.sentence).toMatch(/ The `url` is not an address of this machine/);
    expect(refusal?.what_to_do).toMatch(/`--receiver-host`/);
  }
});

test("names the method beside the address, and the form beside the method", async () => {
  const put = await explain("/api/2026-01/repairer.jobs.update", {}, { method: "PUT" });
  expect(put.refusal?.sentence).toMatch(/The method is PUT: `\/api\/2026-01\/repairer\.jobs\.insert` takes POST\.$/);
  expect(put.refusal?.what_to_do).toMatch(/Use the method POST\.$/);
  expect(put.nearest?.method).toBe("POST");
  const unknown = await explain("/api/2026-01/repairer.job.gets", {}, { method: "PATCH" });
  expect(unknown.refusal?.sentence).toMatch(/^No operation at .* The method is PATCH: operations take POST\.$/);
  expect(unknown.nearest).toMatchObject({ method: "POST" });

  const prepare = { file_name: "a.gif", media_type: "image", type: "job_media" };
  const prepared = await sendTo(pathTo("uploads.prepare"), prepare);
  const { pathname, search } = new URL((JSON.parse(prepared.text) as { upload_url: string }).upload_url);
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const form = await explain(`${pathname}${search}`, null, { headers, text: "--x--" });
  expect(form.refusal?.sentence).toMatch(/takes PUT, not POST\. The picture was sent in a form/);
  expect(form.refusal?.what_to_do).toMatch(/with the method PUT\. Send the bytes of the picture as the whole body/);

  const send = () => service.raw(`${pathname}${search}`, { method: "PUT", body: "GIF89a" });
  await send();
  const { refusal } = await explainId((await send()).headers.get("x-request-id") ?? "");
  expect(refusal?.sentence).toMatch(/ before this call\. It has a picture\.$/);
  expect(refusal?.what_to_do).toMatch(/nothing is left to do: the `public_url` shows the picture\./);
});

test("names the job of a part, and of an order whose reference or ID stands in place of the job's", async () => {
  const world = "hints-of-job";
  for (const external of ["part-1", "part-2"]) await sendTo(pathTo(jobsInsert.id), job(external), { world });
  const insertParts = (external: string, parts: readonly object[]) =>
    sendTo(pathTo(partsInsert.id), { job_identity: { external }, parts }, { world });
  const { items } = JSON.parse((await insertParts("part-1", [{ description: "Bonnet" }])).text) as {
    readonly items: readonly { readonly id: string }[];
  };
  const answer = await insertParts("part-2", [{ identity: { id: items[0]?.id } }]);
  const { refusal } = await explainId(answer.headers.get("x-request-id") ?? "", world);
  expect(refusal?.sentence).toMatch(/^The part belongs to job `[0-9a-f-]{36}` \(`external`: `part-1`\)\.$/);
  expect(refusal?.what_to_do).toMatch(
    /^To change the part, send `\/job_identity` as .* leave out the part’s `identity`/,
  );

  const order = seed.procurements.find(({ buyer_organization_id }) => buyer_organization_id === buyer);
  for (const external of [order?.reference, order?.id]) {
    const list = await explain("repairer.procurements.list", { job_identity: { external } });
    expect(list.refusal).toMatchObject({
      cause: "id_as_external",
      sentence: expect.stringMatching(/^`external` holds the (?:reference|ID) of (?:an )?order.* Its job is `/),
      what_to_do: `Send \`/job_identity\` as \`{"id":"${order?.job_id}"}\`.`,
    });
  }
});

test("says how many items or characters were sent, and names the page of another site", async () => {
  const identifiers = Array.from({ length: 1_001 }, (_, at) => ({ region: "GB", state: null, plate: `AB${at}` }));
  const { refusal } = await explain("tier1.prepare", { identifiers });
  expect(refusal?.sentence).toBe("`/identifiers` must have at most 1000 items, but 1001 were sent.");
  expect(refusal?.what_to_do).toMatch(/^Send at most 1000 items of `\/identifiers` in one call, and the others/);
  const images = Array.from({ length: 101 }, (_, at) => `https://images.example/${at}.jpg`);
  expect((await explain(jobsInsert.id, job("images", { images }))).refusal?.what_to_do).toBe(
    "Send at most 100 items of `/images`.",
  );
  const origin = "http://localhost:3000";
  const page = await explain("businesses.list", {}, { headers: { origin } });
  expect(page.refusal?.sentence).toMatch(/^A page of http:\/\/localhost:3000 sent the call from a browser\./);
});

test("tells the deletion of a world from its creation by the call itself", async () => {
  const world = "hints-deleted-job";
  const inserted = JSON.parse((await sendTo(pathTo(jobsInsert.id), job("gone"), { world })).text) as { id: string };
  const headers = await installIn(world);
  await service.control(worldsDelete, { world });
  for (const body of [{ identity: { id: inserted.id } }, { identity: { external: "gone" } }]) {
    const { refusal } = await explain("repairer.jobs.get", body, { world });
    expect(refusal).toMatchObject({ whose_side: "sandbox" });
    expect(refusal?.sentence).toMatch(/was deleted[, ].* before this call/);
  }
  const byId = await explain("repairer.jobs.get", { identity: { id: inserted.id } }, { world });
  expect(byId.refusal?.what_to_do).toMatch(/^Insert the job again\..* Or undo the deletion: snapshots\.list has/);
  const list = await explain("businesses.list", {}, { world, headers });
  expect(list.refusal).toMatchObject({ cause: "key_from_before", whose_side: "sandbox" });
  expect(list.refusal?.what_to_do).toMatch(/ Or undo the deletion/);
});

test("explains a call to a missing world also when asked with that world", async () => {
  const headers = await installIn("default");
  const world = "hints-missing";
  const { refusal } = await explain("businesses.list", {}, { world, headers });
  expect(refusal?.sentence).toBe("World hints-missing doesn’t exist. The integration ID belongs to world default.");
  await expect(explainId("00000000-0000-4000-8000-000000000000", world)).rejects.toThrow(/404/);
});

test("shows the body that the parameters of an address make", async () => {
  const ask = async (method: string, path: string) => {
    const answer = await service.raw(path, { method, headers: credentialHeaders(repairer) });
    return explainId(answer.headers.get("x-request-id") ?? "");
  };
  const id = JOB?.id ?? "";
  const json = encodeURIComponent(JSON.stringify({ id }));
  for (const [method, query, body] of [
    ["GET", `identity[id]=${id}`, { identity: { id } }],
    ["GET", `identity.id=${id}`, { identity: { id } }],
    ["PUT", `identity=${json}&page=2`, { identity: { id } }],
    ["GET", `id=${id}`, { identity: { id } }],
    ["POST", `identity=${json}`, { identity: { id } }],
    ["POST", `job_identity[id]=${id}`, { identity: { id } }],
  ] as const) {
    const { refusal, correction } = await ask(method, `${pathTo("repairer.jobs.get")}?${query}`);
    expect(refusal?.what_to_do, query).toBe(
      `Send the ${method === "POST" ? "" : "call with the method POST, and its "}fields as JSON in the body: \`${JSON.stringify(body)}\`. They are not read from the address.`,
    );
    expect(correction, query).toMatchObject({ body, edits: [{ pointer: "", after: body }] });
  }
  const listed = await ask(
    "GET",
    `${pathTo("repairer.procurements.place")}?job_identity[id]=${id}&sellable_ids[]=${id}&sellable_ids[]=${buyer}`,
  );
  expect(listed.correction?.body).toEqual({ job_identity: { id }, sellable_ids: [id, buyer] });
  const partial = await ask("GET", `${pathTo("repairer.jobs.insert")}?identity[external]=x&color=red`);
  expect(partial).toMatchObject({
    correction: null,
    refusal: {
      what_to_do:
        'Send the call with the method POST, and its fields as JSON in the body: `{"identity":{"external":"x"}}`. They are not read from the address. Then add or correct `/repairer_site_id`.',
    },
  });
  const url = "http://127.0.0.1:9/";
  const subscribed = await ask("GET", `/__webhooks/subscribe?integration_id=${repairer.integration_id}&url=${url}`);
  expect(subscribed.correction?.body).toEqual({ integration_id: repairer.integration_id, url });
  for (const path of [
    `${pathTo("businesses.list")}?page=2`,
    `${pathTo("integrations.insert")}?client_id=a&client_secret=${fixedClients.demo.client_secret}&code=ac_x`,
  ])
    expect(await ask("GET", path)).toMatchObject({
      correction: null,
      refusal: { what_to_do: expect.stringMatching(/, and its fields as JSON in the body\. They are not read/) },
    });
});

test("names the operation and the key of the side that a key doesn’t have", async () => {
  const identity = { id: seed.procurements[0]?.id };
  const ofBuyer = await explain("supplier.procurements.get", { identity });
  expect(ofBuyer.refusal?.what_to_do).toBe(
    "With this key, call `repairer.procurements.get`. Or send a supplier’s key with its integration ID: `credentials.list` lists those of this world. To install as a supplier, issue an access code with `scope` as `supplier` and call `integrations.insert`.",
  );
  const headers = credentialHeaders(supplier);
  const ofSupplier = await explain("repairer.procurements.get", { identity }, { headers });
  expect(ofSupplier.refusal?.what_to_do).toMatch(
    /^With this key, call `supplier\.procurements\.get`\. Or send a buyer’s key /,
  );
  const other = await explain("repairer.jobs.get", { identity }, { headers });
  expect(other.refusal?.what_to_do).toMatch(/^Send a buyer’s key .* with `scope` as `repairer` and call /);
});
