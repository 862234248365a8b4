import type { FastifyRequest } from "fastify";
import type { Cause } from "../contract/causes.ts";
import type { UnroutedKind } from "../contract/control/rows.ts";
import { INTERFACE_VERSION } from "../contract/operation.ts";
import { isPlaceholder } from "../operations/likely-mistakes.ts";
import { TENANT_HEADER } from "./callers.ts";

/** Cause of a call that reaches no operation, and a sentence that its response doesn't have. */
export interface UnroutedFact {
  readonly cause: Cause;
  readonly fact: string;
}

/** Explains a tenant header by what makes it no name; null for other characters. */
const explainTenant = ({ headers, raw }: FastifyRequest): string | null => {
  const sent = String(headers[TENANT_HEADER]);
  const isRepeated = raw.rawHeaders.filter((name) => name.toLowerCase() === TENANT_HEADER).length > 1;
  if (sent.trim() === "") return "The header `x-sandbox-tenant` is empty.";
  if (isRepeated || sent.includes(",")) return "The header `x-sandbox-tenant` was sent twice, or names two worlds.";
  if (isPlaceholder(sent)) return "The header `x-sandbox-tenant` holds a placeholder: a variable was not filled in.";
  return /^["'].*["']$/.test(sent) ? "The world’s name in `x-sandbox-tenant` is in quotes." : null;
};

/** Checks whether a browser asked if a page of another site may call the service. */
const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === "OPTIONS" && headers["access-control-request-method"] !== undefined;

/** Segments of an address, or parts of them, that a program didn't fill in. */
const UNFILLED = /[{}<>]|%7b|\/(?:undefined|null|none|nan)(?:[/?]|$)/i;

const explainAddress = (url: string, kind: "unknown_operation" | "unknown_path"): UnroutedFact | null => {
  const [, version = INTERFACE_VERSION] = /^\/(?:api|__extensions)\/(v?\d[\d.-]*)\//.exec(url) ?? [];
  if (version !== INTERFACE_VERSION)
    return {
      cause: "unknown_version",
      fact: `This service has version \`${INTERFACE_VERSION}\`, not \`${version}\`.`,
    };
  return UNFILLED.test(url)
    ? { cause: kind, fact: "The address holds a placeholder: a variable was not filled in." }
    : null;
};

/** Explains a call that reaches no operation by its address or headers; null if its response already does. */
export const explainUnrouted = (request: FastifyRequest, kind: UnroutedKind): UnroutedFact | null => {
  if (kind === "unknown_operation" || kind === "unknown_path") return explainAddress(request.url, kind);
  if (kind === "method" && isPreflight(request))
    return {
      cause: "method",
      fact: "A browser asked whether a page of another site may send this call. It may not.",
    };
  const fact = kind === "tenant" ? explainTenant(request) : null;
  return fact === null ? null : { cause: "tenant", fact };
};
