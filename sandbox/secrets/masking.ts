import { isUtf8 } from "node:buffer";
import { KNOWN_SECRETS, MASK, maskSecret } from "../contract/known-secrets.ts";
import { replaceFields, replaceStrings } from "../rules/json/raw-json.ts";
import { tryParseJson } from "../rules/json/untyped.ts";

/**
 * What is secret, and how it is masked, wherever it is stored or exported: texts, headers, addresses, bodies, rows. All of
 * it takes a time in proportion to what it reads.
 */

// What a world holds.

/** The columns that hold a world's secrets. */
export const SECRET_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  credentials: ["api_key", "webhook_secret"],
  clients: ["client_secret"],
  access_codes: ["code"],
};

/** Every secret of a world: its own, and what partners have in the addresses they receive at. */
export const readSecrets = (column: (sql: string) => readonly string[]): string[] => {
  const own = Object.entries(SECRET_COLUMNS).flatMap(([table, names]) =>
    names.flatMap((name) => column(`SELECT ${name} FROM ${table}`)),
  );
  return [...own, ...column("SELECT url FROM subscriptions").flatMap(secretParameters)];
};

// Texts.

/** The signature of an upload address, also in one that is part of another. */
const SIGNATURES = /(signature(?:=|%3[Dd]))[A-Za-z0-9_-]{20,}/g;

/** Shorter values are no secrets anybody would use, and stand in too many places by chance. */
const SHORTEST = 8;

/** Of this process, without a form of their own: its control token and signing key, and those they replaced. */
const verbatim = new Set<string>();

type Mask = (text: string) => string;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Makes what masks the given secrets, verbatim, and whatever else is one of this service. */
export const redactor = (secrets: Iterable<string>): Mask => {
  const known: Mask = (text) => text.replace(KNOWN_SECRETS, maskSecret).replace(SIGNATURES, `$1${MASK}`);
  const own = [...new Set([...verbatim, ...secrets])].filter(
    (secret) => secret.length >= SHORTEST && secret.replace(KNOWN_SECRETS, "") !== "",
  );
  if (own.length === 0) return known;
  // The longest first: one may be the beginning of another.
  own.sort((one, other) => other.length - one.length);
  const literal = new RegExp(own.map(escaped).join("|"), "g");
  return (text) => known(text.replace(literal, maskSecret));
};

let maskAll = redactor([]);

/** Text with whatever is a secret of this service masked, wherever a caller put it; every other byte as it was. */
export const maskKnown: Mask = (text) => maskAll(text);

/** From now on these are masked verbatim in this process, wherever anything is. */
export const maskVerbatim = (secrets: readonly string[]): void => {
  if (secrets.every((secret) => verbatim.has(secret))) return;
  for (const secret of secrets) verbatim.add(secret);
  maskAll = redactor([]);
};

/** What another thread has to mask too. */
export const verbatimSecrets = (): string[] => [...verbatim];

/** JSON with every secret masked, wherever it stands, in keys too. */
export const redacted = <T>(json: T, redact: Mask): T =>
  JSON.parse(JSON.stringify(json), (_, value: unknown) => {
    if (typeof value === "string") return redact(value);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const keys = Object.keys(value);
    return keys.every((key) => redact(key) === key)
      ? value
      : Object.fromEntries(Object.entries(value).map(([key, one]) => [redact(key), one]));
  }) as T;

/** Bytes, whether they are text or none; they stay as they are where nothing in them is secret. */
export const redactedBytes = (bytes: Buffer, redact: Mask): Buffer => {
  // Of what is no text every byte is a character of its own.
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  const text = bytes.toString(encoding);
  const masked = redact(text);
  if (masked === text) return bytes;
  return Buffer.from(encoding === "utf8" ? masked : masked.replaceAll("•", "*"), encoding);
};

// Addresses.

const SECRET_ENDINGS = ["key", "password", "secret", "signature", "token"];
/** These are the end of too many other words. */
const SECRET_WORDS = ["auth", "code", "pass", "sig"];

/** Whether the name of a parameter or a header says that its value is a secret. */
const isSecretName = (name: string): boolean => {
  const lower = name.toLowerCase();
  if (SECRET_ENDINGS.some((ending) => lower.endsWith(ending))) return true;
  const word = SECRET_WORDS.find((one) => lower.endsWith(one));
  return word !== undefined && (lower === word || "_.-".includes(lower.at(-word.length - 1) ?? ""));
};

const NAMES = /[?&#]([^?&#=]+)=/g;
/** A question mark inside a value is part of it. */
const VALUE = /[^&#]*/y;

/** Where the values of such parameters stand in an address. */
function* secretValues(address: string): Generator<{ readonly from: number; readonly to: number }> {
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

/** The values of such parameters, as they are written and as they are read. */
export const secretParameters = (address: string): string[] =>
  Array.from(secretValues(address), ({ from, to }) => address.slice(from, to)).flatMap((value) => [
    ...new Set([value, ...new URLSearchParams(`_=${value}`).getAll("_")]),
  ]);

/**
 * Text that may be an address, with the values masked of the parameters whose names say that they are secrets, and
 * whatever else is one: nothing the service asks for belongs there, but a caller may put a secret in it.
 */
export const maskParameters: Mask = (address) => {
  if (!address.includes("=")) return maskKnown(address);
  let masked = "";
  let kept = 0;
  for (const { from, to } of secretValues(address)) {
    masked += address.slice(kept, from) + MASK;
    kept = to;
  }
  return maskKnown(masked + address.slice(kept));
};

/** The longest part of an address that is kept. */
const LONGEST_ADDRESS = 2_048;
/** No request has this character in its address: Node reads addresses byte by byte. */
const CUT = "…";

/** An address as it may be kept: its beginning. */
export const maskAddress: Mask = (address) => {
  const masked = maskParameters(address);
  return masked.length > LONGEST_ADDRESS ? masked.slice(0, LONGEST_ADDRESS) + CUT : masked;
};

/** Whether what is kept of an address is only its beginning. */
export const isCut = (kept: string): boolean => kept.endsWith(CUT);

// Headers.

/** By this header the explorer proves its own reads, with the control token. */
export const OBSERVER_HEADER = "x-sandbox-observer";
/** By this header the explorer and a scenario say that a call is theirs, and prove it: `<origin> <control token> [<trace of the call it repeats>]`. */
export const ORIGIN_HEADER = "x-sandbox-origin";

const HIDDEN_HEADERS = new Set(["cookie", "proxy-authorization", OBSERVER_HEADER, ORIGIN_HEADER]);
/** They end like a secret and carry none. */
const OPEN_HEADERS =
  /(?:^|[_.-])(?:idempotency|websocket|surrogate|cache|partition|routing|correlation)[_.-]key$|(?:^|[_.-])(?:status|error|country|language|currency|postal)[_.-]code$/;
const SCHEME = /^(Bearer|Basic|Digest)\s+(\S.*)$/i;
/** Of those of this service: a prefix and 20 characters. */
const SHORTEST_OWN = 23;

/** A header's value as it may be kept. */
export const maskHeader = (given: string, value: string): string => {
  const name = given.toLowerCase();
  if (name === "authorization") {
    const [, scheme, key] = SCHEME.exec(value) ?? [];
    return maskKnown(scheme === undefined || key === undefined ? maskSecret(value) : `${scheme} ${maskSecret(key)}`);
  }
  if (HIDDEN_HEADERS.has(name) || (isSecretName(name) && !OPEN_HEADERS.test(name))) return MASK;
  return value.length < SHORTEST_OWN ? value : maskKnown(value);
};

// Bodies.

const SECRET_FIELDS = new Set(["client_secret", "api_key", "access_code", "secret"]);

const maskValue = (text: string): string =>
  JSON.stringify(maskSecret(text.startsWith('"') ? (JSON.parse(text) as string) : ""));

/** Several times what the bodies take that hold a secret where one belongs. */
const LONGEST_MASKED = 4_096;

/**
 * The body of a call that has secrets in known fields, with their values masked and every other byte as it was. One that
 * is long, or no JSON object, may hide a secret anywhere and is left out.
 */
export const maskBody: Mask = (body) => {
  if (body === "") return body;
  const value = body.length > LONGEST_MASKED ? undefined : tryParseJson(body);
  if (value === null) return body;
  if (typeof value !== "object" || Array.isArray(value))
    return `(${Buffer.byteLength(body)} bytes, left out because they may hold a secret)`;
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
