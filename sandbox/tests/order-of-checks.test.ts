import { afterAll, beforeAll, expect, test } from "vitest";
import type { Check } from "../contract/causes/row.ts";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { credentialHeaders, repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { RawConnection, rawHead, rawRequest } from "../testing/raw-connection.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const OPERATION = "/api/2026-01/repairer.jobs.insert";
const bearer = (credential: typeof repairer): Record<string, string> => credentialHeaders(credential);
const wrong = { host: "evil.example", "x-sandbox-tenant": "no name", "content-type": "text/plain" };
const tooLong = { "content-length": String(1024 * 1024 + 1) };
const somewhere = `{"identity":{"external":"order"},"repairer_site_id":"00000000-0000-4000-8000-000000000000"`;

/** Calls that fail every check from one on, with that check's response. */
const ladder: readonly (readonly [string, string, number, RegExp])[] = [
  ["path", rawHead("POST /api/2026-01/repairer.jobs.erase", { ...wrong, ...tooLong }), 404, /"not_found"/],
  ["method", rawHead(`PUT ${OPERATION}`, { ...wrong, ...tooLong }), 405, /"method_not_allowed"/],
  ["Host", rawHead(`POST ${OPERATION}`, { ...wrong, ...tooLong }), 421, /"misdirected_request"/],
  ["tenant name", rawHead(`POST ${OPERATION}`, { ...wrong, ...tooLong, host: "localhost" }), 400, /x-sandbox-tenant/],
  ["size", rawHead(`POST ${OPERATION}`, { "content-type": "text/plain", ...tooLong }), 413, /"payload_too_large"/],
  [
    "credentials",
    rawRequest(`POST ${OPERATION}`, { "content-type": "text/plain" }, "{"),
    401,
    /^\{"type":"unauthorized"\}$/,
  ],
  [
    "scope",
    rawRequest(`POST ${OPERATION}`, { "content-type": "text/plain", ...bearer(supplier) }, "{"),
    403,
    /"forbidden"/,
  ],
  [
    "content type",
    rawRequest(`POST ${OPERATION}`, { "content-type": "text/plain", ...bearer(repairer) }, "{"),
    415,
    /"unsupported_media_type"/,
  ],
  ["JSON", rawRequest(`POST ${OPERATION}`, bearer(repairer), "{"), 422, /is not valid JSON/],
  [
    "shape",
    rawRequest(`POST ${OPERATION}`, bearer(repairer), `${somewhere},"job_number":1}`),
    422,
    /\/job_number must be/,
  ],
  ["rules", rawRequest(`POST ${OPERATION}`, bearer(repairer), `${somewhere}}`), 422, /\/repairer_site_id .* is not a/],
];

/** Names of the checks in explanations, where they differ. */
const named: Readonly<Record<string, Check>> = {
  path: "address",
  method: "address",
  Host: "host",
  "tenant name": "tenant",
  "content type": "json",
  JSON: "json",
};

test.each(ladder)("D2: the %s is checked before everything after it", async (what, call, status, body) => {
  const connection = await RawConnection.open(service.port);
  const [answer] = await connection.send(call).answers(1);
  connection.close();
  expect([answer?.status, answer?.body]).toEqual([status, expect.stringMatching(body)]);
  const id = answer?.headers.get("x-request-id") ?? "";
  const { checks } = await service.control(requestsExplain, { id });
  expect(checks.find(({ verdict }) => verdict === "refused")?.check).toBe(named[what] ?? what);
});

test.each([...["", "text", "json", ";;;", "application/", "application/json, text/plain", '"application/json"']])(
  "D2, D4: an invalid content type (%j) is checked after the credentials",
  async (type) => {
    const connection = await RawConnection.open(service.port);
    const head = { "content-type": type };
    const [anonymous] = await connection.send(rawRequest("POST /api/2026-01/businesses.list", head, "{}")).answers(1);
    expect(anonymous?.status).toBe(401);
    const known = rawRequest("POST /api/2026-01/businesses.list", { ...head, ...bearer(repairer) }, "{}");
    const [, answer] = await connection.send(known).answers(2);
    connection.close();
    expect(answer?.status).toBe(type === "" ? 200 : 415);
  },
);

test("D2: an anonymous caller learns nothing about shapes from any operation", async () => {
  for (const id of ["repairer.jobs.insert", "repairer.jobs.parts.insert", "tier1.prepare", "uploads.prepare"]) {
    const answers = await Promise.all(
      ["{", "[]", "{}", '{"identity":1}', somewhere, "\u0000"].map((body) =>
        service.raw(`/api/2026-01/${id}`, { body }),
      ),
    );
    expect(new Set(answers.map((one) => `${one.status} ${one.text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
  }
});
