import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Cause } from "../contract/causes.ts";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { faultsSet } from "../contract/control/fault-operations.ts";
import { accessCodesIssue, organizationsList, requestsGet, requestsList } from "../contract/control/operations.ts";
import type { Policies } from "../contract/control/policies.ts";
import { policiesSet, worldSummary } from "../contract/control/world-operations.ts";
import { requestExamples } from "../contract/openapi/examples.ts";
import { type Operation, pathOf } from "../contract/operation.ts";
import { businessesList, integrationsInsert, partnerOperations } from "../contract/operations/partner.ts";
import {
  type Answer,
  credentialHeaders,
  repairer,
  startTestService,
  supplier,
  type TestCredential,
  type TestService,
} from "../testing/harness.ts";
import { credentialFor, ownCodes, provoke, unprovokable } from "../testing/provocations.ts";
import { RawConnection } from "../testing/raw-connection.ts";
import { fixedClients } from "../worlds/seed/fixed.ts";
import { buildSeedWorld } from "../worlds/seed/seed-world.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const keys: readonly TestCredential[] = [repairer, supplier];
const byId = (id: string): Operation => {
  const found = partnerOperations.find((one) => one.id === id);
  return found ?? expect.unreachable(`${id} is no operation`);
};
/** Where a call is sent, and as whom: `webhooks.subscribe` and `webhooks.secret` are beside the operations. */
const reachedAt = (id: string): { readonly path: string; readonly sender: TestCredential | null } =>
  id.startsWith("webhooks.")
    ? { path: `/__${id.replace(".", "/")}`, sender: id === "webhooks.secret" ? repairer : null }
    : { path: pathOf(byId(id)), sender: credentialFor(byId(id)) };
const idOf = ({ headers }: Pick<Answer, "headers">): string => headers.get("x-request-id") ?? "";
const explain = (id: string, world: string) => service.control(requestsExplain, { world, id });

/** Explains a call and holds what is said: the checks are in one order, and a correction is accepted. */
const held = async (answer: Answer, path: string, world: string, sender: TestCredential | null) => {
  const before = await service.control(worldSummary, { world });
  const explanation = await explain(idOf(answer), world);
  const after = await service.control(worldSummary, { world });
  expect(after).toEqual(before);
  const { checks, correction, no_correction, refusal } = explanation;
  const verdicts = checks.map(({ verdict }) => verdict);
  const at = verdicts.indexOf("refused");
  expect(verdicts).toEqual(
    checks.map((_, index) => (index < at ? "passed" : index === at ? "refused" : "not_reached")),
  );
  expect(refusal).toMatchObject({ status: answer.status, sentence: expect.stringMatching(/^\S.+\.$/s) });
  expect(correction === null).toBe(no_correction !== null);
  expect(JSON.stringify(explanation)).not.toContain(repairer.api_key);
  expect(JSON.stringify(explanation)).not.toContain(supplier.api_key);
  if (correction) {
    const credential = correction.credential
      ? keys.find((one) => one.integration_id === correction.credential?.integration_id)
      : sender;
    const sent = await service.post(path, correction.body, {
      ...(credential ? credentialHeaders(credential) : {}),
      "x-sandbox-tenant": world,
    });
    expect(sent.status, `${path}: ${sent.text}`).toBe(200);
    const { outcome } = await service.control(requestsGet, { world, id: idOf(sent) });
    expect(correction.would_answer).toEqual({ status: 200, outcome });
  }
  return explanation;
};

const insert = requestExamples["repairer.jobs.insert"];
const place = requestExamples["repairer.procurements.place"];
const reconcile = requestExamples["repairer.invoices.reconcile"];
const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const fresh = { identity: { external: "mine:1" }, repairer_site_id: insert.repairer_site_id };

const CONFIRMED = reconcile.identity;

type Row = readonly [
  what: string,
  id: string,
  body: unknown,
  cause: Cause,
  pointers: readonly string[],
  edits: readonly string[] | null,
];

/** What is refused only in a world that is set so. */
const switched: Readonly<Partial<Record<Cause, Partial<Policies>>>> = {
  confirmed_already: { confirm_when_confirmed: "reject" },
};

/** Every cause of an operation's own, and the places a correction of it changes; null: there is none. */
const rows: readonly Row[] = [
  [
    "a job that exists",
    "repairer.jobs.insert",
    { ...fresh, identity: { external: "estimate:88213" } },
    "job_exists",
    ["/identity"],
    ["/if_"],
  ],
  [
    "another's site",
    "repairer.jobs.insert",
    { ...fresh, repairer_site_id: UNKNOWN },
    "site_unknown",
    ["/repairer_site_id"],
    ["/repairer_site_id"],
  ],
  [
    "an id of its own",
    "repairer.jobs.insert",
    { ...fresh, identity: { id: UNKNOWN } },
    "job_id_not_assigned",
    ["/identity/id"],
    ["/identity"],
  ],
  [
    "an unknown insurer's name",
    "repairer.jobs.insert",
    { ...fresh, work_provider_contract: "Longreach Mutal" },
    "work_provider_unknown",
    ["/work_provider_contract"],
    ["/work_provider_contract"],
  ],
  [
    "a name that no insurer's is like",
    "repairer.jobs.insert",
    { ...fresh, work_provider_contract: "Zyzzyva Ltdd" },
    "work_provider_unknown",
    ["/work_provider_contract"],
    ["/work_provider_contract"],
  ],
  [
    "an unknown insurer's id",
    "repairer.jobs.insert",
    { ...fresh, work_provider_id: UNKNOWN },
    "work_provider_unknown",
    ["/work_provider_id"],
    ["/work_provider_id"],
  ],
  [
    "a number that is taken",
    "repairer.jobs.insert",
    { ...fresh, job_number: "J-20418" },
    "job_number_taken",
    ["/job_number"],
    ["/job_number"],
  ],
  [
    "no site",
    "repairer.jobs.insert",
    { identity: fresh.identity },
    "shape",
    ["/repairer_site_id"],
    ["/repairer_site_id"],
  ],
  [
    "two identities and a wrong site",
    "repairer.jobs.insert",
    { identity: { id: UNKNOWN, external: "mine:2" }, repairer_site_id: UNKNOWN },
    "shape",
    ["/identity"],
    ["/identity", "/repairer_site_id"],
  ],
  [
    "a number as text",
    "repairer.jobs.parts.insert",
    { job_identity: { external: "estimate:88216" }, parts: [{ quantity: "2" }] },
    "shape",
    ["/parts/0/quantity"],
    ["/parts/0/quantity"],
  ],
  [
    "a job's misspelt name",
    "repairer.jobs.get",
    { identity: { external: "estimate:8821" } },
    "job_unknown",
    ["/identity"],
    ["/identity/external"],
  ],
  [
    "an unknown job's id",
    "repairer.jobs.parts.list",
    { job_identity: { id: UNKNOWN } },
    "job_unknown",
    ["/job_identity"],
    null,
  ],
  [
    "an unknown order",
    "repairer.procurements.get",
    { identity: { id: UNKNOWN } },
    "procurement_unknown",
    ["/identity/id"],
    null,
  ],
  [
    "an order that is no UUID",
    "supplier.procurements.get",
    { identity: { id: "x" } },
    "shape",
    ["/identity/id"],
    ["/identity/id"],
  ],
  [
    "a job to delete that is not there",
    "repairer.jobs.delete",
    { identity: { id: UNKNOWN } },
    "job_unknown",
    ["/identity"],
    null,
  ],
  [
    "an order to cancel that is not there",
    "procurements.cancel",
    { identity: { id: UNKNOWN } },
    "procurement_unknown",
    ["/identity/id"],
    null,
  ],
  [
    "a job with an order",
    "repairer.jobs.delete",
    { identity: { external: "estimate:88179" } },
    "job_has_live_procurement",
    ["/identity"],
    null,
  ],
  [
    "a cancelled order",
    "supplier.procurements.confirm",
    { identity: { id: "c4e479fd-0df9-5ab3-bf5e-50969f1daa34" } },
    "confirm_of_cancelled",
    ["/identity/id"],
    null,
  ],
  [
    "an order that is cancelled already",
    "procurements.cancel",
    { identity: { id: "0cffe442-29c7-5846-b3f4-7eeb34539c78" } },
    "cancelled_already",
    ["/identity/id"],
    null,
  ],
  [
    "an offer that is none",
    "repairer.procurements.place",
    { ...place, sellable_ids: [UNKNOWN] },
    "offer_unknown",
    ["/sellable_ids/0"],
    ["/sellable_ids/0"],
  ],
  [
    "an offer twice, in other letters",
    "repairer.procurements.place",
    { ...place, sellable_ids: [place.sellable_ids[0], place.sellable_ids[0]?.toUpperCase()] },
    "offer_repeated",
    ["/sellable_ids/1"],
    ["/sellable_ids/1"],
  ],
  [
    "a price with a sign of money",
    "repairer.invoices.reconcile",
    { ...reconcile, lines: [{ quantity: 1, unit_price: "$1,548.05" }] },
    "not_an_amount",
    ["/lines/0/unit_price"],
    ["/lines/0/unit_price"],
  ],
  [
    "an order that is not confirmed",
    "repairer.invoices.reconcile",
    { ...reconcile, identity: { id: "0cffe442-29c7-5846-b3f4-7eeb34539c78" } },
    "procurement_not_confirmed",
    ["/identity/id"],
    null,
  ],
  [
    "an order that is confirmed already",
    "supplier.procurements.confirm",
    { identity: CONFIRMED },
    "confirmed_already",
    ["/identity/id"],
    null,
  ],
  [
    "a confirmed order to cancel",
    "procurements.cancel",
    { identity: CONFIRMED },
    "cancel_of_confirmed",
    ["/identity/id"],
    null,
  ],
  [
    "two insurers",
    "repairer.jobs.insert",
    { ...fresh, work_provider_id: "78727963-088d-501d-b7ed-b973cd82f3ad", work_provider_contract: "Longreach Mutual" },
    "work_providers_differ",
    ["/work_provider_contract", "/work_provider_id"],
    ["/work_provider_contract"],
  ],
  [
    "another job's part",
    "repairer.jobs.parts.insert",
    {
      job_identity: { external: "estimate:88216" },
      parts: [{ identity: { id: "df8aa0eb-ece5-5ec9-bb6e-8f30c15883dc" } }],
    },
    "part_of_other_job",
    ["/parts/0/identity"],
    ["/parts/0/identity"],
  ],
  [
    "no fields of a subscription",
    "webhooks.subscribe",
    {},
    "subscription_fields",
    ["/integration_id", "/url"],
    ["/integration_id", "/url"],
  ],
  [
    "an integration that is no UUID",
    "webhooks.subscribe",
    { integration_id: "mine", url: "http://127.0.0.1:9/hooks" },
    "subscription_fields",
    ["/integration_id"],
    ["/integration_id"],
  ],
  [
    "an address elsewhere",
    "webhooks.subscribe",
    { integration_id: repairer.integration_id, url: "https://example.com/hooks" },
    "url_not_loopback",
    ["/url"],
    ["/url"],
  ],
  [
    "an address that is none",
    "webhooks.subscribe",
    { integration_id: repairer.integration_id, url: "hooks" },
    "url_not_loopback",
    ["/url"],
    ["/url"],
  ],
  ["a list to subscribe", "webhooks.subscribe", [], "not_json", [""], null],
  [
    "a video",
    "uploads.prepare",
    { ...requestExamples["uploads.prepare"], media_type: "Image" },
    "shape",
    ["/media_type"],
    ["/media_type"],
  ],
  [
    "one identifier instead of a list",
    "tier1.prepare",
    { identifiers: { chassis_number: "7A8DK0S1904128461" } },
    "shape",
    ["/identifiers"],
    ["/identifiers"],
  ],
];

describe("a refusal is explained by its cause, its fields and a correction that is accepted", () => {
  test.each(rows)("%s (%s)", async (what, id, body, cause, pointers, edits) => {
    const { path, sender } = reachedAt(id);
    const world = what.replaceAll(/[^a-z]/gi, "-").slice(0, 60);
    await service.control(policiesSet, { world, policies: switched[cause] ?? {} });
    const answer = await service.post(path, body, {
      ...(sender ? credentialHeaders(sender) : {}),
      "x-sandbox-tenant": world,
    });
    const { refusal, correction } = await held(answer, path, world, sender);
    expect(refusal).toMatchObject({ cause, pointers, whose_side: "partner" });
    expect(correction?.edits.map(({ pointer }) => pointer) ?? null).toEqual(edits);
  });

  const own = partnerOperations.flatMap((operation) =>
    ownCodes(operation)
      .filter((code) => !unprovokable(operation).includes(code))
      .map((code) => [operation.id, code] as const),
  );
  test.each(own)("%s, answered %s", async (id, code) => {
    const operation = byId(id);
    const world = `${id}.${code}`.slice(0, 64);
    const answer = await provoke(service, operation, code);
    const { refusal } = await held(answer, pathOf(operation), world, credentialFor(operation));
    expect(refusal).toMatchObject({ code, cause: expect.any(String) });
  });
});

describe("headers at fault", () => {
  const path = pathOf(byId("repairer.jobs.get"));
  const body = { identity: { external: "estimate:88213" } };
  const known = credentialHeaders(repairer);
  const bare = { ...known, authorization: repairer.api_key };
  const wrong: readonly (readonly [string, Record<string, string>, Cause, RegExp])[] = [
    ["no key", {}, "no_credentials", /no Authorization/],
    ["a bare key", bare, "no_bearer", /begin with Bearer/],
    ["another scheme", { ...known, authorization: `Basic ${repairer.api_key}` }, "no_bearer", /begin with Bearer/],
    ["no integration", { authorization: known.authorization ?? "" }, "no_credentials", /no Service-Integration-ID/],
    ["another's key", { ...known, authorization: `Bearer ${supplier.api_key}` }, "credentials", /not this integration/],
    ["the other side", credentialHeaders(supplier), "scope", /supplier, but it takes repairer/],
  ];
  test.each(wrong)(
    "%s: the same call is accepted with the credential that is named",
    async (_, headers, cause, fact) => {
      const answer = await service.post(path, body, headers);
      const { checks, correction, refusal } = await held(answer, path, "default", null);
      // That another side's key is forbidden the contract says itself.
      expect(refusal).toMatchObject({ cause, decisions: cause === "scope" ? [] : [{ id: "D13" }] });
      expect(checks.find(({ verdict }) => verdict === "refused")).toMatchObject({
        check: cause === "scope" ? "scope" : "credentials",
        fact: expect.stringMatching(fact),
      });
      expect(correction).toMatchObject({
        body,
        credential: { integration_id: repairer.integration_id, side: "repairer" },
      });
    },
  );

  test("a missing Bearer is told in the row and in what is corrected", async () => {
    const answer = await service.post(path, body, bare);
    const { outcome } = await service.control(requestsGet, { world: "default", id: idOf(answer) });
    const { correction, refusal } = await explain(idOf(answer), "default");
    expect(outcome).toBe("The Authorization header does not say Bearer before the key.");
    expect(refusal?.sentence).toBe(outcome);
    expect(correction?.edits).toMatchObject([{ pointer: "/authorization", reason: "the key comes after Bearer" }]);
  });

  test("the webhook secret needs Bearer, too", async () => {
    const { path, sender } = reachedAt("webhooks.secret");
    const { refusal } = await held(await service.post(path, {}, bare), path, "default", sender);
    expect(refusal).toMatchObject({ cause: "no_bearer" });
  });

  test("an encoding of the body is taken away", async () => {
    const answer = await service.post(path, body, { ...known, "content-encoding": "br" });
    const { correction, refusal } = await held(answer, path, "default", repairer);
    expect(refusal).toMatchObject({ cause: "encoding", pointers: [] });
    expect(correction?.headers).toEqual([["content-encoding", ""]]);
  });

  test("the webhook secret is read with a pair that is known", async () => {
    const { path, sender } = reachedAt("webhooks.secret");
    const answer = await service.post(path, {}, { ...known, authorization: `Bearer ${supplier.api_key}` });
    const { checks, correction, refusal } = await held(answer, path, "default", sender);
    expect(refusal).toMatchObject({ cause: "credentials", whose_side: "partner" });
    expect(checks.map(({ check }) => check)).not.toContain("scope");
    expect(correction).toMatchObject({ credential: { integration_id: repairer.integration_id } });
  });

  test("a subscription under a type that is no JSON is sent as JSON", async () => {
    const { path } = reachedAt("webhooks.subscribe");
    const to = { integration_id: repairer.integration_id, url: "http://127.0.0.1:9/hooks" };
    const answer = await service.post(path, to, { "content-type": "text/plain" });
    const { checks, correction, refusal } = await held(answer, path, "default", null);
    expect(checks.find(({ verdict }) => verdict === "refused")).toMatchObject({
      name: "Content type",
      fact: "sent as text/plain, not application/json",
    });
    expect(refusal).toMatchObject({ cause: "media_type", pointers: [] });
    expect(correction?.headers).toEqual([["content-type", "application/json"]]);
  });

  test("a content type that is no JSON is set", async () => {
    const answer = await service.post(path, body, { ...known, "content-type": "text/plain" });
    const { correction } = await held(answer, path, "default", repairer);
    expect(correction?.headers).toEqual([["content-type", "application/json"]]);
  });
});

describe("a refusal of several reasons says in the record which it was, and the answer tells none", () => {
  test("an access code", async () => {
    const { client_id, client_secret } = fixedClients.demo;
    const install = async (access_code: string) => {
      const answer = await service.call(integrationsInsert, { access_code, client_id, client_secret });
      expect(answer.body).toEqual({ type: "invalid_access_code" });
      return (await explain(idOf(answer), "default")).refusal?.sentence;
    };
    const { items } = await service.control(organizationsList, {});
    const organization_id = items.find(({ scope }) => scope === "repairer")?.id ?? "";
    const asked = { client_id, organization_id, scope: "repairer" } as const;
    const { access_code } = await service.control(accessCodesIssue, asked);
    expect(await install("ac_invented")).toMatch(/^No such access code/);
    await service.ok(integrationsInsert, { access_code, client_id, client_secret });
    expect(await install(access_code)).toMatch(/used already/);
  });

  test("D34: a site of another organization", async () => {
    const { organizations, businesses } = buildSeedWorld();
    const other = organizations.find(({ name }) => name === "Brindle Panelworks");
    const site = businesses.find(
      ({ type, organization_id }) => type === "repairer_site" && organization_id === other?.id,
    );
    const body = { ...fresh, repairer_site_id: site?.id };
    const answer = await service.post(pathOf(byId("repairer.jobs.insert")), body, credentialHeaders(repairer));
    expect([answer.status, answer.text]).toEqual([422, expect.not.stringContaining("Brindle")]);
    const { refusal } = await explain(idOf(answer), "default");
    expect(refusal?.sentence).toBe("The site is Brindle Panelworks’s, not the caller’s.");
  });
});

test.each([
  [{ vehicle: { plate_number: 4 } }, "Resources and their fields: Vehicle", ["D3"]],
  [{ identity: { id: UNKNOWN, external: "x" } }, "Endpoints: repairer.jobs.insert", ["D3", "D7"]],
  [{ claim_number: "x".repeat(4_097) }, "Endpoints: repairer.jobs.insert", ["D3", "D9"]],
])(
  "a body of the wrong shape names where the contract has the field, and what of it is assumed",
  async (fields, section, decisions) => {
    const body = { ...fresh, ...fields };
    const answer = await service.post(pathOf(byId("repairer.jobs.insert")), body, credentialHeaders(repairer));
    const { refusal } = await explain(idOf(answer), "default");
    expect(refusal).toMatchObject({ cause: "shape", section });
    expect(refusal?.decisions.map(({ id }) => id).filter((id) => id !== "D1")).toEqual(decisions);
  },
);

test("a key of another world is told which, and is given no other key in its place", async () => {
  const { items } = await service.control(organizationsList, { world: "theirs" });
  const organization_id = items.find(({ scope }) => scope === "repairer")?.id ?? "";
  const { client_id, client_secret } = fixedClients.demo;
  const asked = { world: "theirs", client_id, organization_id, scope: "repairer" } as const;
  const { access_code } = await service.control(accessCodesIssue, asked);
  const install = { client_id, client_secret, access_code };
  const installed = await service.ok(integrationsInsert, install, undefined, { "x-sandbox-tenant": "theirs" });
  const sent = await service.call(businessesList, {}, installed);
  const { checks, refusal, correction, no_correction } = await explain(idOf(sent), "default");
  expect([sent.status, correction]).toEqual([401, null]);
  expect(checks.find(({ verdict }) => verdict === "refused")?.fact).toBe(
    "this world has no such integration; theirs has",
  );
  expect(refusal?.what_to_do).toMatch(/^Send `x-sandbox-tenant: theirs` with the call/);
  expect(no_correction).toMatch(/for the world theirs/);
  const nobody = { ...installed, integration_id: randomUUID() };
  const unknown = await explain(idOf(await service.call(businessesList, {}, nobody)), "default");
  expect(unknown.refusal?.what_to_do).not.toMatch(/x-sandbox-tenant/);
});

test("a body that cannot be read has no correction, and says so", async () => {
  const answer = await service.raw(pathOf(byId("repairer.jobs.get")), {
    headers: credentialHeaders(repairer),
    body: "{",
  });
  const { checks, correction, no_correction } = await explain(idOf(answer), "default");
  expect(checks.find(({ verdict }) => verdict === "refused")?.check).toBe("json");
  expect([correction, no_correction]).toEqual([null, expect.stringContaining("JSON")]);
});

test("what a call had that its operation ignores is named, also when it was answered 200", async () => {
  const operation = byId("repairer.jobs.insert");
  const { repairer_site_id } = requestExamples["repairer.jobs.insert"];
  const body = { identity: { external: `ignored:${randomUUID()}` }, repairer_site_id, claim_numbr: "C-1" };
  const answer = await service.raw(pathOf(operation), {
    headers: credentialHeaders(repairer),
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  const { refusal, ignored } = await explain(idOf(answer), "default");
  expect(refusal).toBeNull();
  expect(ignored).toEqual([
    { pointer: "/claim_numbr", message: "/claim_numbr is not known here; did you mean claim_number?" },
  ]);
});

test("explaining never fails, whatever bytes were sent wherever", async () => {
  const called = [...partnerOperations.map(({ id }) => id), "webhooks.subscribe", "webhooks.secret"];
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.json().map((text) => Buffer.from(text)),
    // Nearly right: an example with something else in the place of one of its values.
    fc
      .constantFrom(...Object.values(requestExamples))
      .chain((example) =>
        fc
          .tuple(fc.constantFrom("identity", "job_identity", ...Object.keys(example)), fc.jsonValue())
          .map(([key, value]) => Buffer.from(JSON.stringify({ ...example, [key]: value }))),
      ),
  );
  const headers = fc.constantFrom<Record<string, string>>(
    ...[{}, credentialHeaders(repairer), credentialHeaders(supplier)],
    { ...credentialHeaders(repairer), "content-type": "text/plain" },
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...called), bytes, headers, async (id, body, sent) => {
      const answer = await service.raw(reachedAt(id).path, {
        headers: { "content-type": "application/json", ...sent },
        body: Buffer.from(body),
      });
      const { refusal, correction, no_correction } = await explain(idOf(answer), "default");
      expect(refusal === null).toBe(answer.status === 200);
      expect([correction, no_correction].filter((one) => one !== null)).toHaveLength(refusal === null ? 0 : 1);
    }),
    { numRuns: 300 },
  );
}, 60_000);

test("a success passed every check and is refused by none", async () => {
  const answer = await service.post("/api/2026-01/businesses.list", {}, credentialHeaders(repairer));
  const explanation = await explain(idOf(answer), "default");
  expect(explanation).toMatchObject({ refusal: null, correction: null, no_correction: null, nearest: null });
  expect(new Set(explanation.checks.map(({ verdict }) => verdict))).toEqual(new Set(["passed"]));
  expect(explanation.checks.map(({ check }) => check)).toEqual([
    ...["protocol", "address", "host", "tenant", "size", "world", "credentials", "scope", "json", "shape", "rules"],
  ]);
});

test("a decision that refuses is named with its switch as the world has it", async () => {
  const world = "switches";
  const body = { ...fresh, identity: { external: "estimate:88213" } };
  const headers = { ...credentialHeaders(repairer), "x-sandbox-tenant": world };
  const answer = await service.post(pathOf(byId("repairer.jobs.insert")), body, headers);
  const { refusal } = await explain(idOf(answer), world);
  expect(refusal?.sentence).toBe("Job J-20418 exists already, and the call does not say what to do then.");
  const { items } = await service.control(requestsList, { world, ids: [idOf(answer)] });
  expect(items[0]?.reason).toBe(refusal?.sentence);
  expect(refusal?.decisions[0]).toEqual({
    id: "D30",
    meaning: expect.stringContaining("refused with 422"),
    policy: { name: "jobs_insert_conflict", value: "reject", choices: ["reject", "update"] },
  });
});

describe("a correction names nobody else", () => {
  const corrected = async (id: string, body: unknown) => {
    const answer = await service.post(pathOf(byId(id)), body, credentialHeaders(repairer));
    return explain(idOf(answer), "default");
  };

  test.each(["work_provider_contract", "work_provider_id"])(
    "an insurer that %s has no likeness to is left out",
    async (field) => {
      const { correction } = await corrected("repairer.jobs.insert", { ...fresh, [field]: UNKNOWN });
      expect(correction?.edits).toEqual([expect.not.objectContaining({ after: expect.anything() })]);
    },
  );

  test("nor a job that the identifier is not nearly", async () => {
    const { correction, no_correction } = await corrected("repairer.jobs.get", { identity: { external: "NOPE-1" } });
    expect([correction, no_correction]).toEqual([
      null,
      expect.stringContaining("No job of this caller is like NOPE-1."),
    ]);
  });
});

test("the cause stays on record when the world has changed since", async () => {
  const world = "changed-since";
  const headers = { ...credentialHeaders(repairer), "x-sandbox-tenant": world };
  const get = byId("repairer.jobs.get");
  const answer = await service.post(pathOf(get), { identity: fresh.identity }, headers);
  expect((await service.control(requestsGet, { world, id: idOf(answer) })).outcome).toBe(
    "This caller has no such job.",
  );
  await service.post(pathOf(byId("repairer.jobs.insert")), fresh, headers);
  expect(await explain(idOf(answer), world)).toMatchObject({
    refusal: { cause: "job_unknown", pointers: ["/identity"] },
    correction: null,
    no_correction: expect.stringContaining("accepted as it is"),
  });
});

test("a fault that answered is nobody's mistake, and what comes after it was not reached", async () => {
  const world = "faulted";
  const headers = { ...credentialHeaders(repairer), "x-sandbox-tenant": world };
  await service.control(faultsSet, {
    world,
    operation: "businesses.list",
    effect: { error: { code: "internal_error" } },
  });
  const answer = await service.post("/api/2026-01/businesses.list", {}, headers);
  const { refusal, checks } = await explain(idOf(answer), world);
  expect(refusal).toMatchObject({ whose_side: "fault", pointers: [] });
  expect(checks.map(({ check, verdict }) => [check, verdict]).slice(6, 8)).toEqual([
    ["fault_before", "refused"],
    ["credentials", "not_reached"],
  ]);
});

const overLoaded = { error: { code: "internal_error" } };
test.each([
  [{ effect: overLoaded }, "Clear the fault: it stays armed until then."],
  [{ effect: overLoaded, uses: 2 }, "Clear the fault, or send the call again once it is used up."],
  [{ effect: overLoaded, uses: 1 }, "Send the call again: the fault is over."],
  [{ effect: overLoaded, for_seconds: 3600 }, "Clear the fault, or send the call again after its end."],
  [
    { effect: { rate_limit: { limit: 0, window_seconds: 60 } } },
    "Wait until the window of 60 s is over, or clear the fault.",
  ],
])("what to do about a fault is said by how it ends: %j", async (fault, whatToDo) => {
  const world = `ends-${JSON.stringify(fault).replaceAll(/[^a-z0-9]/gi, "")}`.slice(0, 64).toLowerCase();
  await service.control(faultsSet, { world, ...fault });
  const headers = { ...credentialHeaders(repairer), "x-sandbox-tenant": world };
  const answer = await service.post("/api/2026-01/businesses.list", {}, headers);
  expect((await explain(idOf(answer), world)).refusal?.what_to_do).toBe(whatToDo);
});

test("a call to an address that is none names the nearest, one by a wrong method the right one", async () => {
  const headers = credentialHeaders(repairer);
  const unknown = await service.raw("/api/2026-01/repairer.job.get", { headers });
  expect(await explain(idOf(unknown), "default")).toMatchObject({
    operation: null,
    nearest: { addresses: expect.arrayContaining([pathOf(byId("repairer.jobs.get"))]), method: null },
    refusal: {
      section: null,
      decisions: [{ id: "D5" }],
      what_to_do: "Check the operation’s name; the nearest is repairer.jobs.get.",
    },
  });
  const elsewhere = await service.raw("/api/2026-01/repairer.jobs.delete", { headers });
  expect((await explain(idOf(elsewhere), "default")).refusal?.what_to_do).toBe(
    "Call it at its own address: /__extensions/2026-01/repairer.jobs.delete.",
  );
  const unlike = await service.raw("/api/2026-01/zzzz", { headers });
  expect((await explain(idOf(unlike), "default")).refusal?.what_to_do).toBe(
    "Check the address: no operation is named nearly so.",
  );
  const wrong = await service.raw(pathOf(byId("repairer.jobs.get")), { method: "GET", headers });
  expect(await explain(idOf(wrong), "default")).toMatchObject({
    ...{ nearest: { method: "POST" }, correction: null },
    refusal: { section: null, decisions: [{ id: "D5" }] },
  });
});

test("what is no HTTP has no field to correct: its bytes and its sender are to be looked at", async () => {
  const connection = await RawConnection.open(service.port);
  await connection.send("this is no request\r\n\r\n").ended;
  const { items } = await service.control(requestsList, { unrouted: true, limit: 1 });
  const { refusal } = await explain(items[0]?.id ?? "", "default");
  expect(refusal).toMatchObject({ sentence: "This is no HTTP request that can be read." });
  expect(refusal?.what_to_do).toMatch(/^Look at the bytes that arrived/);
});

test("every exchange that is kept is explained, and explaining adds none", async () => {
  const { items } = await service.control(requestsList, { limit: 500 });
  expect(items.length).toBeGreaterThan(8);
  for (const { id } of items) expect(await explain(id, "default")).toMatchObject({ id });
  expect((await service.control(requestsList, { limit: 500 })).items).toEqual(items);
});
