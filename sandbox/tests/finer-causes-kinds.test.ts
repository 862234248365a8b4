import { afterAll, beforeAll, expect, test } from "vitest";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { accessCodesIssue, credentialsList } from "../contract/control/operations.ts";
import { tokensCreate } from "../contract/control/service-operations.ts";
import { snapshotsRestore, snapshotsSave } from "../contract/control/snapshot-operations.ts";
import {
  clockAdvance,
  clockReset,
  worldsCopy,
  worldsDelete,
  worldsReset,
} from "../contract/control/world-operations.ts";
import { fixedClients, fixedCredentials } from "../contract/demo-values.ts";
import { explainedCalls, pathTo } from "../testing/explained-calls.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { buildSeedWorld } from "../worlds/seed/seed-world.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const seed = buildSeedWorld();
const buyer = seed.credentials[0]?.organization_id ?? "";
const SITE = seed.businesses.find(({ type, organization_id }) => type === "repairer_site" && organization_id === buyer);
const { client_id, client_secret } = fixedClients.demo;

const { sendTo, explain } = explainedCalls(() => service);
const send = async (id: string, body: unknown, world: string, headers = {}): Promise<unknown> => {
  const answer = await sendTo(pathTo(id), body, { world, headers });
  expect(answer.status, `${id} ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
};
const explainIn = async (id: string, body: unknown, world: string, headers = {}) =>
  (await explain(id, body, { world, headers })).refusal;
const newJob = (external: string) => ({ identity: { external }, repairer_site_id: SITE?.id });
const insert = async (external: string, world: string, headers = {}) =>
  (await send("repairer.jobs.insert", newJob(external), world, headers)) as { readonly id: string };
const erase = (external: string, world: string) => send("repairer.jobs.delete", { identity: { external } }, world);
const get = (identity: object, world: string) => explainIn("repairer.jobs.get", { identity }, world);
const issueCode = async (world: string) => {
  const issued = await service.control(accessCodesIssue, {
    world,
    client_id,
    organization_id: buyer,
    scope: "repairer",
  });
  return issued.access_code;
};
const withPair = (api_key: string, integration_id: string) => ({
  authorization: `Bearer ${api_key}`,
  "service-integration-id": integration_id,
});
const install = async (world: string) =>
  (await send("integrations.insert", { client_id, client_secret, access_code: await issueCode(world) }, world)) as {
    readonly api_key: string;
    readonly integration_id: string;
  };
const judge = (api_key: string, integration_id: string, world: string) =>
  explainIn("businesses.list", {}, world, withPair(api_key, integration_id));

test("tells of a deletion in this world, though another world has a job of that name", async () => {
  await insert("shared-name", "kind-deleted-other");
  await insert("shared-name", "kind-deleted");
  await erase("shared-name", "kind-deleted");
  expect(await get({ external: "shared-name" }, "kind-deleted")).toMatchObject({
    cause: "job_deleted",
    sentence: expect.stringMatching(/^A call with the same key deleted the job, .* before this call\.$/),
  });
});

test("takes a name that several worlds have for no proof", async () => {
  for (const world of ["kind-shared-a", "kind-shared-b"]) await insert("in-two-worlds", world);
  await insert("another", "kind-shared");
  const told = await get({ external: "in-two-worlds" }, "kind-shared");
  expect(told).toMatchObject({
    cause: "job_unknown",
    sentence: expect.stringMatching(
      /^No job in this world has this `external`\. Worlds kind-shared-[ab] and kind-shared-[ab] have a job of that name\.$/,
    ),
    what_to_do: expect.stringMatching(/^Insert the job in this world, .* name that in `x-sandbox-tenant`\.$/),
  });
  const { token } = await service.control(tokensCreate, { world: "kind-shared", name: "partner", scope: "view" });
  const { id = "" } = {
    id:
      (
        await sendTo(pathTo("repairer.jobs.get"), { identity: { external: "in-two-worlds" } }, { world: "kind-shared" })
      ).headers.get("x-request-id") ?? "",
  };
  const seen = await service.post(
    "/__sandbox/requests.explain",
    { world: "kind-shared", id },
    { authorization: `Bearer ${token}` },
  );
  expect(JSON.stringify(seen.body)).not.toMatch(/kind-shared-[ab]/);
});

test("tells of a reset or a restore of this world before it names a copy or a namesake", async () => {
  await insert("kept-elsewhere", "kind-reset-other");
  await insert("kept-elsewhere", "kind-reset");
  await service.control(worldsReset, { world: "kind-reset" });
  expect(await get({ external: "kept-elsewhere" }, "kind-reset")).toMatchObject({
    ...{ cause: "job_unknown", whose_side: "sandbox" },
    sentence: expect.stringMatching(/^This world was reset .* World kind-reset-other has a job of that name\.$/),
    what_to_do: expect.stringMatching(/^Insert the job in this world/),
  });

  await insert("first", "kind-restored");
  await service.control(snapshotsSave, { world: "kind-restored", name: "before" });
  const { id } = await insert("later", "kind-restored");
  await service.control(worldsCopy, { world: "kind-restored", to: "kind-restored-copy" });
  await service.control(snapshotsRestore, { world: "kind-restored", name: "before" });
  expect(await get({ id }, "kind-restored")).toMatchObject({
    ...{ cause: "job_from_before", whose_side: "sandbox" },
    sentence: expect.stringMatching(
      /^This ID is from before the world was restored, .* World kind-restored-copy has a copy of it\.$/,
    ),
  });
});

test("says what is known of an earlier caller: the key, and another user agent", async () => {
  await insert("of-another-program", "kind-agents", { "user-agent": "dms-bridge/9" });
  expect((await explainIn("repairer.jobs.insert", newJob("of-another-program"), "kind-agents"))?.sentence).toMatch(
    /^A call of `dms-bridge\/9` with the same key created the job .* earlier\.$/,
  );
});

test("says that a job came with the copy of a world", async () => {
  await insert("copied", "kind-copied-from");
  await service.control(worldsCopy, { world: "kind-copied-from", to: "kind-copied" });
  expect((await explainIn("repairer.jobs.insert", newJob("copied"), "kind-copied"))?.sentence).toMatch(
    /^A call with the same key created the job .* earlier, in the world that this one was copied from\.$/,
  );
});

test("says that a code of another world was used there", async () => {
  const access_code = await issueCode("default");
  await send("integrations.insert", { client_id, client_secret, access_code }, "default");
  await insert("any", "kind-code");
  expect(await explainIn("integrations.insert", { client_id, client_secret, access_code }, "kind-code")).toMatchObject({
    sentence: expect.stringMatching(/^The code was issued and used in world default; this call names kind-code\.$/),
    what_to_do: expect.stringMatching(/^Get a new access code/),
  });
});

test("doesn’t ask to put a clock back that is back", async () => {
  const access_code = await issueCode("kind-clock");
  await service.control(clockAdvance, { world: "kind-clock", seconds: 1_000 });
  const body = { client_id, client_secret, access_code };
  const { headers } = await sendTo(pathTo("integrations.insert"), body, { world: "kind-clock" });
  await service.control(clockReset, { world: "kind-clock" });
  const id = headers.get("x-request-id") ?? "";
  const { refusal } = await service.control(requestsExplain, { world: "kind-clock", id });
  expect(refusal).toMatchObject({
    cause: "access_code_clock",
    what_to_do: expect.stringMatching(/^The clock is back/),
  });
});

test("names an organization without a key, and an ID that is one character short", async () => {
  const withKeys = seed.credentials.map(({ organization_id }) => organization_id);
  const foreign = seed.procurements.find(
    ({ supplier_organization_id, status }) =>
      status === "order_requested" && !withKeys.includes(supplier_organization_id),
  );
  const as = withPair(supplier.api_key, supplier.integration_id);
  const confirm = (id?: string) => explainIn("supplier.procurements.confirm", { identity: { id } }, "default", as);
  expect((await confirm(foreign?.id))?.what_to_do).toMatch(/^This world has no key of .*: install for it first/);
  const own = seed.procurements.find(({ supplier_organization_id }) => withKeys.includes(supplier_organization_id));
  expect(await confirm(own?.id.slice(0, -1))).toMatchObject({
    sentence: expect.stringMatching(/one character too short: its end is missing/),
    what_to_do: expect.stringContaining(own?.id ?? ""),
  });
});

test("tells what else to correct beside a field’s name", async () => {
  const { id } = await insert("braces", "kind-braces");
  const body = { jobIdentity: { id: `{${id.toUpperCase()}}` } };
  expect((await explainIn("repairer.jobs.parts.list", body, "kind-braces"))?.what_to_do).toContain(
    `Also send \`/job_identity/id\` as \`"${id.toUpperCase()}"\`.`,
  );
});

test("explains headers by what stands in them", async () => {
  const { webhook_secret } = fixedCredentials.repairer;
  const { api_key, integration_id } = repairer;
  const list = (authorization: string, more = {}) =>
    explainIn("businesses.list", {}, "default", {
      ...{ authorization, "service-integration-id": integration_id },
      ...more,
    });
  expect((await list(`Bearer%20${api_key}`))?.sentence).toBe(
    "The `Authorization` header is percent-encoded: it has `%20` in place of a space.",
  );
  expect((await list(`Bearer Authorization: Bearer ${api_key}`))?.sentence).toMatch(
    /followed by a whole `Authorization`/,
  );
  expect((await list(`Bearer ${webhook_secret.slice(4)}`))?.sentence).toMatch(/a webhook secret without `pwh_`/);
  const encoded = await list(`Bearer ${api_key}`, { "content-encoding": "utf-8" });
  expect(encoded?.sentence).toMatch(/a character set and no encoding/);
});

test("describes a spelling that differs in case and in a space", async () => {
  await insert("RO-1001", "kind-spelling");
  expect((await get({ external: "ro-1001 " }, "kind-spelling"))?.sentence).toMatch(
    /right but for upper and lower case and a trailing space or line break/,
  );
});

test("sends to another world only a pair of that world, and names the halves of others", async () => {
  const [mine, theirs] = [await install("kind-pair"), await install("kind-pair-other")];
  expect(await judge(theirs.api_key, theirs.integration_id, "kind-pair")).toMatchObject({
    ...{ cause: "key_of_other_world", what_to_do: "Send `x-sandbox-tenant: kind-pair-other` with the call." },
  });
  expect(await judge(mine.api_key, theirs.integration_id, "kind-pair")).toMatchObject({
    cause: "credentials",
    sentence: expect.stringMatching(
      /^The key is .*, but no integration has this ID in this world\. World kind-pair-other has /,
    ),
    what_to_do: expect.stringMatching(`^Send \`Service-Integration-ID: ${mine.integration_id}\` with this key\\. If `),
  });
  expect(await judge(repairer.api_key, theirs.integration_id, "default")).toMatchObject({
    cause: "credentials",
    what_to_do: expect.stringMatching(`^Send \`Service-Integration-ID: ${repairer.integration_id}\` with this key\\.`),
  });
  expect(await judge(mine.api_key, supplier.integration_id, "default")).toMatchObject({
    cause: "credentials",
    sentence: expect.stringMatching(/, but the key is not its key in this world\. The key is of world kind-pair\.$/),
    what_to_do: expect.stringMatching(
      `^Send the key that was issued with .* \`Service-Integration-ID: ${mine.integration_id}\``,
    ),
  });
  expect((await judge(mine.api_key, theirs.integration_id, "default"))?.sentence).toMatch(
    /The integration ID is of world kind-pair-other; the key is of world kind-pair\.$/,
  );
});

test("tells of a key from before a reset, whether with its ID and a copy or with a new ID", async () => {
  const before = await install("kind-key");
  await service.control(worldsCopy, { world: "kind-key", to: "kind-key-copy" });
  await service.control(worldsReset, { world: "kind-key" });
  expect(await judge(before.api_key, before.integration_id, "kind-key")).toMatchObject({
    ...{ cause: "key_from_before", whose_side: "sandbox" },
    sentence: expect.stringMatching(
      /^The key is from before the world was reset, .* World kind-key-copy has a copy of it\.$/,
    ),
  });
  const after = await install("kind-key");
  expect(await judge(before.api_key, after.integration_id, "kind-key")).toMatchObject({
    sentence: expect.stringMatching(/which was reset .* before this call\. Keys from before don’t work any more\./),
  });
  expect(await judge(after.api_key, before.integration_id, "kind-key")).toMatchObject({
    sentence: expect.stringMatching(/but the integration ID is from before the world was reset/),
  });
});

test("asks for a world’s own keys in place of the service’s, and never for another world", async () => {
  const world = "kind-own";
  await insert("any", world);
  await service.control(tokensCreate, { world, name: "partner", scope: "act" });
  const own = {
    sentence: "This world has its own keys. The service’s keys, which the call sent, don’t open it.",
    what_to_do: expect.stringMatching(/^Send a key and an integration ID of this world/),
  };
  expect(await explainIn("businesses.list", {}, world)).toMatchObject(own);
  expect(await explainIn("/__webhooks/secret", {}, world)).toMatchObject(own);
  expect(
    await explainIn("integrations.insert", { client_id, client_secret, access_code: "ac_x" }, world),
  ).toMatchObject({ sentence: expect.stringMatching(/^This world has its own client secrets\./) });

  await service.control(worldsCopy, { world, to: "kind-own-copy" });
  const { items } = await service.control(credentialsList, { world, reveal: true });
  const { api_key = "", integration_id = "" } = items.find(({ scope }) => scope === "repairer") ?? {};
  expect(await judge(api_key, integration_id, "kind-own-copy")).toMatchObject({
    sentence: expect.stringMatching(
      /^The key and the integration ID are world kind-own’s own\. World kind-own-copy is a copy/,
    ),
    what_to_do: expect.stringMatching(/^Send keys that work in world kind-own-copy/),
  });
});

test("names the one world that was reset or deleted since an unknown ID was issued", async () => {
  const own = await startTestService();
  try {
    const calls = explainedCalls(() => own);
    const sent = { world: "kind-lost" };
    const answer = await calls.sendTo(pathTo("repairer.jobs.insert"), newJob("lost"), sent);
    const { id } = answer.body as { readonly id: string };
    await own.control(worldsDelete, { world: "kind-lost" });
    const { refusal } = await calls.explain("repairer.jobs.get", { identity: { id } });
    expect(refusal).toMatchObject({
      cause: "job_unknown",
      sentence: expect.stringMatching(/ World kind-lost was deleted .* before this call, after this ID was issued\.$/),
      what_to_do: expect.stringMatching(/^If it was in world kind-lost, create it again there/),
    });
  } finally {
    await own.end();
  }
});

test("names the checkpoint of a deleted world, whatever the call to it is refused for", async () => {
  const world = "kind-deleted-world";
  const { api_key, integration_id } = await install(world);
  const headers = withPair(api_key, integration_id);
  await service.control(worldsDelete, { world });
  const explainHere = async (path: string, body: object) => {
    const answer = await sendTo(path, body, { world, headers });
    const id = answer.headers.get("x-request-id") ?? "";
    await expect.poll(async () => (await service.control(requestsExplain, { id }).catch(() => null))?.id).toBe(id);
    return service.control(requestsExplain, { id });
  };
  const undo = /[Uu]ndo the deletion: snapshots\.list has the checkpoint of kind-deleted-world\.$/;
  for (const [path, body] of [
    ["/__webhooks/secret", {}],
    ["/__webhooks/subscribe", { integration_id }],
    ["/__webhooks/subscribe", { integration_id, url: "http://10.0.0.1/" }],
    ["/__webhooks/unsubscribe", { integration_id }],
    [pathTo("businesses.list"), {}],
  ] as const) {
    const { refusal } = await explainHere(path, body);
    expect(refusal?.sentence, path).toMatch(/^World kind-deleted-world was deleted .* before this call[.,]/);
    expect(refusal?.what_to_do, path).toMatch(undo);
  }
  const accepted = await explain(
    "/__webhooks/subscribe",
    { integration_id, url: "http://127.0.0.1:9/" },
    { world, headers },
  );
  expect(accepted.warning).toMatch(
    /^No integration has this ID in this world\. Nothing will be sent\. The ID is from before the world was deleted, .* before this call\. /,
  );
  expect(accepted.warning).toMatch(undo);
  for (const path of ["/__webhooks/secret", pathTo("businesses.list")]) {
    const { refusal } = await explain(path, {}, { world, headers });
    expect(refusal, path).toMatchObject({
      ...{ cause: "key_from_before", what_to_do: expect.stringMatching(undo) },
      sentence: expect.stringMatching(/^The key is from before the world was deleted, .* before this call\.$/),
    });
  }
});
