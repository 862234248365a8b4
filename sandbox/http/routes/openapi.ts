import type { FastifyInstance } from "fastify";
import type { AppServices } from "../../app-services.ts";
import type { Plain } from "../../contract/openapi/schemas.ts";
import { sendJson } from "../answers.ts";

/** Serves a document that is generated on first use and cached as bytes, which keeps the start fast. */
const documentRoute = (
  app: FastifyInstance,
  { baseUrl }: AppServices,
  path: string,
  read: () => Promise<(baseUrl: string) => Plain>,
): void => {
  let written: Buffer | undefined;
  app.get(path, async (_request, reply) => {
    written ??= Buffer.from(JSON.stringify((await read())(baseUrl())));
    return sendJson(reply.header("cache-control", "no-cache"), 200, written);
  });
};

/** `GET /openapi.json`: the contract as an OpenAPI 3.1 document. */
export const openApiRoutes = (app: FastifyInstance, services: AppServices): void => {
  app.register((scope, _options, done) => {
    // Allows generators and viewers on other origins. The document holds nothing secret.
    scope.addHook("onRequest", async (_request, reply) => void reply.header("access-control-allow-origin", "*"));
    const read = async () => (await import("../../contract/openapi/document.ts")).openApiDocument;
    documentRoute(scope, services, "/openapi.json", read);
    done();
  });
};

/** `GET /__sandbox/openapi.json`: the control plane as an OpenAPI document, for callers with a token. */
export const controlDocumentRoute = (app: FastifyInstance, services: AppServices): void => {
  const read = async () => (await import("../../contract/openapi/document.ts")).controlDocument;
  documentRoute(app, services, "/__sandbox/openapi.json", read);
};
