import type { FastifyInstance } from "fastify";
import type { AppServices } from "../../app-services.ts";
import type { Plain } from "../../contract/openapi/schemas.ts";
import { sendJson } from "../answers.ts";
import { reachedAt } from "../plugins/admission.ts";

/** Stands for the service's address in a prepared document. */
const ANY_ADDRESS = "http://any-address.invalid";

/**
 * Serves a document with the address by which its caller reached the service. It is generated on first use, which keeps
 * the start fast, and its bytes are kept for the last address.
 */
const documentRoute = (
  app: FastifyInstance,
  services: AppServices,
  path: string,
  read: () => Promise<(baseUrl: string) => Plain>,
): void => {
  let parts: readonly string[] | undefined;
  let written: { readonly address: string; readonly bytes: Buffer } | undefined;
  app.get(path, async (request, reply) => {
    const address = reachedAt(request, services);
    parts ??= JSON.stringify((await read())(ANY_ADDRESS)).split(ANY_ADDRESS);
    if (written?.address !== address) written = { address, bytes: Buffer.from(parts.join(address)) };
    return sendJson(reply.header("cache-control", "no-cache"), 200, written.bytes);
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
