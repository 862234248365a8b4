import { brotliDecompressSync, constants, unzipSync } from "node:zlib";
import { maskSecret } from "./keys.ts";

/** The formats of the service's own secrets (D20). */
const KNOWN_SECRETS = /\b(?:isk|sbx|pwh|ac|cs)_[A-Za-z0-9_-]{20,}/g;

const FILLING = "••••••••";

/** A parameter of an address whose name says that its value is a secret. */
const SECRET_PARAMETERS =
  /([?&](?:[^=&#]*(?:key|password|secret|signature|token)|(?:[^=&#]*[_.-])?(?:auth|code|pass|sig))=)([^&#]*)/gi;

/** An address with the values of such parameters masked. */
export const withoutParameters = (address: string): string => address.replace(SECRET_PARAMETERS, `$1${FILLING}`);

/** The values of such parameters, as written and as meant. */
export const secretParameters = (address: string): string[] =>
  [...address.matchAll(SECRET_PARAMETERS)].flatMap(([, , value = ""]) => [
    value,
    ...new URLSearchParams(`_=${value}`).getAll("_").filter((meant) => meant !== value),
  ]);

/** Shorter values are no secrets anybody would use, and stand in too many places by chance. */
const SHORTEST = 8;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** What a text is in base64 for certain, whatever stands before and behind it. */
const inBase64 = (text: string): string[] =>
  [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const range = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)] as const;
    return (["base64", "base64url"] as const).map((alphabet) => bytes.toString(alphabet).slice(...range));
  });

/** The signature of an upload address, in an address of its own, in one that is part of another, and in base64. */
const SIGNATURES = [
  /([?&]signature=)[A-Za-z0-9_-]+/g,
  /(signature(?:=|%(?:25){0,4}3[Dd]|\\{1,8}u003[Dd]))[A-Za-z0-9_-]{20,}/g,
  new RegExp(`(${inBase64("signature=").map(escaped).join("|")})[A-Za-z0-9+/_-]{20,}`, "g"),
];

/** What a text was before it was written into an address, and before it was written into JSON. */
const decoded = (text: string): string[] => [
  text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString()),
  text.replace(/\\(?:u([0-9A-Fa-f]{4})|(.))/gs, (_, unit: string | undefined, other: string) =>
    unit === undefined ? other : String.fromCharCode(Number.parseInt(unit, 16)),
  ),
];

/** A text may be written into another so often. */
const MOST_LAYERS = 4;

const hexadecimal = (value: number, digits: number): string =>
  value
    .toString(16)
    .padStart(digits, "0")
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const BACKSLASH = `(?:\\\\|%(?:25){0,${MOST_LAYERS}}5[Cc])`;

/** A pattern for every way to write a text in addresses and in JSON. */
const writtenAnyhow = (text: string): string =>
  Array.from(text, (character) => {
    const bytes = [...Buffer.from(character)].map((byte) => `%(?:25){0,${MOST_LAYERS}}${hexadecimal(byte, 2)}`);
    const units = character.split("").map((unit) => `${BACKSLASH}{1,16}u${hexadecimal(unit.charCodeAt(0), 4)}`);
    const plain = /\w/.test(character) ? character : `${BACKSLASH}{0,16}${escaped(character)}`;
    return `(?:${plain}|${bytes.join("")}|${units.join("")})`;
  }).join("");

/** The secrets that stand in a text once it is decoded. @param given what is sought beside what looks like one */
const secretsInside = (text: string, given: RegExp): Set<string> => {
  const found = new Set<string>();
  let layers = new Set([text]);
  for (let times = 0; times < MOST_LAYERS; times += 1) {
    layers = new Set([...layers].flatMap((layer) => decoded(layer).filter((inner) => inner !== layer)));
    for (const layer of layers) {
      const signatures = layer.match(/(?<=[?&]signature=)[A-Za-z0-9_-]{20,}/g) ?? [];
      for (const secret of [given, KNOWN_SECRETS].flatMap((sought) => layer.match(sought) ?? [])) found.add(secret);
      for (const signature of signatures) found.add(signature);
    }
  }
  return found;
};

/**
 * Makes what masks secrets wherever they stand in a text: the given ones, whatever they look like and also in base64, in
 * an address or in JSON, and whatever looks like one of this service.
 */
export const redactor = (secrets: Iterable<string>): ((text: string) => string) => {
  const given = new Set([...secrets].filter((secret) => secret.length >= SHORTEST));
  const known = (text: string): string =>
    SIGNATURES.reduce(
      (masked, signature) => masked.replace(signature, `$1${FILLING}`),
      text.replace(KNOWN_SECRETS, (secret) => maskSecret(secret)),
    );
  if (given.size === 0) return known;
  const sought = [...new Set([...given, ...[...given].flatMap(inBase64)])];
  // The longest first: one may be the beginning of another.
  sought.sort((one, other) => other.length - one.length);
  const literal = new RegExp(sought.map(escaped).join("|"), "g");
  // Most text is JSON in JSON: quotes alone are no reason to look into it.
  const isEncoded = sought.some((secret) => /["\\]/.test(secret)) ? /%[0-9A-Fa-f]{2}|\\/ : /%[0-9A-Fa-f]{2}|\\(?:u|\/)/;
  const withoutEncoded = (text: string): string => {
    if (!isEncoded.test(text)) return text;
    const found = secretsInside(text, literal);
    if (found.size === 0) return text;
    const masked = text.replace(new RegExp([...found].map(writtenAnyhow).join("|"), "g"), FILLING);
    return secretsInside(masked, literal).size === 0 ? masked : "(left out because it holds a secret)";
  };
  return (text) => {
    const withoutGiven = text.replace(literal, (secret) => (given.has(secret) ? maskSecret(secret) : FILLING));
    return known(withoutEncoded(withoutGiven));
  };
};

/** What a receiver may send packed is read as far as it goes, and no further than this. */
const MOST_UNPACKED_BYTES = 16 * 1024 * 1024;

const unpacked = (bytes: Buffer): Buffer | null => {
  const most = { maxOutputLength: MOST_UNPACKED_BYTES };
  const unpackings = [
    () => unzipSync(bytes, { ...most, finishFlush: constants.Z_SYNC_FLUSH }),
    () => brotliDecompressSync(bytes, { ...most, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  ];
  for (const unpack of unpackings) {
    try {
      return unpack();
    } catch {
      // It is something else.
    }
  }
  return null;
};

/** Bytes that are no text, masked the same; they stay as they are where nothing in them is secret. */
export const redactedBytes = (bytes: Buffer, redact: (text: string) => string): Buffer => {
  // Every byte is a character of its own.
  const text = bytes.toString("latin1");
  const masked = redact(text);
  if (masked !== text) return Buffer.from(masked.replaceAll("•", "*"), "latin1");
  const inside = unpacked(bytes)?.toString("latin1");
  return inside === undefined || redact(inside) === inside
    ? bytes
    : Buffer.from(`(${bytes.length} packed bytes, left out because they hold a secret)`);
};
