import { INTERFACE_VERSION } from "../operation.ts";
import { partnerOperations } from "../operations/partner.ts";
import { addressRoutes } from "./address-routes.ts";
import { decisionList, decisionTexts } from "./decisions.ts";
import { type Recorded, recordedAt, requestExamples } from "./examples.ts";
import { operationItems } from "./operation-items.ts";
import { sharedResponses } from "./refusals.ts";
import { routeItem, tags } from "./route.ts";
import { componentSchemas, type Plain } from "./schemas.ts";
import { notificationItems, webhookRoutes } from "./webhooks.ts";

/** The decisions that concern every operation. */
const general = ["D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12", "D13", "D14", "D15", "D55"];
const ofWorlds = ["D80", "D81", "D82", "D83", "D84", "D85", "D87"];

/** The introduction of the document, in Markdown. */
const introduction = `JSON over HTTP for integrations of a vehicle-repair and parts-procurement platform: install an integration, insert repair jobs and their parts, fetch baskets of supplier offers, follow procurements and confirm them, and learn of changes by signed webhooks. This is a sandbox of it, with invented data.

## Conventions

Every operation of the contract is a \`POST\` to \`/api/${INTERFACE_VERSION}/\` and its name, with a JSON body; an empty body is \`{}\`. A success is 200 with the shape of the operation. A failure is \`{type: <error code>}\`, with a \`message\` for some codes; the operation that answers bare strings instead says so.

## Authentication

Every operation but \`integrations.insert\` takes two headers: \`Authorization: Bearer <API_KEY>\` and \`Service-Integration-ID: <INTEGRATION_ID>\`. They must be a known pair. A credential belongs to one organization and has one scope, \`repairer\` or \`supplier\`; the wrong scope is \`forbidden\`.

## Badges

\`x-origin\` says where a behaviour comes from: \`contract\`, where the public contract says so; \`assumption\`, where it is silent and this sandbox decides; \`extension\`, for what lies outside the contract. \`x-decisions\` names the decisions a behaviour rests on. They are written out in the \`x-decisions\` of the document itself.

## Where the contract is silent

${decisionList(general)}

A request that cannot be read as HTTP, has too many or too large headers, or does not arrive in time is answered 400, 431, 408 or 417 with \`bad_request\`.

## Worlds

The header \`x-sandbox-tenant\` selects a private copy of the sandbox world. Send it on every call, subscriptions included, to stay in the same one.

${decisionList(ofWorlds)}
`;

/** Everything the paths of a document may refer to. */
export const components = (recorded: Recorded): Readonly<Record<string, Plain>> => ({
  schemas: componentSchemas(),
  responses: sharedResponses(recorded),
  headers: {
    RequestId: {
      description: "Identifies this exchange.",
      required: true,
      schema: { type: "string", format: "uuid" },
      "x-origin": "assumption",
      "x-decisions": ["D12"],
    },
    Authenticate: {
      description: "The scheme that is wanted.",
      required: true,
      schema: { type: "string", const: "Bearer" },
      "x-origin": "assumption",
      "x-decisions": ["D13"],
    },
    Allow: {
      description: "The methods the address takes.",
      required: true,
      schema: { type: "string" },
      "x-origin": "assumption",
      "x-decisions": ["D5"],
    },
  },
  parameters: {
    Tenant: {
      name: "x-sandbox-tenant",
      in: "header",
      required: false,
      description: "Selects a private copy of the sandbox world; without it the world is `default`.",
      schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,64}$" },
      example: "pipeline-7",
      "x-origin": "extension",
      "x-decisions": ["D80", "D81"],
    },
  },
  securitySchemes: {
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
  },
});

/**
 * The OpenAPI 3.1 document of everything partners and their users come to: the operations and extensions as they are
 * declared, the sandbox routes, and the notifications.
 *
 * @param serverUrl the service's own address, without a trailing slash
 */
export const openApiDocument = (serverUrl: string): Plain => {
  const recorded = recordedAt(serverUrl);
  const routes = [...addressRoutes(recorded), ...webhookRoutes(recorded)];
  return {
    openapi: "3.1.0",
    info: {
      title: "Integrations service (sandbox)",
      version: "1.0.0",
      summary: `Interface version ${INTERFACE_VERSION}.`,
      description: introduction,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: serverUrl, description: "This sandbox." }],
    tags: tags.map((tag) => ({ ...tag })),
    paths: {
      ...operationItems(partnerOperations, requestExamples, recorded),
      ...Object.fromEntries(routes.map((route) => [route.path, routeItem(route)])),
    },
    webhooks: notificationItems(recorded),
    components: components(recorded),
    "x-decisions": decisionTexts(),
  };
};
