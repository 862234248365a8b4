import { createHash, generateKeyPairSync, sign } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { verifyEvidence } from "../command/verify-evidence.ts";
import { accessCodesIssue, organizationsList } from "../contract/control/operations.ts";
import {
  type Evidence,
  evidenceList,
  evidenceRevoke,
  integrationsBoard,
  integrationsEvidence,
  integrationsReadiness,
  plansList,
  plansSet,
  type RequiredCheck,
} from "../contract/control/readiness-operations.ts";
import { tokensCreate } from "../contract/control/service-operations.ts";
import { businessesList, integrationsInsert, jobsInsert } from "../contract/operations/partner.ts";
import { signEvidence } from "../secrets/evidence.ts";
import { startTestService, type TestCredential, type TestService, temporaryFolder } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { keepPrinted } from "../testing/printed.ts";

let service: TestService;
let folder = "";
beforeAll(async () => {
  service = await startTestService();
  folder = temporaryFolder();
});
afterAll(async () => {
  await service.end();
  fs.rmSync(folder, { recursive: true });
});

const installIn = async (world: string, at = service): Promise<TestCredential & { client_id: string }> => {
  const tenant = { "x-sandbox-tenant": world };
  await at.make(world);
  const { client_id, client_secret } = at.ready.clients?.demo ?? { client_id: "", client_secret: "" };
  const { items } = await at.control(organizationsList, { world });
  const organization_id = items.find(({ name }) => name === "Tarn & Rowe Collision")?.id ?? "";
  const { access_code } = await at.control(accessCodesIssue, {
    world,
    client_id,
    organization_id,
    scope: "repairer",
  });
  return {
    ...(await at.ok(integrationsInsert, { access_code, client_id, client_secret }, undefined, tenant)),
    client_id,
  };
};
const board = (body: object, at = service) => at.control(integrationsBoard, body);
/** Verifies a file with the command. @returns its status and output */
const verified = (content: unknown, ...args: string[]) => {
  const file = path.join(folder, "evidence.json");
  fs.writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  const printed = keepPrinted();
  const status = verifyEvidence([file, ...args]);
  return { status, ...printed };
};

test("the board lists the integrations of every world with their results, by page, and only its own for a world token", async () => {
  const service = await startTestService();
  onTestFinished(() => service.end());
  const [one, two] = [await installIn("alpha", service), await installIn("beta", service)];
  await service.ok(businessesList, {}, one, { "x-sandbox-tenant": "alpha" });
  const { items, next_cursor } = await board({ everywhere: true }, service);
  expect(next_cursor).toBeNull();
  expect(items.map(({ world, integration_id }) => [world, integration_id])).toEqual([
    ["alpha", one.integration_id],
    ["beta", two.integration_id],
  ]);
  expect(items[0]).toMatchObject({
    organization_name: "Tarn & Rowe Collision",
    calls: 1,
    plan: null,
    met: 1,
    ready: false,
  });
  expect(items[1]).toMatchObject({ calls: 0, met: 0, last_called_at: null });
  const first = await board({ everywhere: true, limit: 1 }, service);
  expect(first.items.map(({ world }) => world)).toEqual(["alpha"]);
  const second = await board({ everywhere: true, limit: 1, cursor: first.next_cursor }, service);
  expect(second.items.map(({ world }) => world)).toEqual(["beta"]);
  expect((await board({ world: "beta" }, service)).items).toHaveLength(1);
  const { token } = await service.control(tokensCreate, { world: "beta", name: "beta", scope: "view" });
  const as = { authorization: `Bearer ${token}` };
  expect((await service.call(integrationsBoard, { everywhere: true, world: "beta" }, undefined, as)).status).toBe(403);
  expect((await service.call(integrationsBoard, { world: "alpha" }, undefined, as)).status).toBe(403);
  expect((await service.call(integrationsBoard, { world: "beta" }, undefined, as)).status).toBe(200);
});

test("a plan defines what a client's integrations must have done, and must name existing things", async () => {
  const site = await ownSite(service);
  const own = await installIn("planned");
  const tenant = { "x-sandbox-tenant": "planned" };
  const requires = [
    { kind: "operation" as const, name: "repairer.jobs.insert" },
    { kind: "event" as const, name: "repairer.jobs" },
  ];
  const { items } = await service.control(plansSet, { client_id: own.client_id, plan: { name: "Jobs", requires } });
  expect(items).toEqual([{ client_id: own.client_id, name: "Jobs", requires }]);
  await service.ok(jobsInsert, { identity: { external: "one" }, repairer_site_id: site }, own, tenant);
  const { items: rows } = await board({ world: "planned" });
  expect(rows[0]).toMatchObject({
    plan: "Jobs",
    required: 2,
    met: 1,
    unmet: [{ kind: "event", name: "repairer.jobs" }],
  });
  const typo = { client_id: "sandbox-demmo", plan: { name: "Jobs", requires } };
  const operator = { authorization: `Bearer ${service.ready.control_token}` };
  const refused = await service.call(plansSet, typo, undefined, operator);
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining("/client_id No client sandbox-demmo. One of "),
  ]);
  const report = { world: "planned", integration_id: own.integration_id };
  const { judged } = await service.control(integrationsReadiness, report);
  expect(judged).toMatchObject({ plan: "Jobs", required: 2, met: 1, ready: false });
  const { markdown } = await service.control(integrationsReadiness, { ...report, format: "markdown" });
  expect(markdown).toContain("Plan Jobs: 1 of 2 met, not ready. Not met: `repairer.jobs`.");
  const asked = (checks: readonly RequiredCheck[]) =>
    service.call(
      plansSet,
      { client_id: own.client_id, plan: { name: "Jobs", requires: [...checks] } },
      ...[undefined, { authorization: `Bearer ${service.ready.control_token}` }],
    );
  // Checks that no report has can never be met.
  for (const wrong of [
    { kind: "drill", name: "nothing" },
    { kind: "operation", name: "integrations.insert" },
    { kind: "error_code", name: "unauthorized" },
  ] as const)
    expect(await asked([wrong])).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("/plan/requires/0/name") },
    });
  expect(await asked([])).toMatchObject({ status: 400, body: { message: expect.stringContaining("/plan/requires") } });
  await service.control(plansSet, { client_id: own.client_id, plan: null });
  expect((await service.control(plansList, {})).items).toEqual([]);
});

test("evidence is signed by one key of the service, and any change is detected", async () => {
  const own = await installIn("proven");
  const file = await service.control(integrationsEvidence, { world: "proven", integration_id: own.integration_id });
  const again = await service.control(integrationsEvidence, { world: "proven", integration_id: own.integration_id });
  expect(again.fingerprint).toBe(file.fingerprint);
  const said = JSON.parse(file.evidence) as Evidence;
  expect(said).toMatchObject({ world: "proven", ready: false, readiness: { integration_id: own.integration_id } });
  expect(file.evidence).not.toContain(own.api_key);
  const good = verified(file, "--key", file.fingerprint);
  expect(good.status).toBe(0);
  expect(good.stdout).toContain(`Valid signature by key ${file.fingerprint}.`);
  expect(good.stdout).toContain("Not ready: 0 of ");
  const changed = { ...file, evidence: file.evidence.replace('"ready": false', '"ready": true') };
  expect(verified(changed)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("changed after it was signed"),
  });
  expect(verified(file, "--key", "0".repeat(64))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("another key"),
  });
  expect(verified({ ...file, fingerprint: "0".repeat(64) })).toMatchObject({ status: 1 });
  const other = generateKeyPairSync("ed448");
  const signature = sign(null, Buffer.from(file.evidence), other.privateKey).toString("base64");
  for (const [key, why] of [
    [other.publicKey.export({ format: "der", type: "spki" }), "not an Ed25519 key"],
    [Buffer.from("no key"), "the key cannot be read"],
  ] as const) {
    const fingerprint = createHash("sha256").update(key).digest("hex");
    const signed = { ...file, public_key: key.toString("base64"), fingerprint, signature };
    expect(verified(signed)).toMatchObject({ status: 1, stderr: expect.stringContaining(why) });
  }
  for (const none of ["{}", "not json", "null"]) expect(verified(none).status).toBe(2);
  expect(verified("secret").stderr).toMatch(/^error: \S+ isn’t an evidence file: it isn’t valid JSON\n$/);
  const printed = keepPrinted();
  expect([verifyEvidence(["/nowhere.json"]), printed.stderr]).toEqual([2, "error: File not found: /nowhere.json\n"]);
});

test("evidence says what it proves, and which contract was called", async () => {
  const own = await installIn("worded");
  const tenant = { "x-sandbox-tenant": "worded" };
  await service.ok(businessesList, {}, own, tenant);
  await service.call(jobsInsert, { identity: { external: "none" }, repairer_site_id: own.integration_id }, own, tenant);
  const requires = [
    { kind: "operation" as const, name: "businesses.list" },
    { kind: "operation" as const, name: "repairer.jobs.insert" },
  ];
  await service.control(plansSet, { client_id: own.client_id, plan: { name: "Two", requires } });
  const asked = { world: "worded", integration_id: own.integration_id };
  const [file, board] = [
    await service.control(integrationsEvidence, asked),
    await service.control(integrationsBoard, { world: "worded" }),
  ];
  await service.control(plansSet, { client_id: own.client_id, plan: null });
  const said = JSON.parse(file.evidence) as Evidence;
  // Board, report and file show the same counts.
  expect([said.met, said.required, said.unmet]).toEqual([1, 2, board.items[0]?.unmet]);
  expect(said.required_checks).toEqual(requires);
  const { since, until } = said.readiness.record;
  const minute = (at: string | null) => at?.slice(0, 16).replace("T", " ");
  expect(said.statement).toContain(
    `of Tarn & Rowe Collision (repairer) made 2 calls between ${minute(since)} and ${minute(until)} UTC, in world worded of ${service.baseUrl}`,
  );
  expect(said.statement).toContain("Of 2 required checks it has met 1: operation businesses.list.");
  expect(said.statement).toContain("Not met: operation repairer.jobs.insert.");
  const document = JSON.parse((await service.raw("/openapi.json", { method: "GET" })).text) as { servers: unknown };
  expect(said.contract).toEqual({ version: "2026-01", digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });
  expect(said.statement).toContain(said.contract.digest);
  expect(document.servers).toEqual([expect.objectContaining({ url: service.baseUrl })]);
  expect(verified(file).stdout).toContain(said.statement);
});

test("the service lists issued evidence, and says if each was revoked", async () => {
  const [own, other] = [await installIn("issued"), await installIn("issued-too")];
  const issue = async (world: string, { integration_id }: TestCredential) => {
    const file = await service.control(integrationsEvidence, { world, integration_id });
    return { ...file, id: (JSON.parse(file.evidence) as Evidence).id };
  };
  const [one, two] = [await issue("issued", own), await issue("issued", own)];
  const three = await issue("issued-too", other);
  const ids = async (body: object) => (await service.control(evidenceList, body)).items.map(({ id }) => id);
  expect(await ids({ world: "issued" })).toEqual([two.id, one.id]);
  expect(await ids({ world: "issued", id: one.id.toUpperCase() })).toEqual([one.id]);
  expect(await ids({ world: "issued", integration_id: other.integration_id })).toEqual([]);
  expect((await ids({ everywhere: true })).slice(0, 3)).toEqual([three.id, two.id, one.id]);
  const first = await service.control(evidenceList, { world: "issued", limit: 1 });
  expect(await ids({ world: "issued", limit: 1, cursor: first.next_cursor ?? "" })).toEqual([one.id]);
  expect(first.items[0]).toMatchObject({
    ...{ world: "issued", integration_id: own.integration_id, ready: false, revoked_at: null, revoked_for: null },
    digest: createHash("sha256").update(two.evidence).digest("hex"),
  });
  const operator = { authorization: `Bearer ${service.ready.control_token}` };
  const refused = await service.call(evidenceList, { cursor: "x" }, undefined, operator);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("/cursor ")]);

  // World tokens see their own world, and only a managing one can revoke.
  const as = async (scope: "view" | "manage") => {
    const { token } = await service.control(tokensCreate, { world: "issued", name: scope, scope });
    return { authorization: `Bearer ${token}` };
  };
  const [view, manage] = [await as("view"), await as("manage")];
  expect((await service.call(evidenceList, { world: "issued", everywhere: true }, undefined, view)).status).toBe(403);
  expect((await service.call(evidenceList, { world: "issued-too" }, undefined, view)).status).toBe(403);
  const revoke = { world: "issued", id: one.id, reason: "It was of another build." };
  expect((await service.call(evidenceRevoke, revoke, undefined, view)).status).toBe(403);
  const foreign = await service.call(evidenceRevoke, { world: "issued", id: three.id }, undefined, manage);
  expect([foreign.status, foreign.text]).toEqual([
    404,
    expect.stringContaining(`/id ${three.id}: no evidence with this ID was issued for world `),
  ]);
  expect((await service.call(evidenceRevoke, revoke, undefined, manage)).body).toMatchObject({
    ...{ id: one.id, revoked_at: expect.any(String), revoked_for: "It was of another build." },
  });
  // The first reason is kept.
  const again = await service.control(evidenceRevoke, { world: "issued", id: one.id });
  expect(again.revoked_for).toBe("It was of another build.");
  expect((await service.control(evidenceList, { world: "issued-too" })).items).toMatchObject([{ revoked_at: null }]);
});

test("evidence changed in any of nine ways is refused", async () => {
  const own = await installIn("altered");
  const asked = { world: "altered", integration_id: own.integration_id };
  const { fingerprint, ...file } = await service.control(integrationsEvidence, asked);
  const other = signEvidence("another secret", file.evidence);
  const edit = (from: string | RegExp, to: string) => ({
    ...file,
    fingerprint,
    evidence: file.evidence.replace(from, to),
  });
  const altered = {
    ready: edit('"ready": false', '"ready": true'),
    world: edit('"world": "altered"', '"world": "proven"'),
    counts: edit(/"met": \d+/, '"met": 24'),
    statement: edit("Not met:", "Met as well:"),
    "a space more": edit("{", "{ "),
    signature: { ...file, fingerprint, signature: Buffer.alloc(64).toString("base64") },
    "another key": { ...file, fingerprint, public_key: other.public_key },
    fingerprint: { ...file, fingerprint: other.fingerprint },
    "key and signature of another": other,
  };
  for (const [what, changed] of Object.entries(altered))
    expect([what, verified(changed, "--key", fingerprint).status]).toEqual([what, 1]);
  expect(verified({ ...file, fingerprint }, "--key", fingerprint).status).toBe(0);
});
