import { type ErrorCode, errorCodes } from "../errors.ts";
import { eventTypes, SIGNATURE_HEADER } from "../events.ts";
import { INTERFACE_VERSION, type Operation, pathOf } from "../operation.ts";
import { partnerOperations } from "../operations/partner.ts";
import { requestExamples } from "./examples.ts";
import { componentSchemas, documented, type Json } from "./json-schema.ts";

type Plain = { [key: string]: Json };

const DECISION_NOTE = "Decided by this sandbox where the contract is silent";

/** Codes any operation may answer whatever its own row lists. */
const everywhere: readonly ErrorCode[] = [
  "bad_request",
  "payload_too_large",
  "unsupported_media_type",
  "misdirected_request",
  "internal_error",
  "storage_unavailable",
];

const example = (code: ErrorCode, bare: boolean): Json => {
  if (bare) return code;
  const { origin, meaning } = errorCodes[code];
  return origin === "contract" && code !== "unprocessable" ? { type: code } : { type: code, message: meaning };
};

const errorResponse = (codes: readonly ErrorCode[], operation: Operation): Plain => {
  const bare = codes.filter((code) => operation.errorForm === "bare" && operation.errors.includes(code));
  const tagged = codes.filter((code) => !bare.includes(code));
  const variants: Plain[] = [
    ...(tagged.length > 0
      ? [
          {
            type: "object",
            required: ["type"],
            properties: {
              type: { type: "string", enum: [...tagged] },
              message: { type: "string" },
              request_id: { type: "string" },
            },
          } satisfies Plain,
        ]
      : []),
    ...(bare.length > 0 ? [{ type: "string", enum: [...bare] } satisfies Plain] : []),
  ];
  const [only] = variants;
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`).join(" "),
    headers: { "x-request-id": { $ref: "#/components/headers/RequestId" } },
    content: {
      "application/json": {
        schema: variants.length === 1 && only ? only : { oneOf: variants },
        examples: Object.fromEntries(codes.map((code) => [code, { value: example(code, bare.includes(code)) }])),
      },
    },
  };
};

const errorResponses = (operation: Operation): Plain => {
  const codes = [...new Set([...operation.errors, operation.shapeError, ...everywhere])];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes)
    byStatus.set(errorCodes[code].status, [...(byStatus.get(errorCodes[code].status) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].sort(([a], [b]) => a - b).map(([status, list]) => [String(status), errorResponse(list, operation)]),
  );
};

const tagOf = (operation: Operation): string => {
  if (operation.surface === "extension") return "Extensions";
  if (operation.id.startsWith("repairer.")) return "Repairer";
  return operation.id.startsWith("supplier.") ? "Supplier" : "Utilities";
};

const scopeNote: Record<Operation["scope"], string> = {
  repairer: "Takes a repairer-scope credential.",
  supplier: "Takes a supplier-scope credential.",
  either: "Takes a credential of either scope.",
  none: "Takes no credential headers.",
};

const operationItem = (operation: Operation, request: Json): Plain => ({
  post: {
    operationId: operation.id,
    summary: operation.summary,
    description: [
      scopeNote[operation.scope],
      operation.decisions.length > 0 ? `${DECISION_NOTE}: ${operation.decisions.join(", ")}.` : "",
    ]
      .filter(Boolean)
      .join(" "),
    tags: [tagOf(operation)],
    "x-origin": operation.surface === "contract" ? "contract" : "extension",
    "x-decisions": [...operation.decisions],
    "x-scope": operation.scope,
    security: operation.scope === "none" ? [] : [{ ApiKey: [], IntegrationId: [] }],
    parameters: [{ $ref: "#/components/parameters/Tenant" }],
    requestBody: {
      required: Object.keys((operation.request as { properties?: object }).properties ?? {}).length > 0,
      content: { "application/json": { schema: documented(operation.request), example: request } },
    },
    responses: {
      "200": {
        description: "Done.",
        headers: { "x-request-id": { $ref: "#/components/headers/RequestId" } },
        content: { "application/json": { schema: documented(operation.response) } },
      },
      ...errorResponses(operation),
    },
  },
});

const webhook = (type: (typeof eventTypes)[number]): Plain => ({
  post: {
    operationId: `webhook.${type}`,
    summary: `A ${type} notification, as it is posted to a subscribed address.`,
    description:
      "Delivered at least once. Verify the signature over the raw body, deduplicate by message_id, and answer 200.",
    tags: ["Webhooks"],
    "x-origin": "contract",
    security: [],
    parameters: [
      {
        name: SIGNATURE_HEADER,
        in: "header",
        required: true,
        description: "base64(HMAC-SHA256(key = webhook secret, message = raw request body bytes))",
        schema: { type: "string" },
      },
    ],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            allOf: [
              { $ref: "#/components/schemas/Envelope" },
              { type: "object", properties: { event_type: { type: "string", const: type } } },
            ],
          },
        },
      },
    },
    responses: {
      "200": { description: "Acknowledged." },
      "4XX": { description: "Not acknowledged; it is tried again." },
    },
  },
});

const components = (): Plain => ({
  schemas: componentSchemas(),
  headers: {
    RequestId: { description: "Identifies this exchange (D12).", schema: { type: "string", format: "uuid" } },
  },
  parameters: {
    Tenant: {
      name: "x-sandbox-tenant",
      in: "header",
      required: false,
      description: "Selects a private copy of the sandbox world (sandbox convenience).",
      schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,64}$" },
    },
  },
  securitySchemes: {
    ApiKey: { type: "http", scheme: "bearer", description: "Bearer <API_KEY>" },
    IntegrationId: {
      type: "apiKey",
      in: "header",
      name: "Service-Integration-ID",
      description: "The integration the key belongs to.",
    },
  },
});

/** The OpenAPI 3.1 document of everything that takes a partner's credentials, and of the webhooks. */
export const openApiDocument = (serverUrl: string): Plain => ({
  openapi: "3.1.0",
  info: {
    title: "Integrations service (sandbox)",
    version: "1.0.0",
    summary: `Interface version ${INTERFACE_VERSION}`,
    description:
      "JSON over HTTP for integrations of a vehicle-repair and parts-procurement platform. `x-origin` tells what the public contract says from what this sandbox adds.",
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: [{ url: serverUrl }],
  tags: [
    { name: "Repairer", description: "The buying side: jobs, parts, baskets, procurements." },
    { name: "Supplier", description: "The selling side: procurements." },
    { name: "Utilities", description: "Installation, businesses, vehicles and uploads." },
    { name: "Extensions", description: "Sandbox operations outside the public contract." },
    { name: "Webhooks", description: "Signed notifications to subscribed addresses." },
  ],
  paths: Object.fromEntries(
    partnerOperations.map((operation) => [
      pathOf(operation),
      operationItem(operation, requestExamples[operation.id] as Json),
    ]),
  ),
  webhooks: Object.fromEntries(eventTypes.map((type) => [type, webhook(type)])),
  components: components(),
});
