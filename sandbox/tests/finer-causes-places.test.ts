import { afterAll, beforeAll, expect, test } from "vitest";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { accessCodesIssue } from "../contract/control/operations.ts";
import { tokensCreate } from "../contract/control/service-operations.ts";
import { fixedClients } from "../contract/demo-values.ts";
import { operationPath } from "../contract/operation.ts";
import { jobsInsert } from "../contract/operations/partner.ts";
import { explainedCalls, pathTo } from "../testing/explained-calls.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { buildSeedWorld } from "../worlds/seed/seed-world.ts";

/** World that has the job, the key and the code, and the world that the calls name. */
const OTHER = "places-other";
const MINE = "places-mine";

let service: TestService;
const seed = buildSeedWorld();
const buyer = seed.credentials[0]?.organization_id ?? "";
const SITE = seed.businesses.find(({ type, organization_id }) => type === "repairer_site" && organization_id === buyer);
const { client_id, client_secret } = fixedClients.demo;
const { sendTo, explain } = explainedCalls(() => service);
const issueCode = async () =>
  (await service.control(accessCodesIssue, { world: OTHER, client_id, organization_id: buyer, scope: "repairer" }))
    .access_code;

let theirs = { id: "", key: "" };
let job = "";
beforeAll(async () => {
  service = await startTestService();
  await service.make(MINE);
  const install = { client_id, client_secret, access_code: await issueCode() };
  const installed = await sendTo(pathTo("integrations.insert"), install, { world: OTHER });
  const { api_key, integration_id } = JSON.parse(installed.text) as Record<"api_key" | "integration_id", string>;
  theirs = { id: integration_id, key: api_key };
  const inserted = { identity: { external: "far" }, repairer_site_id: SITE?.id };
  job = (JSON.parse((await sendTo(pathTo(jobsInsert.id), inserted, { world: OTHER })).text) as { id: string }).id;
});
afterAll(() => service.end());

const SEND = `Send \`x-sandbox-tenant: ${OTHER}\` with the call.`;

test("tells the form and the place of a job in another world", async () => {
  for (const [operation, body, form] of [
    ["repairer.jobs.parts.insert", { job_identity: { id: job } }, /^\/parts is required\./],
    ["repairer.jobs.parts.insert", { job_identity: { external: "far" }, parts: [{ quantity: "2" }] }, /but text was/],
    [jobsInsert.id, { identity: { id: job } }, /^\/repairer_site_id is required\./],
    [jobsInsert.id, { identity: { id: job }, repairer_site_id: job }, /^The site is not one of the caller’s/],
    ["repairer.jobs.get", { identity: { id: `"${job}"` } }, /right but for the quotes around it\./],
    ["repairer.jobs.get", { identity: { id: `${job}\n` } }, /right but for a trailing space or line break\./],
  ] as const) {
    const { refusal } = await explain(operation, body, { world: MINE });
    expect(refusal?.sentence).toMatch(form);
    expect(refusal?.sentence).toContain(`This job is in world ${OTHER}. This call names ${MINE}.`);
    expect(refusal?.what_to_do.endsWith(SEND)).toBe(true);
  }
  for (const external of ['"far"', "far\n"]) {
    const { refusal } = await explain("repairer.jobs.get", { identity: { external } }, { world: MINE });
    expect(refusal).toMatchObject({ cause: "job_in_other_world", what_to_do: SEND });
    expect(refusal?.sentence).toMatch(/`external` is right but for (?:the quotes around it|a trailing space)/);
  }
});

test("tells the form and the place of a key of another world", async () => {
  for (const [headers, form] of [
    [{ authorization: `Bearer "${theirs.key}"` }, /^The key is in quotes\./],
    [{ authorization: `Bearer Bearer ${theirs.key}` }, /^The word `Bearer` is .* twice\./],
    [{ authorization: `Bearer ${theirs.key}, Bearer ${theirs.key}` }, /^The `Authorization` header has two values/],
    [{ authorization: theirs.key }, /doesn’t start with `Bearer`\./],
    [{ "service-integration-id": `"${theirs.id}"` }, /^The integration ID is in quotes\./],
    [{ "service-integration-id": theirs.id.replaceAll("-", "") }, /without its hyphens\./],
    [{ authorization: `Bearer ${theirs.id}`, "service-integration-id": theirs.key }, /are swapped\./],
    [{ "service-integration-id": "" }, /header is missing\./],
    [
      { authorization: `Bearer ${theirs.key.slice(0, -3)}` },
      /The key is 3 characters too short: its end is missing\.$/,
    ],
    [{ "service-integration-id": job }, /No integration there has this ID\.$/],
  ] as const) {
    const all = { authorization: `Bearer ${theirs.key}`, "service-integration-id": theirs.id, ...headers };
    const { refusal } = await explain("businesses.list", {}, { world: MINE, headers: all });
    expect(refusal?.sentence).toMatch(form);
    expect(refusal?.sentence).toMatch(new RegExp(`(?:The key|The integration ID) belongs to world ${OTHER}\\.`));
    expect(refusal?.what_to_do).toMatch(new RegExp(`[sS]end \`x-sandbox-tenant: ${OTHER}\``));
  }
});

test("tells that a doubled Bearer holds another organization's key", async () => {
  const headers = {
    authorization: `Bearer Bearer ${supplier.api_key}`,
    "service-integration-id": repairer.integration_id,
  };
  const { refusal } = await explain("businesses.list", {}, { headers });
  expect(refusal?.sentence).toMatch(/twice\. The key is .*; the integration ID is /);
});

test("tells the form and the place of an access code of another world", async () => {
  for (const write of [
    (code: string) => `"${code}"`,
    (code: string) => `${code}\n`,
    (code: string) => `Bearer ${code}`,
  ]) {
    const body = { client_id, client_secret, access_code: write(await issueCode()) };
    const { refusal } = await explain("integrations.insert", body, { world: MINE });
    expect(refusal).toMatchObject({ cause: "access_code_of_other_world", what_to_do: SEND });
    expect(refusal?.sentence).toMatch(/^The code was issued in world places-other; .* The code is \S/);
  }
  const wrong = { client_id, client_secret: "cs_wrong", access_code: await issueCode() };
  const withoutSecret = { client_id, access_code: await issueCode() };
  for (const [body, form] of [
    [wrong, /^The `client_secret` doesn’t match/],
    [withoutSecret, /^\/client_secret is required\./],
  ] as const) {
    const { refusal } = await explain("integrations.insert", body, { world: MINE });
    expect(refusal?.sentence).toMatch(form);
    expect(refusal?.sentence).toContain(`The code was issued in world ${OTHER};`);
  }
});

test("tells a reader who may not see the other world nothing of it", async () => {
  const { token } = await service.control(tokensCreate, { world: MINE, scope: "view", name: "places" });
  const calls = [
    await sendTo(pathTo("repairer.jobs.parts.insert"), { job_identity: { id: job } }, { world: MINE }),
    await sendTo(pathTo("repairer.jobs.get"), { identity: { external: '"far"' } }, { world: MINE }),
    await sendTo(
      pathTo("businesses.list"),
      {},
      {
        world: MINE,
        headers: { authorization: `Bearer Bearer ${theirs.key}`, "service-integration-id": theirs.id },
      },
    ),
  ];
  for (const { headers } of calls) {
    const read = { world: MINE, id: headers.get("x-request-id") };
    const answer = await service.post(operationPath(requestsExplain), read, { authorization: `Bearer ${token}` });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain(OTHER);
    expect(answer.text).not.toContain("right but for");
  }
});

test("tells what is wrong with an upload's address that was cut, escaped or extended, and records it in its world", async () => {
  const prepare = { file_name: "a.gif", media_type: "image", type: "job_media" };
  const prepared = JSON.parse((await sendTo(pathTo("uploads.prepare"), prepare, { world: MINE })).text);
  const { pathname, search } = new URL((prepared as { readonly upload_url: string }).upload_url);
  const ask = async (method: string, path: string, body?: string) => {
    const answer = await service.raw(path, { method, ...(body === undefined ? {} : { body }) });
    const id = answer.headers.get("x-request-id") ?? "";
    return (await service.control(requestsExplain, { world: MINE, id })).refusal;
  };
  const whole = "Send the picture to the whole `upload_url` that `uploads.prepare` returned, unchanged.";
  const put = "Send the picture with the method PUT.";
  const cut = "The address has no `signature`: its end is missing.";
  expect(await ask("PUT", pathname, "GIF89a")).toMatchObject({ sentence: cut, what_to_do: whole });
  for (const method of ["POST", "PATCH"])
    expect(await ask(method, pathname, "GIF89a")).toMatchObject({
      sentence: `${pathname} takes PUT, not ${method}. ${cut}`,
      what_to_do: `${put} ${whole}`,
    });
  expect(await ask("POST", pathname + search.replaceAll("&", "&amp;"), "GIF89a")).toMatchObject({
    sentence: expect.stringMatching(/ Each `&` in the address was written as `&amp;`\.$/),
  });
  expect(await ask("PUT", `${pathname}/a.gif${search}`, "GIF89a")).toMatchObject({
    ...{ sentence: "The address has `/a.gif` behind the upload’s ID.", what_to_do: whole },
  });
  expect(await ask("POST", `${pathname}/a.gif${search}`, "GIF89a")).toMatchObject({
    what_to_do: `${whole} Use the method PUT.`,
  });
  const inMine = { headers: { "x-sandbox-tenant": MINE } };
  const single = await explain(`/_uploads/${pathname.split("/").at(-1)}`, {}, { world: MINE, ...inMine });
  expect(single.refusal).toMatchObject({
    sentence: expect.stringMatching(/^One underscore is missing from the address: it begins with `\/__uploads\/`\./),
    what_to_do: `${whole} Use the method PUT.`,
  });
  expect((await explain("/__uploads/", {}, { world: MINE })).refusal).toMatchObject({
    sentence: "The address has no upload’s ID: its end is missing. The method is POST: `/__uploads/` takes PUT.",
    what_to_do: `${whole} Use the method PUT.`,
  });
});
