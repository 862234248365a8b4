import { existsSync } from "node:fs";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";

/**
 * Allows the explorer's pages only their own scripts, styles, fonts, images and service. No request leaves for another
 * server.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const SECURITY_HEADERS = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), usb=()",
};

const OPERATION_PATHS = /^\/(api|__[a-z]+)(\/|$)/i;
/** Addresses of the sandbox without their underscores. No screen begins so. */
const BARE_PATHS = /^\/(oauth|uploads|media|extensions|sandbox)\//i;
/** Discovery addresses of other protocols. A page there would be mistaken for a discovery document. */
const DISCOVERY_PATHS = /^\/(\.well-known(\/|$)|register$)/i;
const HELP_PATHS = /^\/help(\/|$)/;
/** File addresses of the built explorer. Addresses of its screens may contain dots too. */
const FILE_PATHS = /^\/([^/]+\.[a-z0-9]+|assets\/.*|metrics)$/i;

/** Checks whether an address can be one of an operation or of a sandbox route. */
export const isOperationAddress = (address: string): boolean => OPERATION_PATHS.test(address);

/** Checks whether an unknown address is a screen of the explorer rather than a file or an operation. */
export const isExplorerAddress = (request: FastifyRequest, services: AppServices): boolean => {
  const address = request.url.split("?", 1)[0] ?? "/";
  if (services.explorerFolder === null || !["GET", "HEAD"].includes(request.method)) return false;
  return ![OPERATION_PATHS, BARE_PATHS, DISCOVERY_PATHS, FILE_PATHS].some((paths) => paths.test(address));
};

/** Sends the explorer's only page, for all its screens. */
export const sendExplorer = (reply: FastifyReply): FastifyReply => reply.sendFile("index.html");

export const isHelp = (address: string): boolean => HELP_PATHS.test(address);

/** 404 for a missing help page: a page with a search for browsers, a sentence for others. */
export const sendNoHelp = (
  request: FastifyRequest,
  reply: FastifyReply,
  { explorerFolder }: AppServices,
): FastifyReply => {
  reply.code(404);
  const folder = findHelpFolder(explorerFolder);
  if (folder !== null && request.headers.accept?.includes("text/html")) return reply.sendFile("404.html", folder);
  const address = request.url.split("?", 1)[0];
  return reply
    .type("text/plain; charset=utf-8")
    .send(
      folder === null
        ? "The help pages are not built. Run `npm run docs`, then start the service again."
        : `No help page at ${address}. Start at /help/.`,
    );
};

/** The built help is beside the explorer. */
const findHelpFolder = (explorerFolder: string | null): string | null => {
  const folder = explorerFolder === null ? null : path.join(explorerFolder, "..", "help");
  return folder !== null && existsSync(path.join(folder, "index.html")) ? folder : null;
};

/** Files with a content hash in their name. */
const HASHED_FILES = new RegExp(`[\\${path.sep}](assets|_astro)[\\${path.sep}]`);

const fileOptions = (root: string) => ({
  root,
  index: "index.html",
  cacheControl: false,
  setHeaders: (reply: FastifyReply, file: string) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) reply.header(name, value);
    if (reply.getHeader("cache-control") !== undefined) return;
    reply.header("cache-control", HASHED_FILES.test(file) ? "public, max-age=31536000, immutable" : "no-cache");
  },
});

/** Serves the explorer at `/` and its help at `/help/`. */
export const fileRoutes = async (app: FastifyInstance, services: AppServices): Promise<void> => {
  await app.register(fastifyStatic, {
    ...fileOptions(services.explorerFolder ?? services.mediaFolder),
    serve: services.explorerFolder !== null,
  });
  const helpFolder = findHelpFolder(services.explorerFolder);
  if (helpFolder === null) return;
  await app.register(fastifyStatic, {
    ...fileOptions(helpFolder),
    prefix: "/help",
    redirect: true,
    decorateReply: false,
  });
};
