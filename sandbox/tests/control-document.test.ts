import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deliveriesList, eventsList, requestsGet, requestsList } from "../contract/control/operations.ts";
import { policiesGet, worldsList } from "../contract/control/world-operations.ts";
import { errorCodes } from "../contract/errors.ts";
import { type Operation, operationPath } from "../contract/operation.ts";
import { businessesList, jobsInsert } from "../contract/operations/partner.ts";
import { bodyHandlers, controlHandlers } from "../control/registry.ts";
import { AnswerCheck } from "../testing/answer-check.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { ServedDocument } from "../testing/served-document.ts";

let service: TestService;
let served: ServedDocument;
beforeAll(async () => {
  service = await startTestService();
  served = await ServedDocument.of(service, "/__sandbox/openapi.json");
});
afterAll(() => service.end());

describe("the document of the control plane", () => {
  test("requires the control token", async () => {
    const answer = await service.raw("/__sandbox/openapi.json", { method: "GET" });
    expect(answer).toMatchObject({ status: 401, body: { type: "unauthorized" } });
  });

  test("contains every implemented operation", () => {
    const carriedOut = [...controlHandlers, ...bodyHandlers].map(({ operation }) => operationPath(operation));
    expect(served.operations.map(({ path }) => path).toSorted()).toEqual(carriedOut.toSorted());
  });

  test("contains every field of an operation, and every declared error under its status", () => {
    for (const { operation } of controlHandlers) {
      const item = served.operation(operation.id);
      const { schema } = served.json(served.requestBody(item));
      const fields = Object.keys((operation.request as { readonly properties?: object }).properties ?? {});
      expect(fields, operation.id).toContain("world");
      expect(Object.keys(served.follow(served.follow(schema).properties)), operation.id).toEqual(fields);
      // D85: reading an unknown world.
      for (const code of [...operation.errors, "no_such_world"] as const) {
        const answer = served.answer(item, errorCodes[code].status);
        expect(JSON.stringify(served.json(answer ?? {}).schema), `${operation.id} ${code}`).toContain(`"${code}"`);
      }
    }
  });

  test("says for writes that unknown fields are refused at any depth", () => {
    const open = (schema: unknown, path: string): string[] => {
      if (typeof schema !== "object" || schema === null) return [];
      const within = Object.entries(schema).flatMap(([key, part]) => open(part, `${path}/${key}`));
      const { type, properties, additionalProperties } = schema as Record<string, unknown>;
      const isOpen = type === "object" && properties !== undefined && additionalProperties !== false;
      return isOpen ? [path, ...within] : within;
    };
    for (const { operation } of controlHandlers) {
      const { schema } = served.json(served.requestBody(served.operation(operation.id)));
      const places = open(schema, operation.id);
      expect(places, operation.id).toEqual(operation.effect === "read" ? places : []);
    }
    const { schema } = served.json(served.requestBody(served.operation(worldsList.id)));
    expect(open(schema, "")).toEqual([""]);
  });

  test("describes the actual responses", async () => {
    const check = new AnswerCheck(served);
    expect(check.compileAll()).toBeGreaterThan(100);
    const job = { identity: { external: "control" }, repairer_site_id: await ownSite(service) };
    await service.ok(jobsInsert, job, repairer);
    await service.ok(businessesList, {}, repairer);
    const authorization = `Bearer ${service.ready.control_token}`;
    const problems = async (operation: Operation, body: object, status = 200): Promise<readonly string[]> => {
      const answer = await service.post(operationPath(operation), body, { authorization });
      expect(answer.status).toBe(status);
      return check.problems(served.operation(operation.id), status, answer.headers, answer.body);
    };
    for (const operation of [worldsList, policiesGet, requestsList, eventsList, deliveriesList])
      expect(await problems(operation, {}), operation.id).toEqual([]);
    const [latest] = (await service.control(requestsList, {})).items;
    expect(await problems(requestsGet, { id: latest?.id })).toEqual([]);
    expect(await problems(requestsGet, { id: "no id" }, 400)).toEqual([]);
    expect(await problems(requestsGet, { id: "00000000-0000-4000-8000-000000000000" }, 404)).toEqual([]);
  });
});
