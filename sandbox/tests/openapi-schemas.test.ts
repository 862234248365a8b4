import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { AnswerCheck } from "../testing/answer-check.ts";
import {
  credentialHeaders,
  repairer,
  type ServiceResponse,
  startTestService,
  type TestService,
} from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
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

const problemsOf = ({ id }: Operation, { status, headers, body }: ServiceResponse): readonly string[] =>
  check.problems(served.operation(id), status, headers, body);

describe("the schemas of the document", () => {
  test("compile with a strict validator of JSON Schema 2020-12", () => {
    expect(check.compileAll()).toBeGreaterThan(100);
  });

  test("accept every example request and response", () => {
    const found = served.operations.flatMap((operation) => [
      ...check.exampleProblems(`${operation.path} request`, served.requestBody(operation)),
      ...Object.keys(operation.item.responses as object).flatMap((status) =>
        check.exampleProblems(`${operation.path} ${status}`, served.answer(operation, Number(status)) ?? {}),
      ),
    ]);
    expect(found).toEqual([]);
  });

  test("detect an undeclared key, a missing key, and an undocumented response", () => {
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

describe("the validation of the contract's formats", () => {
  const insert = (body: object) => service.post("/api/2026-01/repairer.jobs.insert", body, credentialHeaders(repairer));

  test("D37: picture addresses that a browser accepts are returned as documented", async () => {
    const images = ["é", "a|b", "[1]", "%zz", "?q={x}", "#^"].map((end) => `https://pictures.example/${end}`);
    images.push("HTTPS://Pictures.example/upper", "http://bücher.example/");
    const identity = { external: "addresses" };
    const job = { identity, repairer_site_id: await ownSite(service), images };
    expect(check.requestProblems(served.operation("repairer.jobs.insert"), job)).toEqual([]);
    const inserted = await insert(job);
    expect(inserted.body).toMatchObject({ images: images.map((public_url) => ({ public_url })) });
    expect(check.problems(served.operation("repairer.jobs.insert"), 200, inserted.headers, inserted.body)).toEqual([]);
    const read = await service.post("/api/2026-01/repairer.jobs.get", { identity }, credentialHeaders(repairer));
    expect(check.problems(served.operation("repairer.jobs.get"), 200, read.headers, read.body)).toEqual([]);
    const elsewhere = { ...job, images: ["ftp://pictures.example/a.png"] };
    expect(check.requestProblems(served.operation("repairer.jobs.insert"), elsewhere)).toHaveLength(1);
  });

  test("D7: an identity of both kinds is refused by both, whatever the second value", async () => {
    const operation = served.operation("repairer.jobs.insert");
    const job = { repairer_site_id: await ownSite(service) };
    const id = "4b1f1b0c-2f8a-4f5e-9d35-0d4c8a6e2b11";
    for (const identity of [
      { id, external: "a" },
      { id, external: 5 },
      { id, external: null },
      { id: "no id", external: "a" },
      { id: {}, external: "a" },
    ]) {
      const body = { ...job, identity };
      expect([identity, (await insert(body)).status]).toEqual([identity, 422]);
      expect(check.requestProblems(operation, body), JSON.stringify(identity)).not.toEqual([]);
    }
  });

  test("D7: any JSON is accepted as an identifier to prepare, and returned", async () => {
    const operation = served.operation("tier1.prepare");
    const identifiers = [
      null,
      1,
      "x",
      [],
      {},
      { chassis_number: 5 },
      { region: "GB", plate: "A", chassis_number: "B" },
    ];
    const body = { identifiers };
    expect(check.requestProblems(operation, body)).toEqual([]);
    const answer = await service.post("/api/2026-01/tier1.prepare", body, credentialHeaders(repairer));
    expect(answer.body).toMatchObject({ invalid_identifiers: identifiers.map((input) => ({ input })) });
    expect(check.problems(operation, answer.status, answer.headers, answer.body)).toEqual([]);
  });
});

describe.each(operations.map((operation) => [operation.id, operation] as const))("%s", (_id, operation) => {
  test("returns the documented shape for its example", async () => {
    const { example } = served.examples(served.requestBody(served.operation(operation.id)));
    const answer = await sendExample(service, operation, example);
    expect(answer.status).toBe(200);
    expect(problemsOf(operation, answer)).toEqual([]);
  });

  test("returns documented refusals for invalid requests", async () => {
    for (const answers of Object.values(await provokeShared(service, operation)))
      for (const answer of Object.values(answers)) expect(problemsOf(operation, answer)).toEqual([]);
  });
});
