import { INTERFACE_VERSION, pathOf } from "../operation.ts";
import { partnerOperations } from "../operations/partner.ts";
import { addressRoutes } from "./address-routes.ts";
import { decisionList, decisionTexts } from "./decisions.ts";
import { recordedAt } from "./examples.ts";
import { operationItem } from "./operation-items.ts";
import { routeItem, tags } from "./route.ts";
import { componentSchemas, type Plain } from "./schemas.ts";
import { notificationItems, webhookRoutes } from "./webhooks.ts";

/** The decisions that concern every operation. */
const general = ["D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12", "D13", "D14", "D15", "D55"];
const ofWorlds = ["D80", "D81", "D82", "D83", "D84", "D85", "D87"];

/** The introduction of the document, in Markdown. */
const introduction = `JSON over HTTP for integrations of a vehicle-repair and parts-procurement platform: install an integration, insert repair jobs and their parts, fetch baskets of supplier offers, follow and confirm procurements, and receive signed webhooks about changes. This is a sandbox with invented data.

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

${decisionList(ofWorlds)}
`;

const decidedHeader = (description: string, schema: Plain, decision: string): Plain => ({
  description,
  required: true,
  schema,
  "x-origin": "assumption",
  "x-decisions": [decision],
});

/** What answers may carry, by the names that paths refer to. */
export const headers: Plain = {
  RequestId: decidedHeader("Identifies this call.", { type: "string", format: "uuid" }, "D12"),
  Authenticate: decidedHeader("The expected scheme.", { type: "string", const: "Bearer" }, "D13"),
  Allow: decidedHeader("The methods of this address.", { type: "string" }, "D5"),
};

const tenant: Plain = {
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

/** What both documents begin with. */
export const head = (title: string, description: string, serverUrl: string): Plain => ({
  openapi: "3.1.0",
  info: { title, version: "1.0.0", description, license: { name: "MIT", identifier: "MIT" } },
  servers: [{ url: serverUrl, description: "This sandbox." }],
});

/**
 * The OpenAPI 3.1 document of everything partners and their users come to: the operations and extensions as they are
 * declared, the sandbox routes, and the notifications.
 *
 * @param serverUrl the service's own address, without a trailing slash
 */
export const openApiDocument = (serverUrl: string): Plain => {
  const recorded = recordedAt(serverUrl);
  const responses: Plain = {};
  const operations = partnerOperations.map((one) => [pathOf(one), operationItem(one, recorded, responses)]);
  const routes = [...addressRoutes, ...webhookRoutes(recorded)].map((one) => [one.path, routeItem(one, responses)]);
  return {
    ...head("Integrations service (sandbox)", introduction, serverUrl),
    tags: tags.map((tag) => ({ ...tag })),
    paths: Object.fromEntries([...operations, ...routes]) as Plain,
    webhooks: notificationItems(recorded),
    components: { schemas: componentSchemas(), responses, headers, parameters: { Tenant: tenant }, securitySchemes },
    "x-decisions": decisionTexts(),
  };
};
