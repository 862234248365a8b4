import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { isLoopbackHost } from "../../rules/webhooks/webhook-url.ts";
import { refuseUnrouted } from "../unrouted.ts";

/** Size of the cache: callers use few host names. */
const MAX_CACHED = 64;

const parseHostname = (host: string): string | null => {
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}/`)) return null;
  return new URL(`http://${host}/`).hostname;
};

/** Checks whether a Host header is accepted: loopback, the public host when deployed, or an allowed host (D95). */
const isAcceptedHost = (
  host: string | undefined,
  services: Pick<AppServices, "publicUrl" | "host" | "allowHosts">,
): boolean => {
  const hostname = host === undefined ? null : parseHostname(host);
  if (hostname === null) return false;
  if (isLoopbackHost(hostname) || hostname === services.host || services.allowHosts.includes(hostname)) return true;
  return services.publicUrl !== null && hostname === new URL(services.publicUrl).hostname;
};

/** Target host. An absolute request target overrides the Host header (RFC 9112, 3.2.2). */
const findTargetHost = ({ raw, headers }: FastifyRequest): string | undefined => {
  const target = raw.url ?? "/";
  if (target.startsWith("/") || target === "*") return headers.host;
  return URL.canParse(target) ? new URL(target).host : undefined;
};

/** The fault of the host in a call; null if there is none. */
export type HostFault = "missing" | "foreign" | null;

declare module "fastify" {
  interface FastifyRequest {
    /** Judged by the node that the caller reached: each has an address of its own. */
    hostFault: HostFault;
  }
}

/** Judges the host of each call, for {@link hostCheck}. Runs before a call is forwarded. */
export const judgeHost = (app: FastifyInstance, services: AppServices): void => {
  const known = new Map<string | undefined, boolean>();
  const isKnownHost = (host: string | undefined): boolean => {
    const remembered = known.get(host);
    if (remembered !== undefined) return remembered;
    const isAccepted = isAcceptedHost(host, services);
    if (known.size < MAX_CACHED) known.set(host, isAccepted);
    return isAccepted;
  };
  app.decorateRequest("hostFault", null);
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.headers.host === undefined) request.hostFault = "missing";
    else if (!isKnownHost(findTargetHost(request))) request.hostFault = "foreign";
    done();
  });
};

/** Refuses foreign hosts, to prevent DNS rebinding from web pages. Unknown addresses are refused earlier (D2). */
export const hostCheck = (app: FastifyInstance, services: AppServices): void => {
  app.addHook("onRequest", (request, reply, done) => {
    if (request.hostFault === null) {
      done();
      return;
    }
    if (request.hostFault === "missing") {
      const message = "This request has no Host header.";
      refuseUnrouted(request, reply, services, { kind: "host", code: "bad_request", message });
      return;
    }
    const message =
      services.publicUrl === null
        ? "This service only accepts loopback hosts. Call it as 127.0.0.1 or localhost, or start it with --allow-host and this name."
        : `This service only accepts its own host. Call it as ${services.publicUrl}, or start it with --allow-host and this name.`;
    const fact = `The call names the host ${parseHostname(findTargetHost(request) ?? "") ?? "in a form that isn’t valid"}, which this service doesn’t serve.`;
    refuseUnrouted(request, reply, services, {
      kind: "host",
      cause: "host",
      code: "misdirected_request",
      message,
      fact,
    });
  });
};
