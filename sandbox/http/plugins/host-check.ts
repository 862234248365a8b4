import type { FastifyInstance } from "fastify";
import { isLoopbackHost } from "../../rules/webhook-url.ts";
import { sendError } from "../answers.ts";
import type { AppServices } from "../app-services.ts";

const hostnameOf = (host: string): string | null => {
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}/`)) return null;
  return new URL(`http://${host}/`).hostname;
};

/** Whether the service answers for this Host header: loopback locally, the public host when deployed. */
export const answersFor = (
  host: string | undefined,
  services: Pick<AppServices, "mode" | "publicUrl" | "host">,
): boolean => {
  const hostname = host === undefined ? null : hostnameOf(host);
  if (hostname === null) return false;
  if (isLoopbackHost(hostname) || hostname === services.host) return true;
  return services.publicUrl !== null && hostname === new URL(services.publicUrl).hostname;
};

/**
 * Refuses a foreign Host: a page on the web that had its name resolve to loopback must not reach the service. Unknown
 * addresses are answered before (D2).
 */
export const hostCheck = (app: FastifyInstance, services: AppServices): void => {
  app.addHook("onRequest", async (request, reply) => {
    if (request.is404 || answersFor(request.headers.host, services)) return;
    sendError(
      reply,
      "misdirected_request",
      "This service answers for loopback addresses only; call it as 127.0.0.1 or localhost.",
    );
    return reply;
  });
};
