import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Cause } from "../contract/causes.ts";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { faultsSet } from "../contract/control/fault-operations.ts";
import { accessCodesIssue, organizationsList, requestsList } from "../contract/control/operations.ts";
import { worldSummary } from "../contract/control/world-operations.ts";
import { fixedClients } from "../contract/demo-values.ts";
import { requestExamples } from "../contract/openapi/examples.ts";
import { operationPath } from "../contract/operation.ts";
import { businessesList, integrationsInsert, jobsInsert, partnerOperations } from "../contract/operations/partner.ts";
import {
  credentialHeaders,
  repairer,
  type ServiceResponse,
  startTestService,
  supplier,
  type TestCredential,
  type TestService,
} from "../testing/harness.ts";
import { buildSeedWorld } from "../worlds/seed/seed-world.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const pathTo = (id: string): string => {
  const operation = partnerOperations.find((one) => one.id === id);
  return operation ? operationPath(operation) : `/__${id.replace(".", "/")}`;
};
const idOf = ({ headers }: Pick<ServiceResponse, "headers">): string => headers.get("x-request-id") ?? "";
const explain = (answer: ServiceResponse, world = "default") =>
  service.control(requestsExplain, { world, id: idOf(answer) });
const send = (
  id: string,
  body: unknown,
  as: TestCredential | null = repairer,
  world = "default",
): Promise<ServiceResponse> =>
  service.post(pathTo(id), body, { ...(as ? credentialHeaders(as) : {}), "x-sandbox-tenant": world });
const sendBytes = (id: string, body: string): Promise<ServiceResponse> =>
  service.raw(pathTo(id), { headers: credentialHeaders(repairer), body });

const NOBODY = "00000000-0000-4000-8000-000000000000";
const SITE = requestExamples["repairer.jobs.insert"].repairer_site_id;
const fresh = { identity: { external: "mine:1" }, repairer_site_id: SITE };
const place = requestExamples["repairer.procurements.place"];
const part = (more: object) => ({ job_identity: { external: "estimate:88216" }, parts: [more] });

type Row = readonly [what: string, id: string, body: unknown, cause: Cause, edits: readonly string[]];

/** Corrected calls with their edits. */
const corrected: readonly Row[] = [
  [
    "a job that exists",
    "repairer.jobs.insert",
    { ...fresh, identity: { external: "estimate:88213" } },
    "job_exists",
    ["/if_"],
  ],
  [
    "a client-generated ID",
    "repairer.jobs.insert",
    { ...fresh, identity: { id: NOBODY } },
    "job_id_not_assigned",
    ["/identity"],
  ],
  [
    "a misspelt insurer",
    "repairer.jobs.insert",
    { ...fresh, work_provider_contract: "Longreach Mutal" },
    "work_provider_unknown",
    ["/work_provider_contract"],
  ],
  [
    "a job's ID with a wrong digit",
    "repairer.jobs.get",
    { identity: { id: "adb34513-92dc-54b1-a36a-c579b413d06a" } },
    "job_unknown",
    ["/identity/id"],
  ],
  [
    "another job's part",
    "repairer.jobs.parts.insert",
    part({ identity: { id: "df8aa0eb-ece5-5ec9-bb6e-8f30c15883dc" } }),
    "part_of_other_job",
    ["/parts/0/identity"],
  ],
  [
    "an offer twice",
    "repairer.procurements.place",
    { ...place, sellable_ids: [place.sellable_ids[0], place.sellable_ids[0]?.toUpperCase()] },
    "offer_repeated",
    ["/sellable_ids/1"],
  ],
  [
    "a misspelt field",
    "repairer.jobs.insert",
    { identity: fresh.identity, repairer_site: SITE },
    "shape",
    ["/repairer_site_id", "/repairer_site"],
  ],
];

test.each(corrected)(
  "a refusal is explained with a correction, which succeeds if nothing else is wrong: %s",
  async (what, id, body, cause, edits) => {
    const world = what.replaceAll(/[^a-z]/gi, "-");
    const answer = await send(id, body, repairer, world);
    const before = await service.control(worldSummary, { world });
    const { refusal, correction } = await explain(answer, world);
    expect(await service.control(worldSummary, { world })).toEqual(before);
    expect(refusal).toMatchObject({ cause, status: answer.status, whose_side: "partner" });
    expect(correction?.edits.map(({ pointer }) => pointer)).toEqual(edits);
    if (!correction) return;
    const sent = await send(id, correction.body, repairer, world);
    expect(sent.status).toBe(200);
  },
);

test("a correction fixes one mistake, and others appear when it is sent", async () => {
  const answer = await send("repairer.jobs.insert", { identity: fresh.identity, repairer_site: NOBODY });
  const { correction } = await explain(answer);
  expect(correction?.edits).toMatchObject([{ pointer: "/repairer_site_id", after: NOBODY }, { before: NOBODY }]);
  expect(Object.keys(correction ?? {}).toSorted()).toEqual(["body", "edits"]);
  expect((await send("repairer.jobs.insert", correction?.body)).status).toBe(422);
});

test("an explanation writes nothing to the world", async () => {
  const answer = await send("repairer.jobs.insert", { ...fresh, identity: { external: "estimate:88213" } });
  const written = () => {
    const { size, mtimeMs } = fs.statSync(path.join(service.folder, "worlds", "w-default.sqlite-wal"));
    return [size, mtimeMs];
  };
  const before = written();
  expect((await explain(answer)).correction).not.toBeNull();
  expect(written()).toEqual(before);
});

describe("if several values fit, they are listed without a choice", () => {
  const suggested = async (id: string, body: unknown) => {
    const { correction, suggestions } = await explain(await send(id, body));
    expect(correction).toBeNull();
    return suggestions;
  };

  test("the caller's own sites", async () => {
    const sites = buildSeedWorld().businesses.filter(({ type }) => type === "repairer_site");
    const [own] = sites.filter(({ id }) => id === SITE);
    const listed = await suggested("repairer.jobs.insert", { ...fresh, repairer_site_id: NOBODY });
    expect(listed.map(({ value }) => value).toSorted()).toEqual(
      sites
        .filter((one) => one.organization_id === own?.organization_id)
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(listed[0]).toMatchObject({ pointer: "/repairer_site_id", label: expect.stringMatching(/\S/) });
  });

  test("insurers and offers", async () => {
    const insurers = await suggested("repairer.jobs.insert", { ...fresh, work_provider_contract: "Zyzzyva" });
    expect(insurers.map(({ value }) => value)).toContain("Longreach Mutual");
    const offers = await suggested("repairer.procurements.place", { ...place, sellable_ids: [NOBODY] });
    expect(offers.map(({ value }) => value)).toContain(place.sellable_ids[0]);
  });

  test("jobs with similar names, or none", async () => {
    const near = await suggested("repairer.jobs.get", { identity: { external: "estimate:8821" } });
    expect(near.map(({ value }) => value)).toEqual(expect.arrayContaining(["estimate:88211", "estimate:88213"]));
    expect(await suggested("repairer.jobs.get", { identity: { external: "NOPE-1" } })).toEqual([]);
  });

  test("at most eight values are listed, and further ones counted", async () => {
    const [world, tail] = ["many-fit", [...Array(12).keys()].map((n) => `${n + 10}`)];
    for (const n of tail)
      await send(
        "repairer.jobs.insert",
        { ...fresh, identity: { external: `lookalike-of-an-estimate:${n}` } },
        repairer,
        world,
      );
    const answer = await send(
      "repairer.jobs.get",
      { identity: { external: "lookalike-of-an-estimate:00" } },
      repairer,
      world,
    );
    const { suggestions, more_suggestions } = await explain(answer, world);
    expect([suggestions.length, more_suggestions]).toEqual([8, 4]);
  });

  test("the caller's own decisions get no suggestion", async () => {
    const both = {
      work_provider_id: "78727963-088d-501d-b7ed-b973cd82f3ad",
      work_provider_contract: "Longreach Mutual",
    };
    for (const more of [{ job_number: "J-20418" }, both, { identity: { id: NOBODY, external: "x" } }])
      expect(await suggested("repairer.jobs.insert", { ...fresh, ...more })).toEqual([]);
  });
});

test("credentials of another organization are never suggested, and keys never shown", async () => {
  const known = credentialHeaders(repairer);
  for (const [headers, cause, sentence] of [
    [credentialHeaders(supplier), "scope", "This is a supplier key; this operation needs a buyer key."],
    [{ ...known, authorization: `Bearer ${supplier.api_key}` }, "keys_differ", /^The key is .*; the integration ID is/],
    [{ ...known, authorization: repairer.api_key }, "no_bearer", /without the word `Bearer`/],
    [{}, "no_credentials", /headers are missing/],
  ] as const) {
    const answer = await service.post(pathTo("repairer.jobs.get"), { identity: { external: "x" } }, headers);
    const explanation = await explain(answer);
    expect(explanation).toMatchObject({ correction: null, suggestions: [], refusal: { cause } });
    expect(explanation.refusal?.sentence).toMatch(sentence);
    for (const secret of [repairer.api_key, supplier.api_key])
      expect(JSON.stringify(explanation)).not.toContain(secret);
  }
});

test("a hostile call is explained without a search, despite long references and deep nesting", async () => {
  const world = "planted";
  for (let n = 0; n < 40; n += 1) {
    const external = `${"ab".repeat(2_045)}${n}`;
    await send("repairer.jobs.insert", { ...fresh, identity: { external } }, repairer, world);
  }
  const planted = await send("repairer.jobs.get", { identity: { external: "ab".repeat(2_048) } }, repairer, world);
  await explain(planted, world);
  const began = performance.now();
  await explain(planted, world);
  expect(performance.now() - began).toBeLessThan(1_000);
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  for (const id of ["repairer.jobs.insert", "repairer.jobs.parts.insert", "businesses.list"]) {
    const answer = await sendBytes(id, `{"identity":{"external":"deep"},"more":${deep}}`);
    expect(answer.status).toBeOneOf([400, 422]);
    const { refusal, correction } = await explain(answer);
    expect([refusal?.cause, refusal?.sentence, correction]).toEqual([
      "not_json",
      "The body is nested more than 64 levels deep.",
      null,
    ]);
  }
});

test("a body of 1 MiB with 60,000 unknown fields blocks no one, because it isn't parsed again", async () => {
  const fields = Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`member_${n}`, n % 10]));
  const wide = await sendBytes("repairer.jobs.insert", JSON.stringify({ ...fields, ...fresh, repairer_site_id: 7 }));
  const { refusal, ignored, correction } = await explain(wide);
  expect(refusal).toMatchObject({ cause: "shape", pointers: ["/repairer_site_id"] });
  expect([ignored, correction]).toEqual([[], null]);
  // The shortest of several waits: on a busy machine, others wait for the processor too.
  const waits: number[] = [];
  for (let tries = 0; tries < 5; tries += 1) {
    const delay = monitorEventLoopDelay({ resolution: 2 });
    delay.enable();
    await explain(wide);
    delay.disable();
    waits.push(delay.max / 1e6);
  }
  expect(Math.min(...waits)).toBeLessThan(50);
});

test("the record names the exact reason, which the response doesn't", async () => {
  const { client_id, client_secret } = fixedClients.demo;
  const install = async (access_code: string) => {
    const answer = await service.call(integrationsInsert, { access_code, client_id, client_secret });
    expect(answer.body).toEqual({ type: "invalid_access_code" });
    return (await explain(answer)).refusal?.sentence;
  };
  const { items } = await service.control(organizationsList, {});
  const organization_id = items.find(({ scope }) => scope === "repairer")?.id ?? "";
  const { access_code } = await service.control(accessCodesIssue, { client_id, organization_id, scope: "repairer" });
  expect(await install("ac_invented")).toMatch(/^This access code doesn’t exist/);
  await service.ok(integrationsInsert, { access_code, client_id, client_secret });
  expect(await install(access_code)).toMatch(/already used/);
});

test("a malformed body names the field, and the correction is left to the caller", async () => {
  const explained = await explain(await send("repairer.jobs.insert", { ...fresh, vehicle: { plate_number: {} } }));
  expect(explained).toMatchObject({
    refusal: { cause: "shape", section: "Endpoints: repairer.jobs.insert", decisions: [{ id: "D3" }] },
    correction: null,
  });
});

test("a refusal by a decision names its setting and the world's choice", async () => {
  const answer = await send("repairer.jobs.insert", { ...fresh, identity: { external: "estimate:88213" } });
  const { refusal } = await explain(answer);
  expect(refusal?.sentence).toBe("Job J-20418 already exists, and the call has no `if_`.");
  const { items } = await service.control(requestsList, { ids: [idOf(answer)] });
  expect(items[0]?.reason).toBe(refusal?.sentence);
  expect(refusal?.decisions[0]).toEqual({
    id: "D30",
    meaning: expect.stringContaining("refused with 422"),
    policy: { name: "jobs_insert_conflict", value: "reject", choices: ["reject", "update"] },
  });
});

test("a key of another world gets that world's name", async () => {
  const { items } = await service.control(organizationsList, { world: "theirs" });
  const organization_id = items.find(({ scope }) => scope === "repairer")?.id ?? "";
  const { client_id, client_secret } = fixedClients.demo;
  const asked = { world: "theirs", client_id, organization_id, scope: "repairer" } as const;
  const { access_code } = await service.control(accessCodesIssue, asked);
  const install = { client_id, client_secret, access_code };
  const installed = await service.ok(integrationsInsert, install, undefined, { "x-sandbox-tenant": "theirs" });
  const { refusal } = await explain(await service.call(businessesList, {}, installed));
  expect(refusal?.what_to_do).toMatch(/^Send `x-sandbox-tenant: theirs` with the call/);
  const nobody = { ...installed, integration_id: randomUUID() };
  const unknown = await explain(await service.call(businessesList, {}, nobody));
  expect(unknown.refusal?.sentence).toBe("The key belongs to world theirs. No integration there has this ID.");
});

test("a success passed every check, and ignored fields are named", async () => {
  const body = { ...fresh, identity: { external: `ignored:${randomUUID()}` }, claim_numbr: "C-1" };
  const { checks, ...explanation } = await explain(await service.call(jobsInsert, body as typeof fresh, repairer));
  expect(explanation).toMatchObject({ refusal: null, correction: null, suggestions: [], nearest: null });
  expect(explanation.ignored).toEqual([
    { pointer: "/claim_numbr", message: "/claim_numbr is not a known field; did you mean claim_number?" },
  ]);
  expect(new Set(checks.map(({ verdict }) => verdict))).toEqual(new Set(["passed"]));
  expect(checks.map(({ check }) => check)).toEqual([
    ...["protocol", "address", "host", "tenant", "size", "world", "credentials", "scope", "json", "shape", "rules"],
  ]);
});

test("a fault's response blames no one, and later checks were not reached", async () => {
  const world = "faulted";
  const effect = { error: { code: "internal_error" as const } };
  await service.control(faultsSet, { world, operation: "businesses.list", effect });
  const { refusal, checks } = await explain(await send("businesses.list", {}, repairer, world), world);
  expect(refusal).toMatchObject({ cause: "fault", whose_side: "fault", pointers: [] });
  expect(refusal?.what_to_do).toMatch(/^Clear the fault/);
  expect(checks.map(({ check, verdict }) => [check, verdict]).slice(6, 8)).toEqual([
    ["fault_before", "refused"],
    ["credentials", "not_reached"],
  ]);
});

test("says to add missing fields and correct wrong ones", async () => {
  const remedyFor = async (body: object) =>
    (await explain(await send("repairer.jobs.insert", body))).refusal?.what_to_do;
  const { repairer_site_id, ...siteless } = fresh;
  expect(await remedyFor(siteless)).toBe("Add `/repairer_site_id`, then send the call again.");
  expect(await remedyFor({ ...siteless, repairer_site_id: 7 })).toBe(
    "Correct `/repairer_site_id`, then send the call again.",
  );
  expect(repairer_site_id).toBe(SITE);
});

test("an unknown address names the nearest one, and a wrong method the right one", async () => {
  const headers = credentialHeaders(repairer);
  const unknown = await service.raw("/api/2026-01/repairer.job.get", { headers });
  const nearest = pathTo("repairer.jobs.get");
  expect(await explain(unknown)).toMatchObject({
    ...{ operation: null, nearest: { addresses: expect.arrayContaining([nearest]), method: null } },
    refusal: { cause: "unknown_operation", what_to_do: `Check the address. The nearest one is \`${nearest}\`.` },
  });
  const wrong = await service.raw(nearest, { method: "GET", headers });
  expect(await explain(wrong)).toMatchObject({
    ...{ nearest: { method: "POST" }, correction: null },
    refusal: { cause: "method", section: null, decisions: [{ id: "D5" }] },
  });
});

test.each([
  [
    "/api/2026-01/repairer.jobs.get%20",
    {},
    /ends with a space/,
    /^Send the call to `\/api\/2026-01\/repairer\.jobs\.get`/,
  ],
  ["/api/2026-01", {}, /name of the operation is missing/, /^Add the name, as in/],
  ["//api/2026-01/repairer.jobs.get", {}, /two slashes in a row/, /^Send the call to/],
  ["/api/2026_01/repairer.jobs.get", {}, /has version `2026-01`, not `2026_01`/, /nearest one is/],
  ["/api/2026-01/api/repairer.jobs.get", {}, /has `api` twice/, /^Send the call to/],
  ["/api", {}, /name of the operation is missing/, /^Add the name, as in/],
  ["/sandbox/api/2026-01/repairer.jobs.get", {}, /has `\/sandbox` before `\/api`/, /^Send the call to `\/api\/2026-01/],
  ["/2026-01/repairer.jobs.get", {}, /^`\/api` is missing/, /^Send the call to `\/api\/2026-01/],
  ["/__webhooks/unsubscribe", {}, /deletes a subscription/, /subscriptions\.delete` and the control token/],
  ["/api/2026-01/jobs/7b0a3f0c-6a37-4c1e-9a3e-2f7c33b6a001", {}, /^The address holds an ID/, /nearest one is/],
  [
    "/api/2026-01/repairer.jobs.get.json",
    {},
    /^No operation at/,
    /nearest one is `\/api\/2026-01\/repairer\.jobs\.get`/,
  ],
  ["/api/2026-01/%7Boperation%7D", {}, /^The address holds a placeholder/, /^Check the name/],
  ["/undefined/api/2026-01/repairer.jobs.get", {}, /^The address holds a placeholder/, /repairer\.jobs\.get/],
  ["/api/2026-01/repairer.jobs.get", { "x-sandbox-tenant": '"acme"' }, /is in quotes/, /1 to 64 of/],
  ["/api/2026-01/repairer.jobs.get", { "x-sandbox-tenant": "acme, acme" }, /names two worlds/, /1 to 64 of/],
  ["/api/2026-01/repairer.jobs.get", { "x-sandbox-tenant": "{{world}}" }, /holds a placeholder/, /1 to 64 of/],
])("names the mistake in %s and %j", async (path, headers, sentence, remedy) => {
  const { refusal } = await explain(
    await service.raw(path, { headers: { ...credentialHeaders(repairer), ...headers } }),
  );
  expect(refusal).toMatchObject({
    ...{ sentence: expect.stringMatching(sentence), what_to_do: expect.stringMatching(remedy) },
  });
});

test("the cause stays recorded after the world has changed", async () => {
  const world = "changed-since";
  const identity = { external: "not-there-yet" };
  const answer = await send("repairer.jobs.get", { identity }, repairer, world);
  await send("repairer.jobs.insert", { ...fresh, identity }, repairer, world);
  expect((await explain(answer, world)).refusal).toMatchObject({
    ...{ cause: "job_unknown", pointers: ["/identity"] },
    sentence: expect.stringMatching(/^No job was inserted since/),
  });
});

test("explaining never fails, for any bytes to any address", async () => {
  const called = [...partnerOperations.map(({ id }) => id), "webhooks.subscribe", "webhooks.secret"];
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    // Nearly valid: an example with one value replaced.
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
      const answer = await service.raw(pathTo(id), {
        headers: { "content-type": "application/json", ...sent },
        body: Buffer.from(body),
      });
      const { refusal } = await explain(answer);
      expect(refusal === null).toBe(answer.status === 200);
      if (refusal) expect(refusal.sentence).toMatch(/^\S.+\.$/s);
    }),
    { numRuns: 200 },
  );
}, 60_000);
