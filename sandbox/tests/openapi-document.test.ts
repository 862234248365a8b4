import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type ErrorCode, errorCodes } from "../contract/errors.ts";
import { eventTypes } from "../contract/event-types.ts";
import { type Operation, operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { partnerHandlers } from "../operations/registry.ts";
import { startTestService, type TestService } from "../testing/harness.ts";
import { isPart, type Part, ServedDocument } from "../testing/served-document.ts";

const { registered } = vi.hoisted(() => ({ registered: new Set<string>() }));

vi.mock("fastify", async (importOriginal) => {
  const original = await importOriginal<{ readonly default: (options: object) => FastifyInstance }>();
  const listening = (options: object): FastifyInstance => {
    const app = original.default(options);
    app.addHook("onRoute", ({ method, url }) => {
      for (const one of [method].flat()) registered.add(`${one} ${url}`);
    });
    return app;
  };
  return { ...original, default: listening };
});

const operations: readonly Operation[] = partnerOperations;

let service: TestService;
let served: ServedDocument;
beforeAll(async () => {
  service = await startTestService();
  served = await ServedDocument.of(service);
});
afterAll(() => service.end());

/** Routes outside the partner document. */
const notForPartners = (route: string): boolean =>
  // The control plane, which has its own tokens.
  route.includes(" /__sandbox/") ||
  // The consent page's form, which carries a proof that the page was shown.
  route === "POST /__oauth/authorize" ||
  // Built-in receivers, configured by the control plane.
  route === "POST /__receiver/:id" ||
  // HEAD variants of GET routes.
  route.startsWith("HEAD ");

const answersOf = (item: Part): readonly (readonly [status: string, answer: Part])[] =>
  Object.entries(isPart(item.responses) ? item.responses : {}).map(([status, answer]) => [
    status,
    served.follow(answer),
  ]);

/** Codes in a schema of refusals, in tagged and in bare form. */
const codesIn = (schema: unknown): { readonly tagged: readonly string[]; readonly bare: readonly string[] } => {
  if (!isPart(schema)) return { tagged: [], bare: [] };
  const variants = Array.isArray(schema.oneOf) ? schema.oneOf.filter(isPart) : [schema];
  const listed = (one: unknown): string[] => (isPart(one) && Array.isArray(one.enum) ? one.enum.map(String) : []);
  return {
    tagged: variants.flatMap((one) => (isPart(one.properties) ? listed(one.properties.type) : [])),
    bare: variants.flatMap((one) => (one.type === "string" ? listed(one) : [])),
  };
};

/** Every text for people in the document, with its path. Examples are data. */
const prose = (value: unknown, at = "#"): (readonly [at: string, text: string])[] => {
  if (Array.isArray(value)) return value.flatMap((one, index) => prose(one, `${at}/${index}`));
  if (!isPart(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    if (key === "example" || key === "examples") return [];
    if ((key === "description" || key === "summary") && typeof part === "string") return [[`${at}/${key}`, part]];
    return prose(part, `${at}/${key}`);
  });
};

describe("the content of the document", () => {
  test("is every implemented operation under its own path, and nothing else with its ID", () => {
    const declared = partnerHandlers.map(({ operation }) => [operation.id, "post", operationPath(operation)]);
    const described = served.operations
      .filter(({ path }) => /^\/(api|__extensions)\//.test(path))
      .map(({ item, method, path }) => [item.operationId, method, path]);
    expect(described.toSorted()).toEqual(declared.toSorted());
  });

  test("is every route for partners, and no other", () => {
    const described = served.operations.map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
    );
    expect(described.toSorted()).toEqual([...registered].filter((route) => !notForPartners(route)).toSorted());
  });

  test("is the three notifications, each with signature header and payload", () => {
    expect(Object.keys(served.at("webhooks"))).toEqual([...eventTypes]);
    for (const type of eventTypes) {
      const item = served.at("webhooks", type, "post");
      expect(item.parameters).toMatchObject([{ in: "header", name: SIGNATURE_HEADER, required: true }]);
      const { schema } = served.json(served.follow(item.requestBody));
      expect(schema).toMatchObject({ required: expect.any(Array), properties: { event_type: { const: type } } });
      expect(Object.keys((schema as { readonly properties: object }).properties)).toHaveLength(8);
    }
  });

  test("has the version of the contract's description, and OpenAPI's 3.1", () => {
    expect(served.root).toMatchObject({ openapi: "3.1.0", info: { version: "1.0.0" } });
  });
});

describe.each(operations.map((operation) => [operation.id, operation] as const))("%s", (id, operation) => {
  const own = [...operation.errors, ...Object.keys(operation.decidedErrors ?? {})];
  const outer = ["bad_request", "method_not_allowed", "payload_too_large", "unsupported_media_type"];
  const failures = [
    "misdirected_request",
    "rate_limited",
    "internal_error",
    "too_many_worlds",
    "world_unavailable",
    ...(operation.effect === "write" ? ["storage_unavailable"] : []),
  ];

  test("lists its declared error codes and the service's, each under its status", () => {
    const listed = answersOf(served.operation(id).item).flatMap(([status, answer]) => {
      const { tagged, bare } = codesIn(served.json(answer).schema);
      return status === "200" ? [] : [...tagged, ...bare].map((code) => `${status} ${code}`);
    });
    const wanted = [...new Set([...own, operation.shapeError, ...outer, ...failures])];
    const withStatus = wanted.map((code) => `${errorCodes[code as ErrorCode].status} ${code}`);
    expect(listed.toSorted()).toEqual(withStatus.toSorted());
  });

  test("returns bare strings only for its own codes, and only where declared", () => {
    const bare = answersOf(served.operation(id).item).flatMap(([, answer]) => codesIn(served.json(answer).schema).bare);
    expect(bare.toSorted()).toEqual(operation.errorForm === "bare" ? [...operation.errors].toSorted() : []);
  });

  test("shows an example of each code, in its form", () => {
    for (const [status, answer] of answersOf(served.operation(id).item)) {
      if (status === "200") continue;
      const { tagged, bare } = codesIn(served.json(answer).schema);
      const shown = Object.values(served.examples(answer));
      for (const code of tagged) expect(shown, code).toContainEqual(expect.objectContaining({ type: code }));
      for (const code of bare) expect(shown, code).toContain(code);
    }
  });

  test("requires the credential headers only with a scope, and always offers the tenant header", () => {
    const { security, parameters } = served.operation(id).item;
    expect(security).toEqual(operation.scope === "none" ? [] : [{ ApiKey: [], IntegrationId: [] }]);
    expect(Array.isArray(parameters) ? parameters.map((one) => served.follow(one).name) : []).toEqual([
      "x-sandbox-tenant",
    ]);
  });

  test("has the badge of its surface, and explains its decisions", () => {
    const { item } = served.operation(id);
    expect(item["x-origin"]).toBe(operation.surface);
    expect(item["x-decisions"] ?? []).toEqual([...operation.decisions]);
    for (const decision of operation.decisions) expect(item.description).toContain(`**${decision}**`);
  });
});

describe("headers", () => {
  test("include the request ID on every response, the scheme on every 401 and the methods on every 405", () => {
    for (const { path, item } of served.operations) {
      for (const [status, answer] of answersOf(item)) {
        const named = Object.keys(isPart(answer.headers) ? answer.headers : {});
        const wanted = [
          "x-request-id",
          // The sink takes no credentials (D13).
          ...(status === "401" && path !== "/__webhooks/sink" ? ["WWW-Authenticate"] : []),
          ...(status === "405" ? ["Allow"] : []),
        ];
        expect(named, `${path} ${status}`).toEqual(wanted);
      }
    }
  });

  test("of credentials are the contract's", () => {
    expect(served.at("components", "securitySchemes")).toMatchObject({
      ApiKey: { type: "http", scheme: "bearer" },
      IntegrationId: { type: "apiKey", in: "header", name: "Service-Integration-ID" },
    });
  });
});

test("shapes have the contract's names with their version", () => {
  const named = Object.keys(served.at("components", "schemas")).filter((name) => name.endsWith("V1"));
  expect(named).toEqual([
    "BasketsLatestGetResponseV1",
    "BusinessV1",
    "JobIdentityV1",
    "JobV1",
    "OfferV1",
    "PartIdentityV1",
    "PartInsertV1",
    "PartV1",
    "SupplierV1",
    "VehicleV1",
    "WorkProviderV1",
  ]);
});

describe("badges", () => {
  test("are on every operation, notification and shared refusal", () => {
    const badged = [
      ...served.operations.map(({ item }) => item),
      ...eventTypes.map((type) => served.at("webhooks", type, "post")),
      ...Object.values(served.at("components", "responses")),
    ];
    for (const one of badged) expect(isPart(one) && one["x-origin"]).toMatch(/^(contract|assumption|extension)$/);
  });

  test("are on every field that a decision defines", () => {
    expect(served.at("components", "schemas", "JobInsert", "properties", "repairer_site_id")).toMatchObject({
      "x-origin": "assumption",
      "x-decisions": ["D34"],
    });
  });

  test("name only decisions that the document explains, and all of those", () => {
    const explained = Object.keys(served.at("x-decisions"));
    const named = new Set(served.text.match(/\bD\d{1,2}\b/g));
    expect([...named].filter((id) => !explained.includes(id))).toEqual([]);
    for (const text of Object.values(served.at("x-decisions"))) expect(text).toMatch(/^[A-Z`].+\.$/s);
  });
});

describe("the document's prose", () => {
  test("consists of sentences", () => {
    const texts = prose(served.root);
    expect(texts.length).toBeGreaterThan(200);
    // Sentences and list items start with a capital or a field name, and end with punctuation.
    for (const [at, text] of texts) expect(text.trim(), at).toMatch(/^[\p{Lu}`\d\w].*[.?!]$/su);
  });

  test("is grouped by tags in a useful order, without empty tags", () => {
    const tags = served.root.tags as readonly { readonly name: string }[];
    const used = new Set(served.operations.flatMap(({ item }) => item.tags));
    expect(tags.map(({ name }) => name)).toEqual([
      "Installation",
      "Repairer",
      "Supplier",
      "Utilities",
      "Webhooks",
      "Extensions",
      "Sandbox",
    ]);
    expect([...used].toSorted()).toEqual(tags.map(({ name }) => name).toSorted());
  });
});

describe("the served document", () => {
  test("contains the service's address, and is the same for every call", async () => {
    expect(served.root.servers).toMatchObject([{ url: service.baseUrl }]);
    const again = await service.raw("/openapi.json", { method: "GET" });
    expect(again.text).toBe(served.text);
    expect(again.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(again.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("contains the public address when deployed, also in examples", async () => {
    const publicUrl = "https://sandbox.example.com";
    const credential = (digit: string) => ({
      api_key: `sbx_${digit.repeat(32)}`,
      integration_id: `${digit.repeat(8)}-1111-4111-8111-111111111111`,
      webhook_secret: `pwh_${digit.repeat(43)}`,
    });
    const client = (client_id: string) => ({ client_id, client_secret: "a-secret-of-our-own", redirect_uris: [] });
    const deployed = await startTestService(undefined, {
      mode: "deployed",
      publicUrl,
      credentials: {
        credentials: { repairer: credential("a"), supplier: credential("b") },
        clients: { demo: client("partner-app"), no_oauth: client("partner-other") },
      },
    });
    try {
      const response = await fetch(`http://127.0.0.1:${deployed.port}/openapi.json`);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ servers: [{ url: publicUrl }] });
      expect(text).toContain(`${publicUrl}/__media/`);
      expect(text).not.toContain(`127.0.0.1:${deployed.port}`);
    } finally {
      await deployed.end();
    }
  });
});
