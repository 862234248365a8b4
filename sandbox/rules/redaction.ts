import { maskSecret } from "./keys.ts";

/** What stands in place of a secret. */
export const MASK = "••••••••";

/** The formats of the service's own secrets (D20). */
const KNOWN_SECRETS = /(?:isk|sbx|sbw|sbc|sbp|pwh|(?<![A-Za-z])(?:ac|cs))_[A-Za-z0-9_-]{20,}/g;

/** The signature of an upload address, also in one that is part of another. */
const SIGNATURES = /(signature(?:=|%3[Dd]))[A-Za-z0-9_-]{20,}/g;

const SECRET_ENDINGS = ["key", "password", "secret", "signature", "token"];
/** These are the end of too many other words. */
const SECRET_WORDS = ["auth", "code", "pass", "sig"];

/** Whether the name of a parameter or a header says that its value is a secret. */
export const isSecretName = (name: string): boolean => {
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

/** An address with the values masked of the parameters whose names say that they are secrets. */
export const withoutParameters = (address: string): string => {
  if (!address.includes("=")) return address;
  let masked = "";
  let kept = 0;
  for (const { from, to } of secretValues(address)) {
    masked += address.slice(kept, from) + MASK;
    kept = to;
  }
  return masked + address.slice(kept);
};

/** The longest part of an address that is kept. */
const LONGEST_ADDRESS = 2_048;
/** No request has this character in its address: Node reads addresses byte by byte. */
const CUT = "…";

/** The beginning of an address, so much as is kept of one. */
export const cutAddress = (address: string): string =>
  address.length > LONGEST_ADDRESS ? address.slice(0, LONGEST_ADDRESS) + CUT : address;

/** Whether what is kept of an address is only its beginning. */
export const isCut = (kept: string): boolean => kept.endsWith(CUT);

/** The values of such parameters, as they are written and as they are read. */
export const secretParameters = (address: string): string[] =>
  Array.from(secretValues(address), ({ from, to }) => address.slice(from, to)).flatMap((value) => [
    ...new Set([value, ...new URLSearchParams(`_=${value}`).getAll("_")]),
  ]);

/** Shorter values are no secrets anybody would use, and stand in too many places by chance. */
const SHORTEST = 8;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Makes what masks the given secrets, verbatim, and whatever looks like one of this service. */
export const redactor = (secrets: Iterable<string>): ((text: string) => string) => {
  const known = (text: string): string => text.replace(KNOWN_SECRETS, maskSecret).replace(SIGNATURES, `$1${MASK}`);
  const own = [...new Set(secrets)].filter(
    (secret) => secret.length >= SHORTEST && secret.replace(KNOWN_SECRETS, "") !== "",
  );
  if (own.length === 0) return known;
  // The longest first: one may be the beginning of another.
  own.sort((one, other) => other.length - one.length);
  const literal = new RegExp(own.map(escaped).join("|"), "g");
  return (text) => known(text.replace(literal, maskSecret));
};

/** Bytes that are no text, masked the same; they stay as they are where nothing in them is secret. */
export const redactedBytes = (bytes: Buffer, redact: (text: string) => string): Buffer => {
  // Every byte is a character of its own.
  const text = bytes.toString("latin1");
  const masked = redact(text);
  return masked === text ? bytes : Buffer.from(masked.replaceAll("•", "*"), "latin1");
};
