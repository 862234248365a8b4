import { afterAll, beforeAll, expect, test } from "vitest";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { requestExamples } from "../contract/openapi/examples.ts";
import { operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const SITE = requestExamples["repairer.jobs.insert"].repairer_site_id;
const JOB = { external: "estimate:88213" };

const send = (id: string, body: unknown) => {
  const operation = partnerOperations.find((one) => one.id === id);
  return service.post(operation ? operationPath(operation) : id, body, credentialHeaders(repairer));
};
const correct = async (id: string, body: unknown) => {
  const answer = await send(id, body);
  return service.control(requestsExplain, { id: answer.headers.get("x-request-id") ?? "" });
};
const insert = (more: object) => ({ identity: JOB, repairer_site_id: SITE, ...more });

test.each<[string, object, object]>([
  ["its choice", { if: { exists: "replace" } }, { if_: { exists: "replace" } }],
  ["its choice as a text", { on_conflict: "update" }, { if_: { exists: "update" } }],
  ["another word for it", { upsert: true }, { if_: { exists: "update" } }],
  [
    "a name that another field has",
    { if: { exists: "replace" }, jobNumber: "C-1" },
    { if_: { exists: "replace" }, job_number: "C-1" },
  ],
])("a misnamed if_ keeps %s, and no misnamed field is left", async (_what, sent, meant) => {
  const { refusal, correction } = await correct("repairer.jobs.insert", insert(sent));
  expect(refusal?.cause).toBe("job_exists");
  expect(correction?.body).toEqual(insert(meant));
  expect(refusal?.what_to_do).toContain(JSON.stringify(sent).includes("replace") ? "replace" : "update");
});

test("another word for a choice is corrected to it", async () => {
  const { correction } = await correct("repairer.jobs.insert", insert({ if_: { exists: "upsert" } }));
  expect(correction?.body).toEqual(insert({ if_: { exists: "update" } }));
});
