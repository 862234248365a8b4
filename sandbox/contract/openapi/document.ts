import { controlOperations } from "../control/all-operations.ts";
import { snapshotsImport } from "../control/snapshot-operations.ts";
import { INTERFACE_VERSION, type Operation, operationCodes, operationPath } from "../operation.ts";
import { partnerOperations } from "../operations/partner.ts";
import { decisionList, decisionTexts } from "./decisions.ts";
import { type RecordedExamples, recordingFor, requestExamples } from "./examples.ts";
import { json, refusalResponses, toPathItem } from "./items.ts";
import { credentials, notificationItems, routeItems, tenant } from "./routes.ts";
import { componentSchemas, documented, inlined, type Json, type Plain } from "./schemas.ts";

/** The decisions that concern every operation. */
const general = ["D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12", "D13", "D14", "D15", "D55"];
const worldDecisions = ["D80", "D81", "D82", "D83", "D84", "D85", "D87"];

const introduction = `JSON over HTTP for integrations of a vehicle-repair and parts-procurement platform: install an integration, insert repair jobs and their parts, fetch baskets of supplier offers, follow and confirm orders, and receive signed webhooks about changes. This is a sandbox with invented data.

## Conventions

Every operation of the contract is a \`POST\` to \`/api/${INTERFACE_VERSION}/\` and its name, with a JSON body. An empty body counts as \`{}\`. A success returns 200 with the operation’s shape. A failure returns \`{type: <error code>}\`, some codes with a \`message\`. One operation returns bare strings instead; its description says so.

## Authentication

Every operation but \`integrations.insert\` takes two headers: \`Authorization: Bearer <API_KEY>\` and \`Service-Integration-ID: <INTEGRATION_ID>\`. They must be a known pair. A credential belongs to one organization and has one scope, \`repairer\` or \`supplier\`; the wrong scope is \`forbidden\`.

## Badges

\`x-origin\` is the source of a behaviour: \`contract\` for the public contract, \`assumption\` where the contract is silent and this sandbox decides, \`extension\` for everything outside the contract. \`x-decisions\` lists the decisions behind a behaviour. Their full texts are in the document’s own \`x-decisions\`.

## Where the contract is silent

${decisionList(general)}

A request that is not valid HTTP, has too many or too large headers, or doesn’t arrive in time gets 400, 431, 408 or 417 with \`bad_request\`.

## Worlds

The header \`x-sandbox-tenant\` selects a private world. Send it with every call, subscriptions included, to stay in the same world.

${decisionList(worldDecisions)}
`;

const decidedHeader = (description: string, schema: Plain, decision: string): Plain => ({
  description,
  required: true,
  schema,
  "x-origin": "assumption",
  "x-decisions": [decision],
});

/** Response headers by their component names. */
const headers: Plain = {
  RequestId: decidedHeader("Identifies this call.", { type: "string", format: "uuid" }, "D12"),
  Authenticate: decidedHeader("The expected scheme.", { type: "string", const: "Bearer" }, "D13"),
  Allow: decidedHeader("The methods of this address.", { type: "string" }, "D5"),
};

const tenantHeader: Plain = {
  name: "x-sandbox-tenant",
  in: "header",
  required: false,
  description: "Selects a private world (default: `default`).",
  schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,64}$" },
  example: "pipeline-7",
  "x-origin": "extension",
  "x-decisions": ["D80", "D81"],
};

const securitySchemes: Plain = {
  ApiKey: {
    type: "http",
    scheme: "bearer",
    description: "`Authorization: Bearer <API_KEY>`. The scheme word is required, in either case.",
  },
  IntegrationId: {
    type: "apiKey",
    in: "header",
    name: "Service-Integration-ID",
    description: "The integration the key belongs to, a UUID.",
  },
};

/** The common head of both documents. */
const head = (title: string, description: string, serverUrl: string): Plain => ({
  openapi: "3.1.0",
  info: { title, version: "1.0.0", description, license: { name: "MIT", identifier: "MIT" } },
  servers: [{ url: serverUrl, description: "This sandbox." }],
});

/** The document's groups in the order in which partners need them. */
const tags = {
  Installation: "From the consent of an organization to an API key.",
  Repairer: "The buying side: jobs, parts, baskets and orders.",
  Supplier: "The selling side: orders and their confirmation.",
  Utilities: "Businesses, vehicles and uploads, for either side.",
  Webhooks: "Signed notifications, and the sandbox routes to subscribe and to test.",
  Extensions: "Operations of this sandbox outside the public contract, in its conventions.",
  Sandbox: "Addresses returned by operations, and the service itself.",
};

const byScope = {
  repairer: { tag: "Repairer", note: "Needs a repairer-scope credential." },
  supplier: { tag: "Supplier", note: "Needs a supplier-scope credential." },
  either: { tag: "Utilities", note: "Needs a credential of either scope." },
  none: { tag: "Installation", note: "Needs no credential headers." },
} as const satisfies Record<Operation["scope"], { readonly tag: keyof typeof tags; readonly note: string }>;

const partnerItem = (operation: Operation, { answers }: RecordedExamples, components: Plain): Plain => {
  const { id, surface, summary, scope, decisions, request, response, errorForm, errors } = operation;
  const takesFields = Object.keys((request as { properties?: object }).properties ?? {}).length > 0;
  const bare = errorForm
    ? ` Its own errors (${errors.map((code) => `\`${code}\``).join(", ")}) are bare JSON strings.`
    : "";
  return toPathItem({
    operationId: id,
    tag: surface === "extension" ? "Extensions" : byScope[scope].tag,
    summary,
    description: byScope[scope].note + bare,
    origin: surface === "contract" ? "contract" : "extension",
    decisions,
    "x-scope": scope,
    security: scope === "none" ? [] : credentials,
    parameters: [tenant],
    requestBody: {
      ...json(
        takesFields ? "A JSON object." : "An empty JSON object or an empty body.",
        documented(request),
        requestExamples[id as keyof typeof requestExamples] as Json,
      ),
      required: takesFields,
    },
    answers: { 200: json("The call succeeded.", documented(response), answers[id] ?? {}) },
    refusals: refusalResponses(operationCodes(operation), components, operation),
  });
};

/**
 * Returns the OpenAPI 3.1 document for partners: operations and extensions, the sandbox routes, and the notifications.
 *
 * @param serverUrl the service's own address, without a trailing slash
 */
export const openApiDocument = (serverUrl: string): Plain => {
  const recorded = recordingFor(serverUrl);
  const responses: Plain = {};
  const operations = partnerOperations.map((one) => [
    operationPath(one),
    { post: partnerItem(one, recorded, responses) },
  ]);
  return {
    ...head("Integrations service (sandbox)", introduction, serverUrl),
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: { ...(Object.fromEntries(operations) as Plain), ...routeItems(recorded, responses) },
    webhooks: notificationItems(recorded),
    components: {
      ...{ schemas: componentSchemas, responses, headers, securitySchemes },
      parameters: { Tenant: tenantHeader },
    },
    "x-decisions": decisionTexts(),
  };
};

const CONTROL_PLANE = "Control plane";

/** Forbids undeclared members at any depth (docs/decisions/0033). */
const closed = (schema: Json): Json => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const own = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]));
  return schema.type === "object" && schema.properties !== undefined ? { additionalProperties: false, ...own } : own;
};

/** Describes who may call an operation. */
const callers = ({ access }: Operation): string => {
  if (access === undefined) return "Takes the control token only.";
  if (access.needs === "anyone") return "Takes no token.";
  const fields = Object.entries(access.fields ?? {}).map(
    ([name, needed]) =>
      ` With \`${name}\` it takes ${needed === "operator" ? "the control token only" : `the scope \`${needed}\``}.`,
  );
  return `Takes the control token, or a world’s own token with the scope \`${access.needs}\`.${fields.join("")}`;
};

const controlItem = (operation: Operation, components: Plain): Plain => {
  const { id, summary, effect, access, request, response } = operation;
  const schema = inlined(documented(request));
  return toPathItem({
    operationId: id,
    tag: CONTROL_PLANE,
    summary,
    description: `${effect === "read" ? "Changes nothing." : "Changes the service or one of its worlds."} ${callers(operation)}`,
    origin: "extension",
    security: access?.needs === "anyone" ? [] : [{ ControlToken: [] }],
    requestBody: json(
      "A JSON object; an empty body counts as {}.",
      // Writes refuse unknown members; an imported document is checked against its own format.
      effect === "write" && id !== snapshotsImport.id ? closed(schema) : schema,
    ),
    answers: { 200: json("The call succeeded.", inlined(documented(response))) },
    refusals: refusalResponses(operationCodes(operation), components, operation),
  });
};

const controlIntroduction =
  "The API of the explorer and of scripts: read worlds, change their clocks and settings, send notifications again. It needs the control token of the ready line, or a token of one world (tokens.create). Every operation takes `world` in its body (default: `default`). There are also `GET /__sandbox/live`, a world’s live events as server-sent events, and `POST /__sandbox/mcp`, for assistants.";

/**
 * Returns the OpenAPI 3.1 document of the control plane.
 *
 * @param serverUrl the service's own address, without a trailing slash
 */
export const controlDocument = (serverUrl: string): Plain => {
  const responses: Plain = {};
  const items = controlOperations.map((one) => [operationPath(one), { post: controlItem(one, responses) }]);
  const bearer = "`Authorization: Bearer <control_token>`, the token of the ready line, or a world’s own token.";
  return {
    ...head("Integrations service (sandbox): control plane", controlIntroduction, serverUrl),
    tags: [{ name: CONTROL_PLANE, description: "Not part of the public contract." }],
    paths: Object.fromEntries(items) as Plain,
    components: {
      responses,
      headers,
      securitySchemes: { ControlToken: { type: "http", scheme: "bearer", description: bearer } },
    },
  };
};
