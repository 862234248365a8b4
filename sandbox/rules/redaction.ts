import { maskSecret } from "./keys.ts";

/** The formats of the service's own secrets (D20). */
const KNOWN_SECRETS = /\b(?:isk|sbx|pwh|ac|cs)_[A-Za-z0-9_-]{20,}/g;

/** The signature of an upload address. */
const SIGNATURES = /([?&]signature=)[A-Za-z0-9_-]+/g;

/** Shorter values are no secrets anybody would use, and stand in too many places by chance. */
const SHORTEST = 8;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * Makes what masks secrets wherever they stand in a text: the given ones, whatever they look like, and whatever looks
 * like one of this service.
 */
export const redactor = (secrets: Iterable<string>): ((text: string) => string) => {
  const given = [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST);
  // The longest first: one may be the beginning of another.
  given.sort((one, other) => other.length - one.length);
  const literal = given.length === 0 ? null : new RegExp(given.map(escaped).join("|"), "g");
  return (text) => {
    const withoutGiven = literal === null ? text : text.replace(literal, (secret) => maskSecret(secret));
    return withoutGiven.replace(KNOWN_SECRETS, (secret) => maskSecret(secret)).replace(SIGNATURES, "$1••••••••");
  };
};

/** Bytes that are no text, masked the same; they stay as they are where nothing in them is secret. */
export const redactedBytes = (bytes: Buffer, redact: (text: string) => string): Buffer => {
  // Every byte is a character of its own.
  const text = bytes.toString("latin1");
  const masked = redact(text);
  return masked === text ? bytes : Buffer.from(masked.replaceAll("•", "*"), "latin1");
};
