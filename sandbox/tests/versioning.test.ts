import { afterAll, beforeAll, expect, test } from "vitest";
import { operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const headers = credentialHeaders(repairer);

test("every address contains the interface's version, and no other version exists", async () => {
  const contract = partnerOperations.filter((operation) => operation.surface === "contract");
  expect(contract).toHaveLength(14);
  for (const operation of contract) {
    const address = operationPath(operation);
    expect(address).toBe(`/api/2026-01/${operation.id}`);
    expect((await service.raw(address, { headers })).status, address).not.toBe(404);
  }
  for (const version of ["2025-01", "2026-02", "2026-1", "2026-01-01", "v1", "latest", ""]) {
    const address = `/api/${version}/businesses.list`;
    expect([version, (await service.raw(address, { headers })).status]).toEqual([version, 404]);
  }
  expect((await service.raw("/api/businesses.list", { headers })).status).toBe(404);
});

test("the OpenAPI document has the version 1.0.0", async () => {
  const { body } = await service.raw<{ info: { version: string } }>("/openapi.json", { method: "GET" });
  expect(body.info.version).toBe("1.0.0");
});
