import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { sendJson } from "../answers.ts";
import type { AppServices } from "../app-services.ts";

interface Written {
  readonly baseUrl: string;
  readonly text: string;
  readonly etag: string;
}

const write = async (baseUrl: string): Promise<Written> => {
  // On first use: most runs are never asked for it, and no start should have to read it.
  const { openApiDocument } = await import("../../contract/openapi/document.ts");
  const text = JSON.stringify(openApiDocument(baseUrl));
  return { baseUrl, text, etag: `"${createHash("sha256").update(text).digest("base64url")}"` };
};

/** `GET /openapi.json`: the contract's declarations as an OpenAPI 3.1 document, written once for an address. */
export const openApiRoutes = (app: FastifyInstance, services: AppServices): void => {
  let written: Written | undefined;
  app.get("/openapi.json", async (request, reply) => {
    const baseUrl = services.baseUrl();
    if (written?.baseUrl !== baseUrl) written = await write(baseUrl);
    // Generators and viewers on other origins may read it; it holds nothing secret.
    reply.headers({ "access-control-allow-origin": "*", "cache-control": "no-cache", etag: written.etag });
    return request.headers["if-none-match"] === written.etag
      ? reply.code(304).send()
      : sendJson(reply, 200, written.text);
  });
};
