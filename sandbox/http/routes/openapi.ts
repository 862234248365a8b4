import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Plain } from "../../contract/openapi/schemas.ts";
import { sendJson } from "../answers.ts";
import type { AppServices } from "../app-services.ts";

interface Written {
  readonly baseUrl: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Serves a document that is written once for an address, on first use: no start has to read it. */
const documentRoute = (
  app: FastifyInstance,
  services: AppServices,
  path: string,
  read: () => Promise<(baseUrl: string) => Plain>,
): void => {
  let written: Written | undefined;
  app.get(path, async (request, reply) => {
    const baseUrl = services.baseUrl();
    if (written?.baseUrl !== baseUrl) {
      const bytes = Buffer.from(JSON.stringify((await read())(baseUrl)));
      written = { baseUrl, bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url")}"` };
    }
    reply.headers({ "cache-control": "no-cache", etag: written.etag });
    return request.headers["if-none-match"] === written.etag
      ? reply.code(304).send()
      : sendJson(reply, 200, written.bytes);
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
export const controlDocumentRoute = (app: FastifyInstance, services: AppServices): void =>
  documentRoute(
    app,
    services,
    "/__sandbox/openapi.json",
    async () => (await import("../../contract/openapi/control-document.ts")).controlDocument,
  );
