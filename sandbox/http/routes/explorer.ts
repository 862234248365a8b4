import { existsSync } from "node:fs";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";

/** What the explorer's pages may do: their own scripts, styles, fonts, pictures and service. Nobody else hears of a page that is looked at. */
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
/** Where clients of other protocols look for what this service does not have: a page would be taken for it. */
const DISCOVERY_PATHS = /^\/(\.well-known(\/|$)|register$)/i;
/** The help pages, beside the explorer. */
const HELP_PATHS = /^\/help(\/|$)/;
/** What the built explorer has files for: beside its page and below `assets`. A place's address may hold dots as well. */
const FILE_PATHS = /^\/([^/]+\.[a-z0-9]+|assets\/.*|metrics)$/i;

/** Whether an address that matched nothing is a place in the explorer rather than a file or an operation. */
export const isPlace = (request: FastifyRequest, services: AppServices): boolean => {
  const address = request.url.split("?", 1)[0] ?? "/";
  if (services.explorerFolder === null || !["GET", "HEAD"].includes(request.method)) return false;
  return ![OPERATION_PATHS, DISCOVERY_PATHS, FILE_PATHS].some((paths) => paths.test(address));
};

/** Every place in the explorer is the same page. */
export const sendExplorer = (reply: FastifyReply): FastifyReply => reply.sendFile("index.html");

/** Whether an address is below `/help/`. */
export const isHelp = (address: string): boolean => HELP_PATHS.test(address);

/** Says that there is no page at an address below `/help/`: a browser gets a page with a search, others a sentence. */
export const sendNoHelp = (
  request: FastifyRequest,
  reply: FastifyReply,
  { explorerFolder }: AppServices,
): FastifyReply => {
  reply.code(404);
  const folder = helpFolderOf(explorerFolder);
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

/** Built, the help lies beside the explorer. */
const helpFolderOf = (explorerFolder: string | null): string | null => {
  const folder = explorerFolder === null ? null : path.join(explorerFolder, "..", "help");
  return folder !== null && existsSync(path.join(folder, "index.html")) ? folder : null;
};

/** Files that are named after their content. */
const HASHED = new RegExp(`[\\${path.sep}](assets|_astro)[\\${path.sep}]`);

const filesOf = (root: string) => ({
  root,
  index: "index.html",
  cacheControl: false,
  setHeaders: (reply: FastifyReply, file: string) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) reply.header(name, value);
    if (reply.getHeader("cache-control") !== undefined) return;
    reply.header("cache-control", HASHED.test(file) ? "public, max-age=31536000, immutable" : "no-cache");
  },
});

/** `GET /` and below: the explorer, and its help below `/help/`. */
export const fileRoutes = async (app: FastifyInstance, services: AppServices): Promise<void> => {
  await app.register(fastifyStatic, {
    ...filesOf(services.explorerFolder ?? services.mediaFolder),
    serve: services.explorerFolder !== null,
  });
  const helpFolder = helpFolderOf(services.explorerFolder);
  if (helpFolder === null) return;
  await app.register(fastifyStatic, {
    ...filesOf(helpFolder),
    prefix: "/help",
    redirect: true,
    decorateReply: false,
  });
};
