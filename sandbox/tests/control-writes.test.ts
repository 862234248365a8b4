import { afterAll, beforeAll, expect, test } from "vitest";
import { controlOperations } from "../contract/control/all-operations.ts";
import { faultsList } from "../contract/control/fault-operations.ts";
import { snapshotsImport } from "../contract/control/snapshot-operations.ts";
import { type Operation, operationPath } from "../contract/operation.ts";
import { startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const operations: readonly Operation[] = controlOperations;
const post = (operation: Operation, body: unknown) =>
  service.post<{ message?: string }>(operationPath(operation), body, {
    authorization: `Bearer ${service.ready.control_token}`,
  });

// Excludes documents, which follow their own format and may be of another version.
const writes = operations.filter((one) => one.effect === "write" && one !== snapshotsImport);
test.each(writes.map((one) => [one.id, one] as const))("%s refuses an unknown member", async (_, operation) => {
  const answer = await post(operation, { worlds: "elsewhere" });
  expect(answer.status).toBe(400);
  expect(answer.body.message).toBe("/worlds is not a known field; did you mean world?");
});

const reads = operations.filter((one) => one.effect === "read");
test.each(reads.map((one) => [one.id, one] as const))("%s ignores an unknown member", async (_, operation) => {
  expect((await post(operation, { worlds: "elsewhere" })).body.message ?? "").not.toContain("not a known field");
});

test("a fault with a misspelt limit is refused", async () => {
  const fault = { effect: { error: { status: 503 } }, use: 1 };
  const answer = await service.post<{ message: string }>("/__sandbox/faults.set", fault, {
    authorization: `Bearer ${service.ready.control_token}`,
  });
  expect([answer.status, answer.body.message]).toEqual([400, "/use is not a known field; did you mean uses?"]);
  expect((await service.control(faultsList, {})).items).toEqual([]);
});
