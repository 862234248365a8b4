import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { eventTypes } from "../contract/event-types.ts";
import { BASE_URL_PLACE, exampleClient, exampleCredentials, exampleMedia } from "../contract/openapi/examples.ts";
import type { Operation } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { verifyNotification } from "../rules/webhook-signature.ts";
import { credentialHeaders, repairer, startTestService, type TestService } from "../testing/harness.ts";
import { sendExample } from "../testing/provocations.ts";
import { RECORDED_AT, record, withFixedValues } from "../testing/recorded-answers.ts";
import { isPart, ServedDocument } from "../testing/served-document.ts";
import { fixedClients, fixedCredentials } from "../worlds/seed/fixed.ts";
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

/** The examples of a request or of an answer of an operation. */
const requestsOf = (id: string) => served.examples(served.requestBody(served.operation(id)));
const answersOf = (id: string, status: number) => served.examples(served.answer(served.operation(id), status) ?? {});

/** The example of a parameter. */
const parameterOf = (id: string, name: string): string => {
  const parameters = served.operation(id).item.parameters;
  const found = Array.isArray(parameters) ? parameters.find((one) => isPart(one) && one.name === name) : undefined;
  return isPart(found) ? String(found.example) : "";
};

test("the recorded answers are what the service answers; `npm run openapi` records them anew", async () => {
  await expect(`${JSON.stringify(await record(service), null, 2)}\n`).toMatchFileSnapshot(
    "../contract/openapi/generated/answers.json",
  );
});

describe("an example that a partner sends as it stands", () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    "to %s is answered in a fresh world with the example of the answer",
    async (id, operation) => {
      const answer = await sendExample(service, operation, requestsOf(id).example, "shown");
      expect(answer.status).toBe(200);
      const shown = JSON.stringify(answersOf(id, 200).example).replaceAll(service.baseUrl, BASE_URL_PLACE);
      expect(withFixedValues(answer.body, service)).toEqual(JSON.parse(shown));
    },
  );

  test("subscribes the pre-loaded integration, and the reasons of a refusal are those that come", async () => {
    const subscribe = (body: unknown) => service.post("/__webhooks/subscribe", body);
    const { local } = requestsOf("webhooks.subscribe");
    const { accepted } = answersOf("webhooks.subscribe", 200);
    expect(await subscribe(local)).toMatchObject({ status: 200, body: accepted });
    const shown = answersOf("webhooks.subscribe", 400);
    const elsewhere = { ...(local as object), url: "https://example.com/" };
    expect(await subscribe(elsewhere)).toMatchObject({ status: 400, body: shown.url_not_loopback });
    expect(await subscribe({})).toMatchObject({ status: 400, body: shown.missing_field });
    expect(await subscribe([])).toMatchObject({ status: 400, body: shown.bad_body });
  });

  test("reads the secret that the notifications shown are signed with", async () => {
    const { preloaded } = answersOf("webhooks.secret", 200);
    const answer = await service.post("/__webhooks/secret", {}, credentialHeaders(repairer));
    expect(answer).toMatchObject({ status: 200, body: preloaded });
  });

  test("posts a notification to the sink, which verifies it, and refuses one that was tampered with", async () => {
    const { job_inserted } = requestsOf("webhooks.sink");
    const signature = parameterOf("webhooks.sink", SIGNATURE_HEADER);
    const post = (body: unknown, header: string | null) =>
      service.post("/__webhooks/sink", body, header === null ? {} : { [SIGNATURE_HEADER]: header });
    const taken = answersOf("webhooks.sink", 200);
    expect(await post(job_inserted, signature)).toMatchObject({ status: 200, body: taken.first });
    expect(await post(job_inserted, signature)).toMatchObject({ status: 200, body: taken.repeated });
    const refused = answersOf("webhooks.sink", 401);
    expect(await post(job_inserted, null)).toMatchObject({ status: 401, body: refused.missing_signature });
    const tampered = { ...(job_inserted as object), version: "v2" };
    expect(await post(tampered, signature)).toMatchObject({ status: 401, body: refused.bad_signature });
  });

  test("shows the consent page, the seeded picture, and that the service is well", async () => {
    const get = (address: string) => service.raw(address, { method: "GET" });
    const consent = new URLSearchParams(
      ["client_id", "redirect_uri", "state"].map((name) => [name, parameterOf("oauth.authorize", name)]),
    );
    const page = await get(`/__oauth/authorize?${consent}`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const picture = await get(`/__media/${parameterOf("media.get", "id")}/${parameterOf("media.get", "name")}`);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/webp"]);
    const nothing = await get(`/__media/${parameterOf("media.get", "id")}/nothing.webp`);
    expect(nothing).toMatchObject({ status: 404, body: answersOf("media.get", 404).unknown });
    expect(await get("/__health")).toMatchObject({ status: 200, body: answersOf("health.get", 200).ok });
  });

  test("puts an image to the address it was given, and other content is refused in the words shown", async () => {
    const prepare = operations.find(({ id }) => id === "uploads.prepare");
    if (!prepare) throw new Error("uploads.prepare is not declared");
    const { body } = await sendExample(service, prepare, requestsOf("uploads.prepare").example, "put");
    const address = new URL((body as { readonly upload_url: string }).upload_url);
    const put = (path: string, content: Uint8Array<ArrayBuffer>) => service.raw(path, { method: "PUT", body: content });
    const given = address.pathname + address.search;
    const page = new TextEncoder().encode("<html></html>");
    expect(await put(given, page)).toMatchObject({ status: 415, body: answersOf("uploads.put", 415).no_image });
    const forged = given.replace(/signature=.{4}/, "signature=AAAA");
    const forbidden = { status: 403, body: answersOf("uploads.put", 403).another_signature };
    expect(await put(forged, page)).toMatchObject(forbidden);
    expect(await put("/__uploads/none?expires=1&signature=x", page)).toMatchObject({
      status: 404,
      body: answersOf("uploads.put", 404).unknown,
    });
    const image = new Uint8Array(Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(64)]));
    expect(await put(given, image)).toMatchObject({ status: 200, body: answersOf("uploads.put", 200).kept });
    const huge = new Uint8Array(20 * 1024 * 1024 + 1);
    huge.set(image);
    const again = await sendExample(service, prepare, requestsOf("uploads.prepare").example, "put");
    const next = new URL((again.body as { readonly upload_url: string }).upload_url);
    expect(await put(next.pathname + next.search, huge)).toMatchObject({
      status: 413,
      body: answersOf("uploads.put", 413).too_large,
    });
  });
});

describe("what the examples name", () => {
  test("is what the seed holds", () => {
    expect(fixedClients.demo).toMatchObject(exampleClient);
    expect(fixedCredentials.repairer).toMatchObject(exampleCredentials.repairer);
    expect(fixedCredentials.supplier).toMatchObject(exampleCredentials.supplier);
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
