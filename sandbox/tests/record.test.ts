import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { faultsClear, faultsList, faultsSet } from "../contract/control/fault-operations.ts";
import { procurementsList, requestsGet, requestsList } from "../contract/control/operations.ts";
import type { Operation, RequestOf } from "../contract/operation.ts";
import { jobsGet, jobsInsert, partsInsert, supplierProcurementsConfirm } from "../contract/operations/partner.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { RawConnection, rawRequest } from "../testing/raw-connection.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const refused = async <O extends Operation>(operation: O, body: RequestOf<O>, by?: typeof repairer) => {
  const answer = await service.call(operation, body, by);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  return answer.headers.get("x-request-id") ?? "";
};
const idsOf = async (about: RequestOf<typeof requestsList>) =>
  (await service.control(requestsList, { ...about, limit: 200 })).items.map(({ id }) => id);

describe("a refused call is linked to", () => {
  test("an order, for any sender and any refusing check", async () => {
    const { items } = await service.control(procurementsList, { limit: 1 });
    const [procurement] = items;
    const identity = { id: procurement?.id ?? "" };
    const ids = [
      await refused(supplierProcurementsConfirm, { identity }),
      await refused(supplierProcurementsConfirm, { identity }, repairer),
    ];
    expect(await idsOf({ procurement_id: identity.id })).toEqual(expect.arrayContaining(ids));
    expect(await idsOf({ job_id: procurement?.job_id ?? "" })).toEqual(expect.arrayContaining(ids));
  });

  test("a job, by its ID or the caller's own identifier", async () => {
    const site = await ownSite(service);
    const { body } = await service.call(
      jobsInsert,
      { identity: { external: "named" }, repairer_site_id: site },
      repairer,
    );
    const parts = { parts: "none" as never };
    const ids = [
      await refused(partsInsert, { job_identity: { external: "named" }, ...parts }, repairer),
      await refused(partsInsert, { job_identity: { id: body.id }, ...parts }, repairer),
      await refused(jobsGet, { identity: { id: body.id } }, supplier),
    ];
    expect(await idsOf({ job_id: body.id })).toEqual(expect.arrayContaining(ids));
  });

  test("nothing if its object doesn't exist", async () => {
    const id = await refused(jobsGet, { identity: { external: "nowhere" } }, repairer);
    const { items } = await service.control(requestsList, { search: id });
    expect(items).toEqual([expect.objectContaining({ id, job_id: null, procurement_id: null, label: null })]);
  });
});

describe("the explorer's own reads", () => {
  const world = "observed";
  const inWorld = { "x-sandbox-tenant": world };
  const read = (token: string) =>
    service.call(jobsGet, { identity: { external: "read" } }, repairer, { ...inWorld, "x-sandbox-observer": token });

  test("are not recorded and meet no fault, if they carry the control token", async () => {
    const job = { identity: { external: "read" }, repairer_site_id: await ownSite(service, inWorld) };
    await service.ok(jobsInsert, job, repairer, inWorld);
    await service.control(faultsSet, { world, effect: { error: { code: "internal_error" } } });
    const own = await read(service.ready.control_token);
    expect(own.status).toBe(200);
    const { items } = await service.control(faultsList, { world });
    expect(items[0]).toMatchObject({ fired: 0 });
    const strangers = await read("ctl_somebody_else");
    expect(strangers.status).toBe(500);
    await service.control(faultsClear, { world });
    const kept = await idsOf({ world });
    expect(kept).toContain(strangers.headers.get("x-request-id"));
    expect(kept).not.toContain(own.headers.get("x-request-id"));
  });

  test("but changes are recorded in any case", async () => {
    const site = await ownSite(service);
    const headers = { "x-sandbox-observer": service.ready.control_token };
    const body = { identity: { external: "observed" }, repairer_site_id: site };
    const answer = await service.call(jobsInsert, body, repairer, headers);
    const id = answer.headers.get("x-request-id") ?? "";
    const kept = await service.control(requestsGet, { id });
    expect(kept.operation).toBe(jobsInsert.id);
    expect(JSON.stringify(kept)).not.toContain(service.ready.control_token);
  });
});

test("each request of a connection is recorded as sent, with secrets masked, whatever came before it", async () => {
  const connection = await RawConnection.open(service.port);
  onTestFinished(() => connection.close());
  const { integration_id, api_key } = repairer;
  const first = { authorization: `Bearer ${api_key}`, "service-integration-id": integration_id, "x-said": "one" };
  const others = [
    first,
    { ...first, "x-said": "another" },
    { ...first, authorization: "Bearer isk_somebody-elses-key-of-some-length" },
    Object.fromEntries(Object.entries(first).reverse()),
    { ...first, cookie: "session=secret" },
    first,
  ];
  for (const [index, headers] of [first, ...others].entries()) {
    connection.send(rawRequest("POST /api/2026-01/repairer.jobs.get", headers, '{"identity":{"external":"named"}}'));
    const answers = await connection.answers(index + 1);
    const id = answers[index]?.headers.get("x-request-id") ?? "";
    const kept = await service.control(requestsGet, { id });
    const shown = kept.request_headers.filter(([name]) => name in headers);
    expect(shown.map(([name]) => name)).toEqual(Object.keys(headers));
    expect(Object.fromEntries(shown)).toMatchObject({
      "x-said": headers["x-said"],
      "service-integration-id": integration_id,
    });
    expect(JSON.stringify(kept)).not.toMatch(/somebody-elses-key|session=secret/);
    expect(JSON.stringify(kept)).not.toContain(api_key);
    expect(kept.response_headers).toEqual([
      ["x-request-id", id],
      ["content-type", "application/json; charset=utf-8"],
      ["content-length", String(kept.response_bytes)],
      ...(kept.status === 401 ? [["www-authenticate", "Bearer"]] : []),
    ]);
  }
});
