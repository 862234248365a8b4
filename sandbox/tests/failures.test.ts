import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { operationPath } from "../contract/operation.ts";
import { jobsGet, jobsInsert, partsInsert, partsList } from "../contract/operations/partner.ts";
import { JobsStore } from "../storage/jobs-store.ts";
import { PartsStore } from "../storage/parts-store.ts";
import { NotDurableError } from "../storage/writer.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { World } from "../worlds/world.ts";

let service: TestService;
let site = "";
beforeAll(async () => {
  service = await startTestService();
  site = await ownSite(service);
  await service.ok(jobsInsert, { identity: { external: "here" }, repairer_site_id: site }, repairer);
});
afterAll(() => service.end());

const identity = { external: "here" };
const DETAIL = "no such table: jobs at /home/someone/worlds";

test("D12: an unexpected error gets 500 internal_error with the request's ID, without its cause", async () => {
  vi.spyOn(JobsStore.prototype, "find").mockImplementationOnce(() => {
    throw new Error(DETAIL);
  });
  const answer = await service.call(jobsGet, { identity }, repairer);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([500, "application/json; charset=utf-8"]);
  expect(answer.body).toEqual({
    type: "internal_error",
    message: expect.stringMatching(/request_id/),
    request_id: answer.headers.get("x-request-id"),
  });
  expect(answer.text).not.toMatch(/table|someone|Error|at /);
  expect((await service.call(jobsGet, { identity }, repairer)).status).toBe(200);
});

test("D12: a partly failed write is undone without affecting others", async () => {
  const insert = PartsStore.prototype.insert;
  vi.spyOn(PartsStore.prototype, "insert").mockImplementation(function (this: PartsStore, job, part) {
    if (part.description === "fails") throw new Error(DETAIL);
    insert.call(this, job, part);
  });
  const call = (...descriptions: string[]) =>
    service.call(
      partsInsert,
      { job_identity: identity, parts: descriptions.map((description) => ({ description })) },
      repairer,
    );
  const answers = await Promise.all([call("a"), call("lost", "fails"), call("b")]);
  expect(answers.map((one) => one.status)).toEqual([200, 500, 200]);
  expect(answers[1]?.body).toMatchObject({ type: "internal_error" });
  const { items } = await service.ok(partsList, { job_identity: identity }, repairer);
  expect(items.map((one) => one.description)).toEqual(["a", "b"]);
});

test("D12: a change that can't be made durable gets 503 storage_unavailable with a remedy", async () => {
  // Mocked until the response, because records of earlier calls may be written first.
  const failing = vi.spyOn(World.prototype, "write").mockRejectedValue(new NotDurableError(new Error(DETAIL)));
  const answer = await service.call(jobsInsert, { identity: { external: "full" }, repairer_site_id: site }, repairer);
  failing.mockRestore();
  expect([answer.status, answer.body]).toEqual([
    503,
    { type: "storage_unavailable", message: expect.stringMatching(/^The change could not .* try again\.$/) },
  ]);
  expect(answer.text).not.toContain("someone");
  expect((await service.call(jobsGet, { identity: { external: "full" } }, repairer)).status).toBe(404);
});

test("D12: every response has its own x-request-id", async () => {
  const answers = await Promise.all([
    service.raw(operationPath(jobsGet)),
    service.raw("/nowhere"),
    service.raw(operationPath(jobsGet), { method: "PATCH" }),
    service.raw(operationPath(jobsGet), { headers: { "x-sandbox-tenant": "no name" } }),
    service.raw(operationPath(jobsGet), { headers: { "x-request-id": "mine" } }),
    service.raw("/__webhooks/subscribe", { body: "{" }),
    service.raw("/__webhooks/sink", { body: "{" }),
    service.raw("/__sandbox/worlds.list"),
    service.raw("/__oauth/authorize", { method: "GET" }),
    service.raw("/__uploads/x", { method: "PUT" }),
    service.raw("/__media/x/y", { method: "GET" }),
    service.raw("/openapi.json", { method: "GET" }),
    service.raw("/__health", { method: "GET" }),
  ]);
  const ids = answers.map((one) => one.headers.get("x-request-id"));
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(answers.length);
});
