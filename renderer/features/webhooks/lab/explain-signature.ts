import { bytesFromText } from "../../../lib/bytes.ts";
import { digest, exactText, fromBase64, fromHex, type Hash, hmac, sameBytes, toBase64 } from "../message/signing.ts";

/** Another form of the bytes that were pasted: what a signature may cover instead of them. */
export type BodyFormName =
  | "compact"
  | "pretty"
  | "spaced"
  | "sorted"
  | "sorted_spaced"
  | "envelope_order"
  | "escaped"
  | "newline_added"
  | "newline_removed"
  | "crlf"
  | "lf"
  | "bom_removed"
  | "bom_added"
  | "unquoted"
  | "base64_decoded";

interface BodyForm {
  readonly name: BodyFormName;
  readonly bytes: Uint8Array;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
};

/** `{"a": 1, "b": [2, 3]}`: how Python and others print JSON that nobody asked to be compact. */
const spaced = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, field]) => `${JSON.stringify(key)}: ${spaced(field)}`)
    .join(", ")}}`;
};

/** Contract, "Envelope": the fields in their order on the wire. */
const envelopeFields = [
  "message_id",
  "event_timestamp",
  "webhook_timestamp",
  "event_type",
  "type",
  "version",
  "integration_id",
  "payload",
] as const;
const payloadFields = ["procurement_id", "job_id", "status", "change_action"] as const;

const inOrder = (value: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    [...fields.filter((field) => field in value), ...Object.keys(value).filter((key) => !fields.includes(key))].map(
      (key) => [key, value[key]],
    ),
  );

const envelopeOrder = (value: unknown): unknown => {
  if (!isRecord(value)) return value;
  const { payload } = value;
  return inOrder(
    { ...value, ...(isRecord(payload) ? { payload: inOrder(payload, payloadFields) } : {}) },
    envelopeFields,
  );
};

const escaped = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
};

const printed = (value: unknown): (readonly [BodyFormName, string])[] => {
  const compact = JSON.stringify(value);
  const ordered = sorted(value);
  return [
    ["compact", compact],
    ["envelope_order", JSON.stringify(envelopeOrder(value))],
    ["pretty", JSON.stringify(value, null, 2)],
    ["pretty", JSON.stringify(value, null, 4)],
    ["pretty", JSON.stringify(value, null, "\t")],
    ["spaced", spaced(value)],
    ["sorted", JSON.stringify(ordered)],
    ["sorted_spaced", spaced(ordered)],
    ["escaped", escaped(compact)],
    ["escaped", compact.replaceAll("/", "\\/")],
  ];
};

const edges = (text: string): (readonly [BodyFormName, string])[] => [
  ["newline_removed", text.replace(/\r?\n$/, "")],
  ["newline_removed", text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "")],
  ["newline_added", `${text}\n`],
  ["lf", text.replaceAll("\r\n", "\n")],
  ["crlf", text.replaceAll(/\r?\n/g, "\r\n")],
  ["bom_removed", text.replace(/^\ufeff/, "")],
  ["bom_added", text.startsWith("\ufeff") ? text : `\ufeff${text}`],
];

/** The other forms of a body, likeliest first, none twice and none equal to the body itself. */
const bodyForms = (bytes: Uint8Array): BodyForm[] => {
  const text = exactText(bytes);
  if (text === null) return [];
  const value = parse(text);
  const inner = typeof value === "string" ? value : null;
  const decoded = fromBase64(text.replace(/\s/g, ""));
  const candidates: BodyForm[] = [
    ...edges(text).map(([name, form]) => ({ name, bytes: bytesFromText(form) })),
    ...(inner === null ? [] : [{ name: "unquoted" as const, bytes: bytesFromText(inner) }]),
    ...(value === undefined || inner !== null ? [] : printed(value)).map(([name, form]) => ({
      name,
      bytes: bytesFromText(form),
    })),
    ...(decoded && decoded.length > 0 ? [{ name: "base64_decoded" as const, bytes: decoded }] : []),
  ];
  return candidates.filter(
    (candidate, index) =>
      !sameBytes(candidate.bytes, bytes) &&
      candidates.findIndex((other) => sameBytes(other.bytes, candidate.bytes)) === index,
  );
};

/** Contract, "Signature": what every webhook secret begins with. */
export const SECRET_PREFIX = "pwh_";

/** Another key that a secret may have been turned into. */
export type SecretFormName = "trimmed" | "with_newline" | "without_prefix" | "with_prefix" | "decoded";

interface SecretForm {
  readonly name: SecretFormName;
  readonly key: Uint8Array;
}

/** The other forms of a secret, none empty and none equal to the secret as it is written. */
const secretForms = (secret: string): SecretForm[] => {
  const trimmed = secret.trim();
  const bare = trimmed.startsWith(SECRET_PREFIX) ? trimmed.slice(SECRET_PREFIX.length) : null;
  const forms: (readonly [SecretFormName, Uint8Array | null])[] = [
    ["trimmed", bytesFromText(trimmed)],
    ["with_newline", bytesFromText(`${trimmed}\n`)],
    ["without_prefix", bare === null ? null : bytesFromText(bare)],
    ["with_prefix", bare === null ? bytesFromText(SECRET_PREFIX + trimmed) : null],
    ["decoded", fromBase64((bare ?? trimmed).replaceAll("-", "+").replaceAll("_", "/"))],
    ["decoded", fromHex(bare ?? trimmed)],
  ];
  const written = bytesFromText(secret);
  return forms.flatMap(([name, key]) =>
    key === null || key.length === 0 || (key.length === written.length && key.every((byte, at) => byte === written[at]))
      ? []
      : [{ name, key }],
  );
};

/** How a signature is written; `base64` is how the contract wants it. */
export type SpellingName = "base64" | "hex" | "base64url" | "unpadded" | "hex_in_base64" | "percent" | "spaces";
/** What stands around it. */
export type Wrapping = "prefix" | "quotes" | "several";

interface Spelling {
  readonly name: SpellingName;
  readonly wrapping: Wrapping | null;
  readonly mac: Uint8Array;
}

/** Base64 as the service takes it: decoded and written again it is the same. */
const isStrictBase64 = (value: string): boolean => {
  const bytes = fromBase64(value);
  return bytes !== null && toBase64(bytes) === value;
};

const unwrapped = (value: string): { readonly text: string; readonly wrapping: Wrapping | null }[] =>
  [
    { text: value, wrapping: null },
    { text: value.replace(/^["'](.*)["']$/, "$1"), wrapping: "quotes" as const },
    // "sha256=…", "v1=…", "HMAC-SHA256 …"; the sign may not be base64's padding.
    { text: value.replace(/^[A-Za-z][A-Za-z0-9-]*(?:=|:| )\s*(?=\S{20,})/, ""), wrapping: "prefix" as const },
    { text: value.split(/[,;]\s*/)[0] ?? "", wrapping: "several" as const },
  ].filter(({ text, wrapping }) => wrapping === null || text !== value);

const percentDecoded = (text: string): string | null => {
  if (!/%[0-9a-f]{2}/i.test(text)) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

const read = (text: string): { readonly name: SpellingName; readonly mac: Uint8Array }[] => {
  const found: { name: SpellingName; mac: Uint8Array }[] = [];
  const add = (name: SpellingName, mac: Uint8Array | null) => {
    if (mac && mac.length > 0) found.push({ name, mac });
  };
  const strict = isStrictBase64(text) ? fromBase64(text) : null;
  add("base64", strict);
  if (strict) add("hex_in_base64", fromHex(new TextDecoder("latin1").decode(strict)));
  add("hex", fromHex(text.replace(/[:\s]/g, "")));
  if (!strict) add("unpadded", fromBase64(text));
  if (/[-_]/.test(text)) add("base64url", fromBase64(text.replaceAll("-", "+").replaceAll("_", "/")));
  if (/ /.test(text)) add("spaces", fromBase64(text.replaceAll(" ", "+")));
  add("percent", fromBase64(percentDecoded(text) ?? " "));
  return found;
};

/** Every way a header's value can be read as a signature, the contract's first. */
const spellingsOf = (value: string): Spelling[] =>
  unwrapped(value).flatMap(({ text, wrapping }) => read(text).map((spelling) => ({ ...spelling, wrapping })));

/** A secret that might have been used instead, with whose it is in words. */
export interface KnownSecret {
  readonly name: string;
  readonly secret: string;
}

/** The bytes the service sent for the same message, where this world still holds them. */
export interface SentBody {
  /** "attempt 2 of repairer.jobs J-20418". */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Question {
  readonly body: Uint8Array;
  /** The header's value. */
  readonly value: string;
  readonly secret: string;
  readonly others: readonly KnownSecret[];
  readonly sent: readonly SentBody[];
}

type BodyMatch =
  | { readonly kind: "as_pasted" }
  | { readonly kind: "form"; readonly name: BodyFormName }
  | { readonly kind: "sent"; readonly name: string; readonly bytes: Uint8Array };
type SecretMatch =
  | { readonly kind: "as_given" }
  | { readonly kind: "form"; readonly name: SecretFormName }
  | { readonly kind: "other"; readonly name: string };
/** How it was computed; `hmac` is the contract's. */
type Method =
  | { readonly kind: "hmac"; readonly hash: Hash }
  | { readonly kind: "swapped" }
  | { readonly kind: "keyless"; readonly hash: Hash }
  | { readonly kind: "concatenated" };

/** What a signature turned out to be made from. */
export interface Match {
  readonly spelling: Spelling;
  readonly body: BodyMatch;
  readonly secret: SecretMatch;
  readonly method: Method;
}

export interface Explained {
  /** The signature there should be, in base64. */
  readonly computed: string;
  /** What makes the one there is; null when nothing that was tried does. */
  readonly match: Match | null;
  /** How many combinations were tried. */
  readonly tried: number;
  /** How long the signature is once it is decoded; null when it is no encoding of bytes. */
  readonly macBytes: number | null;
}

const contractHash: Hash = "SHA-256";
const otherHashes: readonly Hash[] = ["SHA-1", "SHA-384", "SHA-512"];

/** A form that explains the signature says more than that other bytes were sent, so forms come first. */
const bodiesOf = ({ body, sent }: Question): { readonly match: BodyMatch; readonly bytes: Uint8Array }[] => [
  { match: { kind: "as_pasted" }, bytes: body },
  ...bodyForms(body).map(({ name, bytes }) => ({ match: { kind: "form" as const, name }, bytes })),
  ...sent
    .filter(({ bytes }) => !sameBytes(bytes, body))
    .map(({ name, bytes }) => ({ match: { kind: "sent" as const, name, bytes }, bytes })),
];

const keysOf = ({ secret, others }: Question): { readonly match: SecretMatch; readonly key: Uint8Array }[] =>
  [
    { match: { kind: "as_given" as const }, key: bytesFromText(secret) },
    ...secretForms(secret).map(({ name, key }) => ({ match: { kind: "form" as const, name }, key })),
    ...others
      .filter((other) => other.secret !== secret)
      .map(({ name, secret: text }) => ({ match: { kind: "other" as const, name }, key: bytesFromText(text) })),
  ].filter(({ key }) => key.length > 0);

/** A body may be larger than a call takes arguments, so it cannot be spread. */
const joined = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
};

/** Ways that are not the contract's, over the body as it is and the secret as it is. */
const otherMethods = async (body: Uint8Array, key: Uint8Array): Promise<(readonly [Method, Uint8Array])[]> => [
  ...(await Promise.all(
    otherHashes.map(async (hash) => [{ kind: "hmac", hash } as const, await hmac(hash, key, body)] as const),
  )),
  ...(body.length === 0 ? [] : [[{ kind: "swapped" }, await hmac(contractHash, body, key)] as const]),
  ...(await Promise.all(
    [contractHash, ...otherHashes].map(
      async (hash) => [{ kind: "keyless", hash } as const, await digest(hash, body)] as const,
    ),
  )),
  [{ kind: "concatenated" }, await digest(contractHash, joined(key, body))],
  [{ kind: "concatenated" }, await digest(contractHash, joined(body, key))],
];

/**
 * Finds out what a signature was made from: tries the contract's way first (base64 of the HMAC-SHA256 of the body with
 * the secret), then other forms of the body, other secrets, other spellings and other ways to compute, and takes the
 * combination with the fewest differences.
 */
export const explainSignature = async (question: Question): Promise<Explained> => {
  const { body, value, secret } = question;
  const spellings = spellingsOf(value);
  const key = bytesFromText(secret);
  const computed = toBase64(await hmac(contractHash, key, body));
  let tried = 0;
  const found: { readonly match: Match; readonly cost: number }[] = [];
  const offer = (mac: Uint8Array, match: Omit<Match, "spelling">, cost: number) => {
    tried += spellings.length;
    for (const spelling of spellings) {
      const written = (spelling.name === "base64" ? 0 : 1) + (spelling.wrapping === null ? 0 : 1);
      if (sameBytes(spelling.mac, mac)) found.push({ match: { ...match, spelling }, cost: cost + written });
    }
  };
  const keys = keysOf(question);
  const macs = await Promise.all(
    bodiesOf(question).flatMap((one) =>
      keys.map(async (other) => ({
        mac: await hmac(contractHash, other.key, one.bytes),
        match: { body: one.match, secret: other.match, method: { kind: "hmac" as const, hash: contractHash } },
        cost: (one.match.kind === "as_pasted" ? 0 : 1) + (other.match.kind === "as_given" ? 0 : 1),
      })),
    ),
  );
  for (const { mac, match, cost } of macs) offer(mac, match, cost);
  if (found.length === 0) {
    for (const [method, mac] of await otherMethods(body, key))
      offer(mac, { body: { kind: "as_pasted" }, secret: { kind: "as_given" }, method }, 1);
  }
  const [best] = found.toSorted((a, b) => a.cost - b.cost);
  return { computed, match: best?.match ?? null, tried, macBytes: spellings[0]?.mac.length ?? null };
};

/** Whether a signature is what the contract wants: nothing about it had to be changed to make it match. */
export const isRight = ({ spelling, body, secret, method }: Match): boolean =>
  spelling.name === "base64" &&
  spelling.wrapping === null &&
  body.kind === "as_pasted" &&
  secret.kind === "as_given" &&
  method.kind === "hmac" &&
  method.hash === contractHash;
