import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { fixedCredentials } from "../contract/demo-values.ts";
import { eventTypes } from "../contract/event-types.ts";
import { BASE_URL_PLACE, exampleMedia } from "../contract/openapi/examples.ts";
import type { Operation } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { verifyNotification } from "../secrets/webhook-signature.ts";
import { startTestService, type TestService } from "../testing/harness.ts";
import { sendExample } from "../testing/provocations.ts";
import { RECORDED_AT, record, withFixedValues } from "../testing/recorded-answers.ts";
import { isPart, ServedDocument } from "../testing/served-document.ts";
import { seedMedia } from "../worlds/seed/seed-media.ts";

const operations: readonly Operation[] = partnerOperations;

let service: TestService;
let served: ServedDocument;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: RECORDED_AT });
  service = await startTestService();
  served = await ServedDocument.of(service);
});
afterAll(async () => {
  await service.end();
  vi.useRealTimers();
});

/** Examples of an operation's requests or responses. */
const requestsOf = (id: string) => served.examples(served.requestBody(served.operation(id)));
const answersOf = (id: string, status: number) => served.examples(served.answer(served.operation(id), status) ?? {});

/** Example of a parameter. */
const parameterOf = (id: string, name: string): string => {
  const parameters = served.operation(id).item.parameters;
  const found = Array.isArray(parameters) ? parameters.find((one) => isPart(one) && one.name === name) : undefined;
  return isPart(found) ? String(found.example) : "";
};

test("recorded responses are the service's; `npm run openapi` updates them", async () => {
  await expect(`${JSON.stringify(await record(service), null, 2)}\n`).toMatchFileSnapshot(
    "../contract/openapi/generated/answers.json",
  );
});

describe("an unchanged example request", () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    "to %s gets the example response in a fresh world",
    async (id, operation) => {
      const answer = await sendExample(service, operation, requestsOf(id).example, "shown");
      expect(answer.status).toBe(200);
      const shown = JSON.stringify(answersOf(id, 200).example).replaceAll(service.baseUrl, BASE_URL_PLACE);
      expect(withFixedValues(answer.body, service)).toEqual(JSON.parse(shown));
    },
  );

  test("subscribes the pre-loaded integration", async () => {
    const { example } = requestsOf("webhooks.subscribe");
    expect(await service.post("/__webhooks/subscribe", example)).toMatchObject({ status: 200, body: { ok: true } });
  });

  test("posts a notification to the test receiver, which verifies it", async () => {
    const { example } = requestsOf("webhooks.sink");
    const headers = { [SIGNATURE_HEADER]: parameterOf("webhooks.sink", SIGNATURE_HEADER) };
    const answer = await service.post("/__webhooks/sink", example, headers);
    expect(answer).toMatchObject({ status: 200, body: { ok: true, deduped: false } });
  });

  test("shows the consent page and the seeded picture", async () => {
    const get = (address: string) => service.raw(address, { method: "GET" });
    const consent = new URLSearchParams(
      ["client_id", "redirect_uri", "state"].map((name) => [name, parameterOf("oauth.authorize", name)]),
    );
    const page = await get(`/__oauth/authorize?${consent}`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const picture = await get(`/__media/${parameterOf("media.get", "id")}/${parameterOf("media.get", "name")}`);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/webp"]);
  });
});

describe("names in examples", () => {
  test("exist in the seed", () => {
    expect(seedMedia.map(({ id, name }) => ({ id, name }))).toContainEqual(exampleMedia);
  });

  test.each(eventTypes)("a %s notification verifies with the pre-loaded secret of its side", (type) => {
    const item = served.at("webhooks", type, "post");
    const { example } = served.examples(served.follow(item.requestBody));
    const [header] = item.parameters as readonly { readonly name: string; readonly example: string }[];
    expect(header?.name).toBe(SIGNATURE_HEADER);
    const verification = verifyNotification({
      body: Buffer.from(JSON.stringify(example)),
      header: header?.example ?? null,
      secret: fixedCredentials[type === "supplier.procurements" ? "supplier" : "repairer"].webhook_secret,
      now: RECORDED_AT,
    });
    expect(verification.reason).toBeNull();
  });
});
