import type { FastifyInstance } from "fastify";
import type { AppServices } from "../../app-services.ts";
import type { Plain } from "../../contract/openapi/schemas.ts";
import { sendJson } from "../answers.ts";

/** Serves a document that is written once, as bytes, on first use: no start has to read it. */
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

/** `GET /openapi.json`: the contract's declarations as an OpenAPI 3.1 document. */
export const openApiRoutes = (app: FastifyInstance, services: AppServices): void => {
  app.register((scope, _options, done) => {
    // Generators and viewers on other origins may read it; it holds nothing secret.
    scope.addHook("onRequest", async (_request, reply) => void reply.header("access-control-allow-origin", "*"));
    const read = async () => (await import("../../contract/openapi/document.ts")).openApiDocument;
    documentRoute(scope, services, "/openapi.json", read);
    done();
  });
};

/** `GET /__sandbox/openapi.json`: the same of the control plane, for whoever has its token. */
export const controlDocumentRoute = (app: FastifyInstance, services: AppServices): void => {
  const read = async () => (await import("../../contract/openapi/document.ts")).controlDocument;
  documentRoute(app, services, "/__sandbox/openapi.json", read);
};
