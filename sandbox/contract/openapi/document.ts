import { INTERFACE_VERSION } from "../operation.ts";
import { partnerOperations } from "../operations/partner.ts";
import { addressRoutes } from "./address-routes.ts";
import { decisionTexts } from "./decisions.ts";
import { introduction } from "./description.ts";
import { requestExamples } from "./examples.ts";
import { componentSchemas, type Plain } from "./json-schema.ts";
import { notificationItems } from "./notification-items.ts";
import { operationItems } from "./operation-items.ts";
import { type Recorded, recordedAt } from "./recorded.ts";
import { routeItem } from "./route.ts";
import { sharedResponses } from "./shared-refusals.ts";
import { tags } from "./tags.ts";
import { webhookRoutes } from "./webhook-routes.ts";

const components = (recorded: Recorded): Plain => ({
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
