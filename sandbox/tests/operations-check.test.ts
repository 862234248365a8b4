import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { controlOperations } from "../contract/control/all-operations.ts";
import { MAX_FINDINGS, operationsCheck } from "../contract/control/explain-operations.ts";
import { Refusal } from "../contract/errors.ts";
import { requestExamples } from "../contract/openapi/examples.ts";
import { type Operation, operationPath } from "../contract/operation.ts";
import { jobsInsert, partsInsert } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const { identity, repairer_site_id } = requestExamples["repairer.jobs.insert"];
const job = { identity, repairer_site_id };
const checked = ({ id }: Operation, body: string) => service.control(operationsCheck, { operation: id, body });

describe("checking a body before sending it", () => {
  test.each([
    ["invalid JSON", "{", [""]],
    ["an array", "[]", [""]],
    ["a leading byte order mark", `\uFEFF${JSON.stringify(job)}`, []],
    ["missing fields", "{}", ["/identity", "/repairer_site_id"]],
    [
      "several fields",
      JSON.stringify({ ...job, claim_number: 7, images: ["88213/front-left.jpg"], if_: { exists: "ignore" } }),
      ["/claim_number", "/images/0", "/if_/exists"],
    ],
  ])("refuses it for the first finding: %s", async (_what, body, pointers) => {
    const found = await checked(jobsInsert, body);
    expect(found.findings.map(({ pointer }) => pointer)).toEqual(pointers);
    const answer = await service.raw<{ type?: string; message?: string }>(operationPath(jobsInsert), {
      body,
      headers: credentialHeaders(repairer),
    });
    const [first] = found.findings;
    expect(found.refusal).toEqual(first ? { status: answer.status, code: answer.body.type } : null);
    expect(new Refusal("bad_request", first?.message).message).toBe(answer.body.message);
  });

  test("lists at most a hundred findings", async () => {
    const parts = Array.from({ length: 150 }, () => ({ quantity: -1 }));
    const found = await checked(partsInsert, JSON.stringify({ job_identity: identity, parts }));
    expect(found.findings).toHaveLength(MAX_FINDINGS);
    expect(found.findings[0]).toMatchObject({ pointer: "/parts/0/quantity" });
  });

  test("lists ignored fields at every level, with the nearest name", async () => {
    const body = { ...job, work_provider: { name: "Longreach Mutual" }, claim_numbr: "C-1" };
    const found = await checked(jobsInsert, JSON.stringify(body));
    expect(found).toMatchObject({ findings: [], refusal: null });
    expect(found.ignored.map(({ pointer }) => pointer)).toEqual(["/work_provider", "/claim_numbr"]);
    expect(found.ignored[1]?.message).toBe("/claim_numbr is not a known field; did you mean claim_number?");
    const parts = [{ identity: { external_id: "p-1" }, quantity: 1, sku: "X" }];
    const ofParts = await checked(partsInsert, JSON.stringify({ job_identity: identity, parts }));
    expect(ofParts.ignored.map(({ pointer }) => pointer)).toEqual(["/parts/0/sku"]);
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`field_${index}`, index]));
    expect((await checked(jobsInsert, JSON.stringify({ ...job, ...many }))).ignored).toHaveLength(MAX_FINDINGS);
  });

  test("refuses unknown fields for control operations that write", async () => {
    const set = controlOperations.find(({ id }) => id === "faults.set") ?? expect.unreachable();
    const body = JSON.stringify({ operation: "repairer.jobs.insert", efect: { drop: { when: "before" } } });
    const found = await checked(set, body);
    expect(found.ignored).toEqual([]);
    expect(found.findings).toContainEqual({
      pointer: "/efect",
      message: "/efect is not a known field; did you mean effect?",
    });
  });

  test("covers the control plane", async () => {
    const list = controlOperations.find(({ id }) => id === "requests.list");
    expect(await checked(list ?? expect.unreachable(), '{"status": 7000}')).toMatchObject({
      findings: [{ pointer: "/status" }],
      refusal: { status: 400, code: "bad_request" },
    });
  });

  test("is not found for an unknown operation", async () => {
    await expect(service.control(operationsCheck, { operation: "repairer.jobs.insrt", body: "" })).rejects.toThrow(
      /404/,
    );
  });
});
