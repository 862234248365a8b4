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

/** The served document with one thing at a path set to something else; undefined takes it away. */
const changed = (keys: readonly string[], value: unknown): string => {
  const copy: unknown = JSON.parse(served.text);
  const holder = keys.slice(0, -1).reduce<unknown>((part, key) => Reflect.get(Object(part), key), copy);
  const last = keys.at(-1) ?? "";
  if (value === undefined) Reflect.deleteProperty(Object(holder), last);
  else Reflect.set(Object(holder), last, value);
  return JSON.stringify(copy);
};

const POST = ["paths", "/api/2026-01/repairer.jobs.get", "post"];
const ANSWER = [...POST, "responses", "200"];

describe("a strict linter", () => {
  test("finds nothing wrong with the document the service serves", async () => {
    expect(await lintDocument(served.text)).toEqual([]);
  });

  test.each([
    ["an operation without an id", [...POST, "operationId"], undefined, "operation-operationId"],
    ["an id that is used twice", [...POST, "operationId"], "businesses.list", "operation-operationId-unique"],
    ["an operation without a description", [...POST, "description"], undefined, "operation-description"],
    ["a tag that is not declared", [...POST, "tags"], ["Elsewhere"], "operation-tag-defined"],
    ["an unknown key", [...POST, "sumary"], "A typing error.", "struct"],
    ["an operation that does not say who may call it", [...POST, "security"], undefined, "security-defined"],
    [
      "a reference that leads nowhere",
      [...ANSWER, "content", "application/json", "schema", "$ref"],
      "#/components/schemas/Jobs",
      "no-unresolved-refs",
    ],
    [
      "a reference to another document",
      [...ANSWER, "content", "application/json", "schema", "$ref"],
      "https://example.com/job.json",
      "no-unresolved-refs",
    ],
    [
      "an example that is not of its schema",
      [...ANSWER, "content", "application/json", "example", "id"],
      17,
      "no-invalid-media-type-examples",
    ],
    ["an answer without the header every answer has", [...ANSWER, "headers"], {}, "response-contains-header"],
    [
      "a required key that no property declares",
      ["components", "schemas", "Job", "properties", "id"],
      undefined,
      "no-required-schema-properties-undefined",
    ],
    ["a component nobody uses", ["components", "schemas", "Unused"], { type: "object" }, "no-unused-components"],
    ["a server with a slash at its end", ["servers"], [{ url: "http://127.0.0.1:4026/" }], "no-server-trailing-slash"],
  ])("notices %s", async (_what, keys, value, rule) => {
    const problems = await lintDocument(changed(keys, value));
    expect(problems.join("\n")).toMatch(new RegExp(`^${rule} `, "m"));
  });
});
