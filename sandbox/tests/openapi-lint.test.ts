import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/harness.ts";
import { lintDocument } from "../testing/lint-document.ts";
import { ServedDocument } from "../testing/served-document.ts";

let service: TestService;
let served: ServedDocument;
beforeAll(async () => {
  service = await startTestService();
  served = await ServedDocument.of(service);
});
afterAll(() => service.end());

const postOf = (id: string): string[] => ["paths", `/api/2026-01/${id}`, "post"];
const answerOf = (id: string): string[] => [...postOf(id), "responses", "200"];
const schemaOf = (id: string): string[] => [...answerOf(id), "content", "application/json", "schema"];

/** Changes to the served document (undefined deletes), with the rule that reports each. */
const flaws: readonly (readonly [rule: string, keys: readonly string[], value: unknown])[] = [
  ["operation-operationId", [...postOf("repairer.jobs.get"), "operationId"], undefined],
  ["operation-operationId-unique", [...postOf("repairer.jobs.insert"), "operationId"], "businesses.list"],
  ["operation-description", [...postOf("repairer.jobs.get"), "description"], undefined],
  ["operation-tag-defined", [...postOf("repairer.jobs.get"), "tags"], ["Elsewhere"]],
  ["struct", [...postOf("repairer.jobs.get"), "sumary"], "A typing error."],
  ["security-defined", [...postOf("repairer.jobs.get"), "security"], undefined],
  ["no-unresolved-refs", [...schemaOf("repairer.jobs.get"), "$ref"], "https://example.com/job.json"],
  [
    "no-invalid-media-type-examples",
    [...answerOf("repairer.jobs.insert"), "content", "application/json", "example", "id"],
    17,
  ],
  ["response-contains-header", [...answerOf("repairer.jobs.get"), "headers"], {}],
  [
    "no-required-schema-properties-undefined",
    ["components", "schemas", "VehicleV1", "properties", "plate_number"],
    undefined,
  ],
  ["no-unused-components", ["components", "schemas", "Unused"], { type: "object" }],
  ["no-server-trailing-slash", ["servers"], [{ url: "http://127.0.0.1:4026/" }]],
];

const flawed = (): string => {
  const copy: unknown = JSON.parse(served.text);
  for (const [, keys, value] of flaws) {
    const holder = keys.slice(0, -1).reduce<unknown>((part, key) => Reflect.get(Object(part), key), copy);
    const last = keys.at(-1) ?? "";
    if (value === undefined) Reflect.deleteProperty(Object(holder), last);
    else Reflect.set(Object(holder), last, value);
  }
  return JSON.stringify(copy);
};

describe("a strict linter", () => {
  test("finds nothing in the service's document and the control plane's", async () => {
    expect(await lintDocument(served.text)).toEqual([]);
    expect(await lintDocument((await ServedDocument.of(service, "/__sandbox/openapi.json")).text)).toEqual([]);
  });

  test("detects known problems", async () => {
    const noticed = new Set((await lintDocument(flawed())).map((problem) => problem.split(" ")[0]));
    expect(flaws.map(([rule]) => rule).filter((rule) => !noticed.has(rule))).toEqual([]);
  });
});
