import type { FastifyInstance } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { onDisconnect, sendError } from "../answers.ts";
import { bearerToken } from "../control-access.ts";
import { rawBody } from "./partner.ts";

/**
 * `POST /__sandbox/mcp`: the service as tools of an assistant (Model Context Protocol, streamable HTTP). No sessions or
 * streams: each call is independent, and GET and DELETE are refused, which the protocol permits.
 */
export const mcpRoute = (app: FastifyInstance, services: AppServices): void => {
  const underWay = new Map<AbortController, Promise<Response>>();
  const running = new Set<AbortSignal>();
  // Runs while the service still responds, because aborted calls call it once more to clean up.
  app.addHook("preClose", async () => {
    for (const call of underWay.keys()) call.abort(new Error("The service stops."));
    await Promise.allSettled(underWay.values());
  });
  app.post("/__sandbox/mcp", { config: { access: "asks" } }, async (request, reply) => {
    if (!services.mcp) {
      sendError(reply, "not_found", "The MCP endpoint is off. Start the service with --mcp on.");
      return reply;
    }
    // Loaded on demand: the library is large and rarely used.
    const { answerMcp } = await import("../../mcp/answer-mcp.ts");
    const headers = new Headers();
    for (const name of ["accept", "content-type", "mcp-protocol-version"]) {
      const value = request.raw.headers[name];
      if (typeof value === "string") headers.set(name, value);
    }
    const body = Buffer.from(rawBody(request) ?? "");
    const webRequest = new Request(`${services.address()}/__sandbox/mcp`, { method: "POST", headers, body });
    const call = new AbortController();
    onDisconnect(reply.raw, () => call.abort(new Error("The caller has gone.")));
    const service = {
      ...{ baseUrl: services.baseUrl(), address: services.address(), running },
      ...{ token: bearerToken(request), confined: request.controlCaller.token },
      failed: (tool: string, error: unknown) => services.log.error("tool failed", error, { tool }),
    };
    const answering = answerMcp(webRequest, service, call.signal);
    underWay.set(call, answering);
    try {
      const response = await answering;
      return reply
        .code(response.status)
        .headers(Object.fromEntries(response.headers))
        .send(await response.text());
    } finally {
      underWay.delete(call);
    }
  });
};
