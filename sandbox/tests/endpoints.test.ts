import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessCodesIssue, jobsList, organizationsList, procurementsList } from "../contract/control/operations.ts";
import { errorCodes } from "../contract/errors.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { AnswerCheck } from "../testing/answer-check.ts";
import * as shapes from "../testing/contract-shapes.ts";
import {
  credentialHeaders,
  repairer,
  type ServiceResponse,
  startTestService,
  supplier,
  type TestCredential,
  type TestService,
} from "../testing/harness.ts";
import { ownSite, placeOrder } from "../testing/order.ts";
import { ServedDocument } from "../testing/served-document.ts";
import { expectShape, type Shape } from "../testing/shape.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";

let service: TestService;
let served: ServedDocument;
let check: AnswerCheck;
let site = "";
let theirJob = "";
let theirOrder = "";
let order: { readonly id: string; readonly job_id: string };
let installation: { access_code: string; client_id: string; client_secret: string };

beforeAll(async () => {
  service = await startTestService();
  served = await ServedDocument.of(service);
  check = new AnswerCheck(served);
  site = await ownSite(service);
  order = await placeOrder(service, "endpoints");
  const rows = (await service.control(jobsList, { limit: 500 })).items;
  const mine = rows.find((row) => row.id === order.job_id)?.organization_id;
  theirJob = rows.find((row) => row.organization_id !== mine)?.id ?? "";
  const orders = (await service.control(procurementsList, { limit: 500 })).items;
  theirOrder = orders.find((one) => !one.supplier.has_credential)?.id ?? "";
  const { client_id, client_secret } = service.ready.clients?.demo ?? { client_id: "", client_secret: "" };
  const organization_id = (await service.control(organizationsList, {})).items[0]?.id ?? "";
  const issued = await service.control(accessCodesIssue, { client_id, organization_id, scope: "repairer" });
  installation = { access_code: issued.access_code, client_id, client_secret };
});
afterAll(() => service.end());

/** Bodies refused with each code, or why none can be. */
type Refusals = Readonly<Record<string, (() => readonly unknown[]) | string>>;

interface Endpoint {
  readonly scope: "repairer" | "supplier" | "either" | "none";
  readonly body: () => unknown;
  readonly success: Shape;
  readonly refusals: Refusals;
}

const byCredential = { unauthorized: "sent with no credentials", forbidden: "sent with the other scope" };
const neverForbidden = { unauthorized: "sent with no credentials", forbidden: "either scope may" };
const ofJob = () => ({ job_identity: { id: order.job_id } });
const missingJobs = () => [
  { job_identity: { id: UNKNOWN } },
  { job_identity: { external: "nothing has this name" } },
  { job_identity: { id: theirJob } },
];
const missingOrders = () => [{ identity: { id: UNKNOWN } }, { identity: { id: order.job_id } }];
const newJob = (more: object = {}) => ({ identity: { external: "endpoints" }, repairer_site_id: site, ...more });

/** The contract's table "Endpoints". */
const endpoints: Readonly<Record<string, Endpoint>> = {
  "integrations.insert": {
    scope: "none",
    body: () => installation,
    success: shapes.installed,
    refusals: {
      unauthorized: "it takes no credentials",
      forbidden: "it takes no credentials",
      integration_not_found: () => [{ ...installation, client_id: "nobody" }],
      o_auth_not_supported_by_integration: () => [{ ...installation, client_id: "demo-client-no-oauth" }],
      invalid_client_secret: () => [{ ...installation, client_secret: "wrong" }],
      invalid_access_code: () => [{ ...installation, access_code: "unknown" }],
    },
  },
  "businesses.list": {
    scope: "either",
    body: () => ({}),
    success: shapes.items(shapes.business),
    refusals: neverForbidden,
  },
  "repairer.work-providers.list": {
    scope: "repairer",
    body: () => ({}),
    success: shapes.items(shapes.workProvider),
    refusals: byCredential,
  },
  "repairer.jobs.get": {
    scope: "repairer",
    body: () => ({ identity: { id: order.job_id } }),
    success: shapes.job,
    refusals: { ...byCredential, not_found: () => missingJobs().map((one) => ({ identity: one.job_identity })) },
  },
  "repairer.jobs.insert": {
    scope: "repairer",
    body: () => newJob({ if_: { exists: "update" } }),
    success: shapes.job,
    refusals: {
      ...byCredential,
      unprocessable: () => [newJob(), newJob({ repairer_site_id: UNKNOWN }), { identity: 1 }, {}],
      work_provider_not_found: () => [
        newJob({ if_: { exists: "update" }, work_provider_id: UNKNOWN }),
        newJob({ if_: { exists: "update" }, work_provider_contract: "Nobody" }),
      ],
    },
  },
  "repairer.jobs.parts.insert": {
    scope: "repairer",
    body: () => ({ ...ofJob(), parts: [{ description: "Clip" }] }),
    success: shapes.items(shapes.part),
    refusals: {
      ...byCredential,
      not_found: () => missingJobs().map((one) => ({ ...one, parts: [] })),
      unprocessable: () => [ofJob(), { ...ofJob(), parts: [{ quantity: 256 }] }, { parts: [] }, {}],
    },
  },
  "repairer.jobs.parts.list": {
    scope: "repairer",
    body: ofJob,
    success: shapes.items(shapes.part),
    refusals: { ...byCredential, not_found: missingJobs },
  },
  "repairer.jobs.baskets.latest.get": {
    scope: "repairer",
    body: ofJob,
    success: shapes.basket,
    refusals: { ...byCredential, not_found: missingJobs, bad_request: () => [{}, { job_identity: {} }] },
  },
  "repairer.procurements.get": {
    scope: "repairer",
    body: () => ({ identity: { id: order.id } }),
    success: shapes.buyerProcurement,
    refusals: { ...byCredential, not_found: missingOrders },
  },
  "repairer.procurements.list": {
    scope: "repairer",
    body: ofJob,
    success: shapes.items(shapes.buyerProcurement),
    refusals: { ...byCredential, not_found: missingJobs },
  },
  "supplier.procurements.get": {
    scope: "supplier",
    body: () => ({ identity: { id: order.id } }),
    success: shapes.supplierProcurement,
    refusals: { ...byCredential, not_found: () => [...missingOrders(), { identity: { id: theirOrder } }] },
  },
  "supplier.procurements.confirm": {
    scope: "supplier",
    body: () => ({ identity: { id: order.id } }),
    success: shapes.supplierProcurement,
    refusals: { ...byCredential, not_found: () => [...missingOrders(), { identity: { id: theirOrder } }] },
  },
  "tier1.prepare": {
    scope: "either",
    body: () => ({ identifiers: [{ region: "GB", plate: "LK21VBO" }, 1] }),
    success: shapes.invalidIdentifiers,
    refusals: { unauthorized: "sent with no credentials" },
  },
  "uploads.prepare": {
    scope: "either",
    body: () => ({ file_name: "a.png", media_type: "image", type: "job_media" }),
    success: shapes.preparedUpload,
    refusals: {
      ...neverForbidden,
      unprocessable: () => [
        { file_name: "a.png", media_type: "video", type: "job_media" },
        { file_name: "a.png", media_type: "image", type: "avatar" },
        { media_type: "image", type: "job_media" },
        {},
      ],
    },
  },
};

const ids = Object.keys(endpoints);
/** Calls an operation and checks the response against the document. */
const call = async (id: string, body: unknown, credential?: TestCredential): Promise<ServiceResponse> => {
  const answer = await service.post(`/api/2026-01/${id}`, body, credential ? credentialHeaders(credential) : {});
  expect(check.problems(served.operation(id), answer.status, answer.headers, answer.body)).toEqual([]);
  return answer;
};
const allowed = (scope: Endpoint["scope"]): TestCredential => (scope === "supplier" ? supplier : repairer);
const other = (scope: Endpoint["scope"]): TestCredential => (scope === "supplier" ? repairer : supplier);

/** Contract, "Errors": the code alone or with a message; bare on one operation. */
const expectRefusal = (id: string, answer: ServiceResponse, code: string): void => {
  expect(answer.status).toBe(errorCodes[code as keyof typeof errorCodes].status);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(answer.headers.get("www-authenticate")).toBe(answer.status === 401 ? "Bearer" : null);
  if (id === "repairer.jobs.parts.insert") expect(answer.text).toBe(`"${code}"`);
  else if (code === "unprocessable" || code === "bad_request")
    expect(answer.body).toEqual({ type: code, message: expect.stringMatching(/.{5}/) });
  else expect(answer.body).toEqual({ type: code });
};

describe("the fourteen operations", () => {
  test("are exactly those of the contract, each with the error codes of its row", () => {
    const declared = partnerOperations.filter((operation) => operation.surface === "contract");
    expect(declared.map(({ id, errors }) => [id, errors])).toEqual(
      ids.map((id) => [id, Object.keys(endpoints[id]?.refusals ?? {})]),
    );
  });

  test.each(Object.entries(endpoints))("%s succeeds with 200, JSON and exactly its success body", async (id, one) => {
    const answer = await call(id, one.body(), one.scope === "none" ? undefined : allowed(one.scope));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expectShape(answer.body, one.success);
  });

  const refusals = Object.entries(endpoints).flatMap(([id, { refusals: codes, scope }]) =>
    Object.entries(codes).flatMap(([code, bodies]) =>
      typeof bodies === "string" ? [] : [[id, code, bodies, scope] as const],
    ),
  );
  test.each(refusals)("D1: %s refuses with %s, in the contract's form", async (id, code, bodies, scope) => {
    for (const body of bodies())
      expectRefusal(id, await call(id, body, scope === "none" ? undefined : allowed(scope)), code);
  });

  test("D13: each but integrations.insert is unauthorized without credentials, with a Bearer challenge", async () => {
    for (const [id, { scope, body }] of Object.entries(endpoints))
      if (scope !== "none") expectRefusal(id, await call(id, body()), "unauthorized");
  });

  test("D24: each is forbidden to the other scope, except businesses.list, tier1.prepare and uploads.prepare", async () => {
    for (const [id, { scope, body }] of Object.entries(endpoints)) {
      if (scope === "repairer" || scope === "supplier")
        expectRefusal(id, await call(id, body(), other(scope)), "forbidden");
      if (scope === "either") expect((await call(id, body(), supplier)).status, id).toBe(200);
    }
    const either = ids.filter((id) => endpoints[id]?.scope === "either");
    expect(either).toEqual(["businesses.list", "tier1.prepare", "uploads.prepare"]);
  });

  test("D3: a malformed body gets the operation's own code if it has one, else bad_request", async () => {
    const withFields = Object.entries(endpoints).filter(([, { body }]) => Object.keys(body() as object).length > 0);
    expect(withFields).toHaveLength(12);
    for (const [id, { scope, refusals: codes, body }] of withFields) {
      const code = "unprocessable" in codes ? "unprocessable" : "bad_request";
      const credential = scope === "none" ? undefined : allowed(scope);
      for (const field of Object.keys(body() as object).filter((name) => name !== "if_")) {
        const wrong = { ...(body() as object), [field]: 17 };
        const { [field]: _, ...without } = body() as Record<string, unknown>;
        for (const bad of [wrong, without]) {
          const answer = await call(id, bad, credential);
          expectRefusal(id, answer, code);
          if (id !== "repairer.jobs.parts.insert")
            expect(answer.body).toMatchObject({ message: expect.stringMatching(`^/${field}( |$)`) });
        }
      }
    }
  });

  test("integrations.insert ignores credential headers", async () => {
    const wrong = { authorization: "Bearer wrong", "service-integration-id": "wrong" };
    const body = { ...installation, access_code: "unknown" };
    const answer = await service.post("/api/2026-01/integrations.insert", body, wrong);
    expectRefusal("integrations.insert", answer, "invalid_access_code");
  });
});

describe("D25: data of another organization", () => {
  test("doesn't exist for any operation or extension", async () => {
    const job = { job_identity: { id: theirJob } };
    const calls: readonly (readonly [string, unknown, TestCredential])[] = [
      ["/api/2026-01/repairer.jobs.get", { identity: { id: theirJob } }, repairer],
      ["/api/2026-01/repairer.jobs.parts.list", job, repairer],
      ["/api/2026-01/repairer.jobs.baskets.latest.get", job, repairer],
      ["/api/2026-01/repairer.procurements.list", job, repairer],
      ["/api/2026-01/supplier.procurements.get", { identity: { id: theirOrder } }, supplier],
      ["/api/2026-01/supplier.procurements.confirm", { identity: { id: theirOrder } }, supplier],
      ["/__extensions/2026-01/repairer.procurements.place", { ...job, sellable_ids: [UNKNOWN] }, repairer],
      ["/__extensions/2026-01/procurements.cancel", { identity: { id: theirOrder } }, supplier],
      ["/__extensions/2026-01/repairer.jobs.delete", { identity: { id: theirJob } }, repairer],
      ["/__extensions/2026-01/repairer.invoices.reconcile", { identity: { id: UNKNOWN }, lines: [] }, repairer],
    ];
    for (const [address, body, credential] of calls) {
      const answer = await service.post(address, body, credentialHeaders(credential));
      expect([address, answer.status, answer.body]).toEqual([address, 404, { type: "not_found" }]);
    }
    expect((await call("repairer.jobs.parts.insert", { ...job, parts: [{}] }, repairer)).text).toBe('"not_found"');
  });

  test("can't be updated, its ID can't be taken, and its existence isn't revealed", async () => {
    const attempt = (id: string) =>
      call("repairer.jobs.insert", { ...newJob(), identity: { id }, if_: { exists: "update" } }, repairer);
    const [theirs, unknown] = [await attempt(theirJob), await attempt(UNKNOWN)];
    expect([theirs.status, unknown.status]).toEqual([422, 422]);
    expect(theirs.text.replaceAll(theirJob, "")).toBe(unknown.text.replaceAll(UNKNOWN, ""));
  });
});
