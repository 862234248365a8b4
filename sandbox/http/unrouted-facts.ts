import type { FastifyRequest } from "fastify";
import { type Cause, causes } from "../contract/causes.ts";
import type { UnroutedKind } from "../contract/control/rows.ts";
import { INTERFACE_VERSION } from "../contract/operation.ts";
import { isPlaceholder } from "../operations/likely-mistakes.ts";
import { findMeantAddress, findOtherVersion, hasIdInPath, methodOf } from "../operations/meant-address.ts";
import { isWorldName, MAX_NAME_CHARS } from "../rules/worlds/world-name.ts";
import { describeBody, describeCutAddress, type SentAddress } from "../uploads/upload-causes.ts";
import { TENANT_HEADER } from "./callers.ts";

/** Cause of a call that reaches no operation, and a sentence that its response doesn't have. */
export interface UnroutedFact {
  readonly cause: Cause;
  readonly fact: string;
  readonly remedy?: string;
}

const SEND_ONE = `Send the header once, with one name of 1 to ${MAX_NAME_CHARS} of \`A–Z a–z 0–9 . _ -\`.`;
/** Explains why a tenant header isn't a valid name; null for other characters. */
const explainTenant = ({ headers, raw }: FastifyRequest): Omit<UnroutedFact, "cause"> | null => {
  const sent = readTenant(headers);
  const isRepeated = raw.rawHeaders.filter((name) => name.toLowerCase() === TENANT_HEADER).length > 1;
  if (sent.trim() === "") return { fact: "The header `x-sandbox-tenant` is empty." };
  if (isRepeated) return { fact: "The header `x-sandbox-tenant` was sent twice.", remedy: SEND_ONE };
  if (sent.includes(",")) return { fact: "The header `x-sandbox-tenant` names two worlds.", remedy: SEND_ONE };
  if (isPlaceholder(sent))
    return { fact: "The header `x-sandbox-tenant` holds a placeholder: a variable was not filled in." };
  return /^["'].*["']$/.test(sent) ? { fact: "The world’s name in `x-sandbox-tenant` is in quotes." } : null;
};

/** Node decodes headers as Latin-1; restores UTF-8. */
const readTenant = (headers: FastifyRequest["headers"]): string =>
  Buffer.from(String(headers[TENANT_HEADER]), "latin1").toString("utf8");

/** Longest part of a wrong name that a sentence shows. */
const MAX_SHOWN_CHARS = 80;
/** Names the first invalid character of a world's name, or its excessive length. */
const explainName = (name: string): UnroutedFact => {
  const [wrong] = name.match(/[^A-Za-z0-9._-]/u) ?? [];
  const shown = name.replaceAll("`", "'").slice(0, MAX_SHOWN_CHARS);
  const character = wrong?.trim() ? `the character \`${wrong}\`` : "a space";
  const problem =
    wrong === undefined ? `has ${name.length} characters, more than ${MAX_NAME_CHARS}` : `has ${character} in it`;
  const meant = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .trim()
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-");
  const such = isWorldName(meant) ? `, such as \`${meant}\`` : "";
  return {
    cause: "tenant",
    fact: `The world’s name in \`x-sandbox-tenant\` is \`${shown}\`. It ${problem}.`,
    remedy: `Send a name of 1 to ${MAX_NAME_CHARS} of \`A–Z a–z 0–9 . _ -\`${such}, or leave the header out.`,
  };
};

/** Checks whether a browser asked if a page of another site may call the service. */
const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === "OPTIONS" && headers["access-control-request-method"] !== undefined;

/** Segments of an address, or parts of them, that a program didn't fill in. */
const UNFILLED = /[{}<>]|%7b|\/(?:undefined|null|none|nan)(?:[/?]|$)/i;

const explainAddress = (url: string, kind: "unknown_operation" | "unknown_path"): UnroutedFact | null => {
  const version = findOtherVersion(url);
  if (version !== null)
    return {
      cause: "unknown_version",
      fact: `This service has version \`${INTERFACE_VERSION}\`, not \`${version}\`.`,
    };
  if (UNFILLED.test(url))
    return { cause: kind, fact: "The address holds a placeholder: a variable was not filled in." };
  const meant = findMeantAddress(url);
  if (meant) return { cause: kind, fact: meant.fact, remedy: meant.remedy };
  return hasIdInPath(url) ? { cause: kind, fact: "The address holds an ID. IDs belong in the body." } : null;
};

/** Explains what else is wrong with a call that reaches no operation: its method at a right address, or its content. */
export const explainNextUnrouted = (
  { url, method, headers, query }: FastifyRequest,
  kind: UnroutedKind,
): Required<UnroutedFact> | null => {
  const meant = kind === "unknown_path" || kind === "unknown_operation" ? findMeantAddress(url) : null;
  if (kind === "unknown_operation" || meant) {
    const right = methodOf(meant?.address);
    if (method === right || method === "OPTIONS") return null;
    return {
      cause: "method",
      fact: `The method is ${method}: ${meant ? `\`${meant.address}\` takes` : "operations take"} ${right}.`,
      remedy: `Use the method ${right}.`,
    };
  }
  if (kind !== "method" || !UPLOAD_PATHS.test(url)) return null;
  const cut = describeCutAddress(query as SentAddress["query"]);
  if (cut !== null) return { cause: "upload_signature", fact: cut, remedy: causes.upload_signature.remedy };
  const { fact } = describeBody(headers);
  return fact === undefined ? null : { cause: "upload_not_an_image", fact, remedy: causes.upload_not_an_image.remedy };
};
const UPLOAD_PATHS = /^\/__uploads\//;

/** Explains a call that reaches no operation by its address or headers; null if its response already does. */
export const explainUnrouted = (request: FastifyRequest, kind: UnroutedKind): UnroutedFact | null => {
  if (kind === "unknown_operation" || kind === "unknown_path") return explainAddress(request.url, kind);
  if (kind === "method" && isPreflight(request))
    return {
      cause: "method",
      fact: "A browser asked whether a page of another site may send this call. It may not.",
      remedy: causes.cross_site.remedy,
    };
  if (kind !== "tenant") return null;
  const found = explainTenant(request);
  return found === null ? explainName(readTenant(request.headers)) : { cause: "tenant", ...found };
};
