import { maskSecret } from "../rules/keys.ts";
import { replaceFields, replaceStrings } from "../rules/raw-json.ts";
import { cutAddress, isSecretName, MASK, redactor, withoutParameters } from "../rules/redaction.ts";

const SECRET_FIELDS = new Set(["client_secret", "api_key", "access_code", "secret"]);

const maskValue = (text: string): string =>
  JSON.stringify(maskSecret(text.startsWith('"') ? (JSON.parse(text) as string) : ""));

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Several times what the bodies take that hold a secret where one belongs. */
const LONGEST_MASKED = 4_096;

const leftOut = (body: string): string => `(${Buffer.byteLength(body)} bytes, left out because they may hold a secret)`;

/**
 * The body of a call that has secrets in known fields, with their values masked and every other byte as it was. One that
 * is long, or no JSON object, may hide a secret anywhere and is left out.
 */
export const maskBody = (body: string): string => {
  if (body === "") return body;
  const value = body.length > LONGEST_MASKED ? undefined : parse(body);
  if (value === null) return body;
  if (typeof value !== "object" || Array.isArray(value)) return leftOut(body);
  return replaceFields(body, (key) => SECRET_FIELDS.has(key), maskValue);
};

/**
 * The same for a call without credentials, whose body carries the caller's secret under whatever name it is misspelt: of
 * all its strings only the identifiers of clients are shown.
 */
export const maskSecretBody = (body: string, clientIds: ReadonlySet<string>): string => {
  const masked = maskBody(body);
  if (!masked.includes('"')) return masked;
  return replaceStrings(masked, (text) => JSON.stringify(clientIds.has(text) ? text : maskSecret(text)));
};

/** By this header the explorer proves its own reads, with the control token. */
export const OBSERVER_HEADER = "x-sandbox-observer";
/** By this header the explorer and a scenario say that a call is theirs, and prove it: `<origin> <control token> [<trace of the call it repeats>]`. */
export const ORIGIN_HEADER = "x-sandbox-origin";

const HIDDEN_HEADERS = new Set(["cookie", "proxy-authorization", OBSERVER_HEADER, ORIGIN_HEADER]);
/** They end like a secret and carry none. */
const OPEN_HEADERS =
  /(?:^|[_.-])(?:idempotency|websocket|surrogate|cache|partition|routing|correlation)[_.-]key$|(?:^|[_.-])(?:status|error|country|language|currency|postal)[_.-]code$/;
const SCHEME = /^(Bearer|Basic|Digest)\s+(\S.*)$/i;
/** The shortest text that looks like a secret of this service: a prefix and 20 characters. */
const SHORTEST_SECRET = 23;

/** A header's value as it may be kept. */
export const maskHeader = (given: string, value: string): string => {
  const name = given.toLowerCase();
  if (name === "authorization") {
    const [, scheme, key] = SCHEME.exec(value) ?? [];
    return maskKnown(scheme === undefined || key === undefined ? maskSecret(value) : `${scheme} ${maskSecret(key)}`);
  }
  if (HIDDEN_HEADERS.has(name) || (isSecretName(name) && !OPEN_HEADERS.test(name))) return MASK;
  return value.length < SHORTEST_SECRET ? value : maskKnown(value);
};

/** An address as it may be kept: nothing the service asks for belongs there, but a caller may put a secret in it. */
export const maskAddress = (address: string): string => cutAddress(maskKnown(withoutParameters(address)));

/** Text with whatever looks like a secret of this service masked, wherever a caller put it; every other byte as it was. */
export const maskKnown = redactor([]);
