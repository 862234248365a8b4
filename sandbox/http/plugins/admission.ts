import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { isLoopbackHost } from "../../rules/webhooks/webhook-url.ts";
import { isWorldName } from "../../rules/worlds/world-name.ts";
import { requestedWorld, TENANT_HEADER } from "../callers.ts";
import { isExplorerAddress, isHelp, isOperationAddress, sendExplorer, sendNoHelp } from "../routes/explorer.ts";
import { OPERATION_PATHS, refuseUnrouted, requestPath, type UnroutedCall } from "../unrouted.ts";

/** Size of the cache: callers use few host names. */
const MAX_CACHED = 64;

/** Safe methods. A link on another site may lead to the explorer or the consent page. */
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** The fault of the host in a call; null if there is none. */
export type HostFault = "missing" | "foreign" | null;

declare module "fastify" {
  interface FastifyRequest {
    /** Judged by the node that the caller reached: each has an address of its own. */
    hostFault: HostFault;
  }
}

const parseHostname = (host: string): string | null => {
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}/`)) return null;
  return new URL(`http://${host}/`).hostname;
};

/** Checks whether a Host header is accepted: loopback, the public host when deployed, or an allowed host (D95). */
const isAcceptedHost = (host: string | undefined, services: AppServices): boolean => {
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

/** Base URL of the service as its caller reached it: in a container or at a mapped port, it isn't the own address. */
export const reachedAt = (request: FastifyRequest, { publicUrl, baseUrl }: AppServices): string => {
  const host = publicUrl === null && request.raw.url?.startsWith("/") ? request.headers.host : undefined;
  return host === undefined ? baseUrl() : `http://${host}`;
};

/** Judges the host of each call, for {@link admission}. Runs before a call is forwarded. */
export const detectHostFault = (app: FastifyInstance, services: AppServices): void => {
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

/**
 * Collects all routes added later.
 *
 * @returns the methods of a path; empty for an unknown path. A parameter matches one segment
 */
const collectRoutes = (app: FastifyInstance): ((path: string) => string[]) => {
  const routes: { readonly pattern: RegExp; readonly method: string }[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    // Wildcard routes serve files: a missing file is a 404, never a 405.
    if (url.includes("*")) return;
    const pattern = new RegExp(`^${url.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}$`);
    for (const one of [method].flat()) routes.push({ pattern, method: one });
  });
  return (path) => routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
};

/** Checks whether no route has the address. The route of the explorer's files takes every address. */
const isUnknown = (request: FastifyRequest): boolean =>
  request.is404 || (request.routeOptions.url?.endsWith("*") === true && isOperationAddress(requestPath(request)));

/** Refusal of a foreign host, to prevent DNS rebinding from web pages. */
const refuseHost = (request: FastifyRequest, { publicUrl, allowHosts }: AppServices): UnroutedCall | null => {
  if (request.hostFault === null) return null;
  if (request.hostFault === "missing")
    return { kind: "host", code: "bad_request", message: "This request has no Host header." };
  const message =
    publicUrl === null
      ? `This service only accepts ${["loopback hosts", ...allowHosts].join(", ")}. Call it as 127.0.0.1 or localhost, or start it with --allow-host and this name.`
      : `This service only accepts its own host. Call it as ${publicUrl}, or start it with --allow-host and this name.`;
  const fact = `The call names the host ${parseHostname(findTargetHost(request) ?? "") ?? "in a form that isn’t valid"}, which this service doesn’t serve.`;
  return { kind: "host", cause: "host", code: "misdirected_request", message, fact };
};

/** Checks whether a page of another site made a browser send this. Programs send neither header. */
const isCrossSite = ({ headers }: FastifyRequest, publicUrl: string | null): boolean => {
  if (headers["sec-fetch-site"] === "cross-site") return true;
  const { origin } = headers;
  if (origin === undefined) return false;
  const isCalled = origin === `http://${headers.host}`;
  if (publicUrl === null) return !isCalled;
  // A page on the public host over http is not the service's.
  const { origin: own, host } = new URL(publicUrl);
  return origin !== own && (!isCalled || origin === `http://${host}`);
};

const MAX_ORIGIN_CHARS = 100;
/** D90: pages of other sites can't change anything. The Host header was verified before. */
const refuseCrossSite = (request: FastifyRequest, { publicUrl }: AppServices): UnroutedCall | null => {
  if (SAFE_METHODS.has(request.method) || !isCrossSite(request, publicUrl)) return null;
  const message = "Pages of other sites can’t change anything here. Call the service from a program.";
  const { origin } = request.headers;
  const page =
    origin === undefined || origin === "null"
      ? "A page of another site"
      : `A page of ${origin.slice(0, MAX_ORIGIN_CHARS)}`;
  const fact = `${page} sent the call from a browser. Pages of other sites can’t change anything here.`;
  return { kind: "host", cause: "cross_site", code: "forbidden", message, fact };
};

/** Refuses calls before their body is read (D2): unknown addresses and methods, foreign hosts, pages of other sites. */
export const admission = (app: FastifyInstance, services: AppServices): void => {
  const methodsOf = collectRoutes(app);
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (isHelp(requestPath(request))) return sendNoHelp(request, reply, services);
    if (isExplorerAddress(request, services)) return sendExplorer(reply);
    const path = requestPath(request);
    const allowed = methodsOf(path);
    if (allowed.length > 0) {
      reply.header("allow", allowed.join(", "));
      const message = `${path} takes ${allowed.join(" or ")}, not ${request.method}.`;
      return refuseUnrouted(request, reply, services, { kind: "method", code: "method_not_allowed", message });
    }
    const ofOperation = OPERATION_PATHS.test(path);
    const kind = ofOperation ? "unknown_operation" : "unknown_path";
    const message = ofOperation ? `No operation at ${path}.` : `Nothing at ${path}.`;
    return refuseUnrouted(request, reply, services, { kind, code: "not_found", message });
  };
  // Alone, it would run after the body was read.
  app.setNotFoundHandler(answerUnknown);
  app.addHook("onRequest", (request, reply, done) => {
    if (isUnknown(request)) {
      answerUnknown(request, reply);
      return;
    }
    const refused = refuseHost(request, services) ?? refuseCrossSite(request, services);
    if (refused) refuseUnrouted(request, reply, services, refused);
    else done();
  });
};

/** D81: refuses an invalid tenant name before any other check of an operation. */
export const tenantCheck = (app: FastifyInstance, services: AppServices): void => {
  app.addHook("onRequest", (request, reply, done) => {
    if (isWorldName(requestedWorld(request))) done();
    else {
      const message = `The header ${TENANT_HEADER} must be 1 to 64 of A–Z a–z 0–9 . _ -`;
      refuseUnrouted(request, reply, services, { kind: "tenant", code: "bad_request", message });
    }
  });
};
