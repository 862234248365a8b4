import { isUtf8 } from "node:buffer";
import { KNOWN_SECRETS, MASK, maskSecret } from "../contract/known-secrets.ts";
import { replaceFields, replaceStrings } from "../rules/json/raw-json.ts";
import { tryParseJson } from "../rules/json/untyped.ts";

/**
 * Masking of secrets in everything stored or exported: texts, headers, addresses, bodies and rows. All functions run in
 * linear time.
 */

// Content of a world.

/** Columns with a world's secrets. */
export const SECRET_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  credentials: ["api_key", "webhook_secret"],
  clients: ["client_secret"],
  access_codes: ["code"],
};

/** All secrets of a world, including those in partners' addresses. */
export const readSecrets = (column: (sql: string) => readonly string[]): string[] => {
  const own = Object.entries(SECRET_COLUMNS).flatMap(([table, names]) =>
    names.flatMap((name) => column(`SELECT ${name} FROM ${table}`)),
  );
  return [...own, ...column("SELECT url FROM subscriptions").flatMap(listSecretParameters)];
};

// Texts.

/** Signature of an upload address, even if that is nested in another address. */
const SIGNATURES = /(signature(?:=|%3[Dd]))[A-Za-z0-9_-]{20,}/g;

/** Shorter values aren't usable secrets, and match by chance too often. */
const MIN_SECRET_CHARS = 8;

/** Secrets without a recognizable form: this process's control token and signing key, and their predecessors. */
const registered = new Set<string>();

type Mask = (text: string) => string;

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Creates a function that masks the given secrets verbatim, and all recognizable ones. */
export const createRedactor = (secrets: Iterable<string>): Mask => {
  const known: Mask = (text) => text.replace(KNOWN_SECRETS, maskSecret).replace(SIGNATURES, `$1${MASK}`);
  const own = [...new Set([...registered, ...secrets])].filter(
    (secret) => secret.length >= MIN_SECRET_CHARS && secret.replace(KNOWN_SECRETS, "") !== "",
  );
  if (own.length === 0) return known;
  // Longest first, because one secret may be a prefix of another.
  own.sort((one, other) => other.length - one.length);
  const literal = new RegExp(own.map(escapePattern).join("|"), "g");
  return (text) => known(text.replace(literal, maskSecret));
};

let maskAll = createRedactor([]);

/** Masks all secrets of this service in a text, and keeps every other byte. */
export const maskKnown: Mask = (text) => maskAll(text);

/** Adds secrets to mask verbatim in this process. */
export const registerSecrets = (secrets: readonly string[]): void => {
  if (secrets.every((secret) => registered.has(secret))) return;
  for (const secret of secrets) registered.add(secret);
  maskAll = createRedactor([]);
};

/** Verbatim secrets, for use on another thread. */
export const registeredSecrets = (): string[] => [...registered];

/** Masks secrets in JSON, including keys. */
export const redactJson = <T>(json: T, redact: Mask): T =>
  JSON.parse(JSON.stringify(json), (_, value: unknown) => {
    if (typeof value === "string") return redact(value);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const keys = Object.keys(value);
    return keys.every((key) => redact(key) === key)
      ? value
      : Object.fromEntries(Object.entries(value).map(([key, one]) => [redact(key), one]));
  }) as T;

/** Masks secrets in text or binary data. Returns the same buffer if it has none. */
export const redactBytes = (bytes: Buffer, redact: Mask): Buffer => {
  // Latin-1 maps each byte of binary data to one character.
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  const text = bytes.toString(encoding);
  const masked = redact(text);
  if (masked === text) return bytes;
  return Buffer.from(encoding === "utf8" ? masked : masked.replaceAll("•", "*"), encoding);
};

// Addresses.

const SECRET_ENDINGS = ["key", "password", "secret", "signature", "token"];
/** Short words that end many harmless words, so they must stand alone. */
const SECRET_WORDS = ["auth", "code", "pass", "sig"];

/** Checks whether a parameter's or header's name indicates a secret. */
const isSecretName = (name: string): boolean => {
  const lower = name.toLowerCase();
  if (SECRET_ENDINGS.some((ending) => lower.endsWith(ending))) return true;
  const word = SECRET_WORDS.find((one) => lower.endsWith(one));
  return word !== undefined && "_.-".includes(lower.at(-word.length - 1) ?? "");
};

const NAMES = /[?&#]([^?&#=]+)=/g;
/** A value may contain question marks. */
const VALUE = /[^&#]*/y;

/** Ranges of secret parameter values in an address. */
function* findSecretValues(address: string): Generator<{ readonly from: number; readonly to: number }> {
  let to = 0;
  for (const { 0: named, 1: name = "", index } of address.matchAll(NAMES)) {
    if (index < to || !isSecretName(name)) continue;
    const from = index + named.length;
    VALUE.lastIndex = from;
    VALUE.test(address);
    to = VALUE.lastIndex;
    yield { from, to };
  }
}

/** Secret parameter values, raw and decoded. */
export const listSecretParameters = (address: string): string[] =>
  Array.from(findSecretValues(address), ({ from, to }) => address.slice(from, to)).flatMap((value) => [
    ...new Set([value, ...new URLSearchParams(`_=${value}`).getAll("_")]),
  ]);

/**
 * Masks secret parameters and known secrets in a text that may be an address. The service expects no secrets there, but
 * callers may send some.
 */
export const maskParameters: Mask = (address) => {
  let masked = "";
  let copiedTo = 0;
  for (const { from, to } of findSecretValues(address)) {
    masked += address.slice(copiedTo, from) + MASK;
    copiedTo = to;
  }
  return maskKnown(masked + address.slice(copiedTo));
};

/** Longest stored address, in characters. */
const MAX_ADDRESS_CHARS = 2_048;
/** Never part of a request's address, because Node decodes it as Latin-1. */
const CUT = "…";

/** Masks an address and cuts it to the stored length. */
export const maskAddress: Mask = (address) => {
  const masked = maskParameters(address);
  return masked.length > MAX_ADDRESS_CHARS ? masked.slice(0, MAX_ADDRESS_CHARS) + CUT : masked;
};

/** Checks whether a stored address was cut. */
export const isCut = (stored: string): boolean => stored.endsWith(CUT);

// Headers.

/** Header with which the explorer proves its own reads, using the control token. */
export const OBSERVER_HEADER = "x-sandbox-observer";
/**
 * Header with which the explorer and scenarios prove the origin of a call: `<origin> <control token> [<trace of the
 * call it repeats>]`.
 */
export const ORIGIN_HEADER = "x-sandbox-origin";

const HIDDEN_HEADERS = new Set(["cookie", "proxy-authorization", OBSERVER_HEADER, ORIGIN_HEADER]);
/** Names that end like a secret but hold none. */
const OPEN_HEADERS =
  /(?:^|[_.-])(?:idempotency|websocket|surrogate|cache|partition|routing|correlation)[_.-]key$|(?:^|[_.-])(?:status|error|country|language|currency|postal)[_.-]code$/;
const SCHEME = /^(?:Bearer|Basic|Digest)\s+(?=\S)/i;
/** Length of the service's own secrets: a prefix and 20 characters. */
const MIN_OWN_CHARS = 23;

export const maskHeader = (given: string, value: string): string => {
  const name = given.toLowerCase();
  if (name === "authorization") {
    const scheme = SCHEME.exec(value)?.[0] ?? "";
    return scheme + maskSecret(value.slice(scheme.length));
  }
  if (HIDDEN_HEADERS.has(name) || (isSecretName(name) && !OPEN_HEADERS.test(name))) return MASK;
  return value.length < MIN_OWN_CHARS ? value : maskKnown(value);
};

// Bodies.

const SECRET_FIELDS = new Set(["client_secret", "api_key", "access_code", "secret"]);

const maskValue = (text: string): string => {
  const value: unknown = JSON.parse(text);
  return JSON.stringify(maskSecret(typeof value === "string" ? value : ""));
};

/** Several times the size of valid bodies with secrets. */
const MAX_MASKED_CHARS = 4_096;

/**
 * Masks the values of known secret fields, and keeps every other byte. Long bodies and non-objects could hide a secret
 * anywhere and are left out.
 */
export const maskBody: Mask = (body) => {
  if (body === "") return body;
  const value = body.length > MAX_MASKED_CHARS ? undefined : tryParseJson(body);
  if (typeof value !== "object" || Array.isArray(value))
    return `(${Buffer.byteLength(body)} bytes, left out because they may hold a secret)`;
  return replaceFields(body, (key) => SECRET_FIELDS.has(key), maskValue);
};

/**
 * Masks the body of a call without credentials, which may have the secret under a misspelt name. Shows only known
 * client IDs.
 */
export const maskSecretBody = (body: string, clientIds: ReadonlySet<string>): string =>
  replaceStrings(maskBody(body), (text) => JSON.stringify(clientIds.has(text) ? text : maskSecret(text)));
