import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { controlOperations } from "../contract/control/all-operations.ts";
import { errorCodes } from "../contract/errors.ts";
import { operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { readWorld } from "../testing/world-file.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const TABLES = [
  "jobs",
  "job_parts",
  "procurements",
  "procurement_parts",
  "credentials",
  "access_codes",
  "subscriptions",
  "vehicle_identifiers",
  "uploads",
  "events",
  "deliveries",
];

/** All state a call could change, without the records of calls. */
const state = (): string =>
  readWorld(service.folder, (file) =>
    JSON.stringify(TABLES.map((table) => file.prepare(`SELECT * FROM ${table}`).all())),
  );

/** JSON with the contract's field names, so that validation is tested at every depth. */
const fields = [
  "identity",
  "id",
  "external",
  "external_id",
  "job_identity",
  "parts",
  "repairer_site_id",
  "vehicle",
  "chassis_number",
  "plate_number",
  "images",
  "if_",
  "exists",
  "sellable_ids",
  "quantity",
  "description",
  "access_code",
  "client_id",
  "client_secret",
  "work_provider_id",
  "__proto__",
  "constructor",
  "world",
  "limit",
];
const { body: anyBody } = fc.letrec<{ body: unknown }>((tie) => ({
  body: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      256,
      1e308,
      "",
      "\ud800",
      "\u0000",
      "5d13b09f-bd2f-5acc-a5f9-1c9743fa15c6",
    ),
    fc.string({ unit: "binary" }),
    fc.double({ noNaN: true }),
    fc.array(tie("body"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...fields), fc.string()), tie("body"), { maxKeys: 6 }),
  ),
}));

const anyOperation = fc.constantFrom(...partnerOperations);
const anyCredential = fc.constantFrom(repairer, supplier);

const expectContractError = (text: string, status: number): void => {
  const body = JSON.parse(text) as { type?: unknown; message?: unknown } | string;
  const code = typeof body === "string" ? body : body.type;
  expect(Object.keys(errorCodes)).toContain(code);
  expect(status).toBe(errorCodes[code as keyof typeof errorCodes].status);
};

test("any JSON to any operation gets no 5xx, the contract's error form, and no change if refused", async () => {
  const anyCall = fc.record({ operation: anyOperation, credential: anyCredential, body: anyBody });
  const send = ({ operation, credential, body }: typeof anyCall extends fc.Arbitrary<infer Call> ? Call : never) =>
    service.post(operationPath(operation), body, credentialHeaders(credential));
  await fc.assert(
    fc.asyncProperty(fc.array(anyCall, { minLength: 10, maxLength: 10 }), async (calls) => {
      const refused: typeof calls = [];
      for (const call of calls) {
        const answer = await send(call);
        expect(answer.status).toBeLessThan(500);
        if (answer.status === 200) continue;
        expectContractError(answer.text, answer.status);
        refused.push(call);
      }
      // Sends only refused calls again: now nothing may change.
      const before = state();
      for (const call of refused) expect((await send(call)).status).toBeGreaterThanOrEqual(400);
      expect(state()).toBe(before);
    }),
    { numRuns: 15 },
  );
}, 60_000);

// Random bodies seldom have a field that only other operations know.
test.each(fields)("`%s` of any type to any operation gets no 5xx", async (field) => {
  const values = [null, true, 0, "", [], [{}], {}, { id: 0 }, { id: null }, { id: {} }, { external: 0 }];
  const sent = partnerOperations.flatMap((operation) => values.map((value) => ({ operation, value })));
  const failed = sent.map(async ({ operation, value }) => {
    const { status } = await service.post(operationPath(operation), { [field]: value }, credentialHeaders(repairer));
    return status < 500 ? [] : [`${operation.id} ${JSON.stringify(value)}`];
  });
  expect((await Promise.all(failed)).flat()).toEqual([]);
});

test("any bytes to any operation get no 5xx and change nothing", async () => {
  const before = state();
  await fc.assert(
    fc.asyncProperty(
      anyOperation,
      anyCredential,
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      async (operation, credential, bytes) => {
        const answer = await service.raw(operationPath(operation), {
          headers: credentialHeaders(credential),
          body: new Uint8Array(bytes),
        });
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
        expectContractError(answer.text, answer.status);
      },
    ),
    { numRuns: 50 },
  );
  expect(state()).toBe(before);
}, 60_000);

test("any JSON to the control plane's reads gets no 5xx, and a refusal names the problem", async () => {
  const reads = controlOperations.filter((operation) => operation.effect === "read");
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...reads), anyBody, async (operation, body) => {
      const answer = await service.post(operationPath(operation), body, {
        authorization: `Bearer ${service.ready.control_token}`,
      });
      expect(answer.status).toBeLessThan(500);
      if (answer.status !== 200) expect(answer.body).toEqual({ type: expect.any(String), message: expect.any(String) });
    }),
    { numRuns: 50 },
  );
}, 60_000);

test("any header values get no 5xx", async () => {
  const value = fc.string({ unit: fc.constantFrom(..." !#$%&'*+-.^_`|~:;,/=()<>@?{}[]\\\"abcXYZ019") });
  await fc.assert(
    fc.asyncProperty(
      anyOperation,
      value,
      value,
      value,
      value,
      async (operation, authorization, integration, tenant, type) => {
        const headers = {
          authorization,
          "service-integration-id": integration,
          "x-sandbox-tenant": tenant,
          "content-type": type,
        };
        const answer = await service.raw(operationPath(operation), { headers, body: "{}" });
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
        expectContractError(answer.text, answer.status);
      },
    ),
    { numRuns: 50 },
  );
}, 60_000);
