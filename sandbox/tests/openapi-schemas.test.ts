import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { AnswerCheck } from "../testing/answer-check.ts";
import { type Answer, startTestService, type TestService } from "../testing/harness.ts";
import { provokeShared, sendExample } from "../testing/provocations.ts";
import { ServedDocument } from "../testing/served-document.ts";

const operations: readonly Operation[] = partnerOperations;

let service: TestService;
let served: ServedDocument;
let check: AnswerCheck;
beforeAll(async () => {
  service = await startTestService();
  served = await ServedDocument.of(service);
  check = new AnswerCheck(served);
});
afterAll(() => service.end());

const problemsOf = ({ id }: Operation, { status, headers, body }: Answer): readonly string[] =>
  check.problems(served.operation(id), status, headers, body);

describe("the schemas of the document", () => {
  test("compile with a strict validator of JSON Schema 2020-12", () => {
    expect(check.compileAll()).toBeGreaterThan(100);
  });

  test("are met by every example, of requests and of answers", () => {
    const found = served.operations.flatMap((operation) => [
      ...check.exampleProblems(`${operation.path} request`, served.requestBody(operation)),
      ...Object.keys(operation.item.responses as object).flatMap((status) =>
        check.exampleProblems(`${operation.path} ${status}`, served.answer(operation, Number(status)) ?? {}),
      ),
    ]);
    expect(found).toEqual([]);
  });

  test("would notice a key that is not declared, one that is missing, and an answer the document does not know", () => {
    const operation = served.operation("repairer.jobs.delete");
    const headers = new Headers({ "x-request-id": "4b1f1b0c-2f8a-4f5e-9d35-0d4c8a6e2b11" });
    const id = "4b1f1b0c-2f8a-4f5e-9d35-0d4c8a6e2b11";
    expect(check.problems(operation, 200, headers, { id })).toEqual([]);
    expect(check.problems(operation, 200, headers, { id, name: "J-1" })).toHaveLength(1);
    expect(check.problems(operation, 200, headers, {})).toHaveLength(1);
    expect(check.problems(operation, 200, new Headers(), { id })).toEqual([
      "repairer.jobs.delete 200: no header x-request-id",
    ]);
    expect(check.problems(operation, 418, headers, {})).toHaveLength(1);
  });
});

describe.each(operations.map((operation) => [operation.id, operation] as const))("%s", (_id, operation) => {
  test("answers its example with the documented shape", async () => {
    const { example } = served.examples(served.requestBody(served.operation(operation.id)));
    const answer = await sendExample(service, operation, example);
    expect(answer.status).toBe(200);
    expect(problemsOf(operation, answer)).toEqual([]);
  });

  test("refuses what no operation takes as the document says", async () => {
    for (const answers of Object.values(await provokeShared(service, operation)))
      for (const answer of Object.values(answers)) expect(problemsOf(operation, answer)).toEqual([]);
  });
});
