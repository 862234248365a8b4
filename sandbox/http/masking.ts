import { maskSecret } from "../rules/keys.ts";
import { replaceFields, replaceStrings } from "../rules/raw-json.ts";

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

/** What can hold no secret: an object is masked field by field, and these have nothing in them. */
const isBare = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/**
 * A body with the values of its secret fields masked and every other byte as it was. One that is no JSON object may hide
 * a secret anywhere and is left out.
 */
export const maskBody = (body: string): string => {
  if (body === "") return body;
  const value = parse(body);
  if (isBare(value)) return body;
  if (typeof value !== "object" || Array.isArray(value)) {
    return `(${Buffer.byteLength(body)} bytes that are no JSON object, left out because they may hold a secret)`;
  }
  return replaceFields(body, (key) => SECRET_FIELDS.has(key), maskValue);
};

/**
 * The same for a call without credentials, whose body carries the caller's secret under whatever name it is misspelt: of
 * all its strings only the identifiers of clients are shown.
 */
export const maskSecretBody = (body: string, clientIds: ReadonlySet<string>): string => {
  const masked = maskBody(body);
  if (masked === "" || typeof parse(masked) !== "object") return masked;
  return replaceStrings(masked, (text) => JSON.stringify(clientIds.has(text) ? text : maskSecret(text)));
};

/** By this header the explorer proves its own reads, with the control token. */
export const OBSERVER_HEADER = "x-sandbox-observer";

const SCHEME = /^(Bearer|Basic|Digest)\s+(\S.*)$/i;

/** A header's value as it may be kept. */
export const maskHeader = (name: string, value: string): string => maskKnown(maskedByName(name, value));

const maskedByName = (name: string, value: string): string => {
  switch (name.toLowerCase()) {
    case "authorization": {
      const [, scheme, key] = SCHEME.exec(value) ?? [];
      return scheme === undefined || key === undefined ? maskSecret(value) : `${scheme} ${maskSecret(key)}`;
    }
    case "cookie":
    case "proxy-authorization":
    case "x-api-key":
    case OBSERVER_HEADER:
      return "••••••••";
    default:
      return value;
  }
};

const SECRET_PARAMETERS = /([?&](?:access_code|api_key|client_secret|code|key|secret|signature|token)=)[^&#]*/gi;

/** An address as it may be kept: nothing the service asks for belongs there, but a caller may put a secret in it. */
export const maskAddress = (address: string): string => maskKnown(address.replace(SECRET_PARAMETERS, "$1••••••••"));

/** The formats of the service's own secrets (D20), and the signature of an upload address. */
const KNOWN_SECRETS = /\b(?:isk|sbx|pwh|ac|cs)_[A-Za-z0-9_-]{20,}/g;
const SIGNATURES = /([?&]signature=)[A-Za-z0-9_-]+/g;

/** Text with whatever looks like a secret of this service masked, wherever a caller put it; every other byte as it was. */
export const maskKnown = (text: string): string =>
  text.replace(KNOWN_SECRETS, (secret) => maskSecret(secret)).replace(SIGNATURES, "$1••••••••");
