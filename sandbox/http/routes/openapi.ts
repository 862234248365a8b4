import type { FastifyInstance } from "fastify";
import { openApiDocument } from "../../contract/openapi/document.ts";
import { sendJson } from "../answers.ts";
import type { AppServices } from "../app-services.ts";

/** `GET /openapi.json`: the contract's declarations as an OpenAPI 3.1 document. */
export const openApiRoutes = (app: FastifyInstance, services: AppServices): void => {
  let text: string | undefined;
  app.get("/openapi.json", (_request, reply) => {
    text ??= JSON.stringify(openApiDocument(services.baseUrl()));
    // Generators and viewers on other origins may read it; it holds nothing secret.
    reply.header("access-control-allow-origin", "*");
    return sendJson(reply, 200, text);
  });
};
