import { bytesFromText } from "../../../lib/bytes.ts";
import { isObject } from "../../../lib/diff.ts";
import {
  digest,
  exactText,
  fromBase64,
  fromHex,
  type Hash,
  hmac,
  sameBytes,
  toBase64,
} from "../message/notification.ts";

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
};

/** `{"a": 1, "b": [2, 3]}`: how Python and others print JSON that nobody asked to be compact. */
const spaced = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
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
  if (!isObject(value)) return value;
  const { payload } = value;
  return inOrder(
    { ...value, ...(isObject(payload) ? { payload: inOrder(payload, payloadFields) } : {}) },
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

/** A value printed by other programs. */
const printings = [
  ["compact", (value) => JSON.stringify(value)],
  ["envelope_order", (value) => JSON.stringify(envelopeOrder(value))],
  ["pretty", (value) => JSON.stringify(value, null, 2)],
  ["pretty", (value) => JSON.stringify(value, null, 4)],
  ["pretty", (value) => JSON.stringify(value, null, "\t")],
  ["spaced", spaced],
  ["sorted", (value) => JSON.stringify(sorted(value))],
  ["sorted_spaced", (value) => spaced(sorted(value))],
  ["escaped", (value) => escaped(JSON.stringify(value))],
  ["escaped", (value) => JSON.stringify(value).replaceAll("/", "\\/")],
] as const satisfies readonly (readonly [string, (value: unknown) => string])[];

/** A text whose ends or line breaks were changed on its way. */
const edges = [
  ["newline_removed", (text) => text.replace(/\r?\n$/, "")],
  ["newline_removed", (text) => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "")],
  ["newline_added", (text) => `${text}\n`],
  ["lf", (text) => text.replaceAll("\r\n", "\n")],
  ["crlf", (text) => text.replaceAll(/\r?\n/g, "\r\n")],
  ["bom_removed", (text) => text.replace(/^\ufeff/, "")],
  ["bom_added", (text) => (text.startsWith("\ufeff") ? text : `\ufeff${text}`)],
] as const satisfies readonly (readonly [string, (text: string) => string])[];

/** Another form of the bytes that were pasted: what a signature may cover instead of them. */
export type BodyFormName = (typeof printings)[number][0] | (typeof edges)[number][0] | "unquoted" | "base64_decoded";

/** The other forms of a body, likeliest first; each is made when it is asked for, as a body may be large. */
function* bodyForms(bytes: Uint8Array): Generator<readonly [BodyFormName, Uint8Array]> {
  const text = exactText(bytes);
  if (text === null) return;
  for (const [name, change] of edges) yield [name, bytesFromText(change(text))];
  const value = parse(text);
  if (typeof value === "string") yield ["unquoted", bytesFromText(value)];
  else if (value !== undefined) for (const [name, print] of printings) yield [name, bytesFromText(print(value))];
  const decoded = fromBase64(text.replace(/\s/g, ""));
  if (decoded && decoded.length > 0) yield ["base64_decoded", decoded];
}

/** Contract, "Signature": what every webhook secret begins with. */
export const SECRET_PREFIX = "pwh_";

/** Another key that a secret may have been turned into. */
export type SecretFormName = "trimmed" | "with_newline" | "without_prefix" | "with_prefix" | "decoded";

/** The other forms of a secret, none equal to the secret as it is written. */
const secretForms = (secret: string) => {
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
  return forms.flatMap(([name, key]) => (key === null || sameBytes(key, written) ? [] : [{ name, key }]));
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

const read = (text: string) => {
  const decoded = fromBase64(text);
  // Base64 as the service takes it: decoded and written again it is the same.
  const strict = decoded && toBase64(decoded) === text ? decoded : null;
  const ways: (readonly [SpellingName, Uint8Array | null])[] = [
    ["base64", strict],
    ["hex_in_base64", strict && fromHex(new TextDecoder("latin1").decode(strict))],
    ["hex", fromHex(text.replace(/[:\s]/g, ""))],
    ["unpadded", strict ? null : decoded],
    ["base64url", /[-_]/.test(text) ? fromBase64(text.replaceAll("-", "+").replaceAll("_", "/")) : null],
    ["spaces", / /.test(text) ? fromBase64(text.replaceAll(" ", "+")) : null],
    ["percent", fromBase64(percentDecoded(text) ?? " ")],
  ];
  return ways.flatMap(([name, mac]) => (mac && mac.length > 0 ? [{ name, mac }] : []));
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
function* bodiesOf({ body, sent }: Question): Generator<{ readonly match: BodyMatch; readonly bytes: Uint8Array }> {
  yield { match: { kind: "as_pasted" }, bytes: body };
  for (const [name, bytes] of bodyForms(body)) yield { match: { kind: "form", name }, bytes };
  for (const { name, bytes } of sent) yield { match: { kind: "sent", name, bytes }, bytes };
}

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
async function* otherMethods(body: Uint8Array, key: Uint8Array): AsyncGenerator<readonly [Method, Uint8Array]> {
  for (const hash of otherHashes) yield [{ kind: "hmac", hash }, await hmac(hash, key, body)];
  if (body.length > 0) yield [{ kind: "swapped" }, await hmac(contractHash, body, key)];
  for (const hash of [contractHash, ...otherHashes]) yield [{ kind: "keyless", hash }, await digest(hash, body)];
  yield [{ kind: "concatenated" }, await digest(contractHash, joined(key, body))];
  yield [{ kind: "concatenated" }, await digest(contractHash, joined(body, key))];
}

/** The MACs that are tried, with what each is of: the contract's way first, then others, those with more changes last. */
async function* macsOf(question: Question): AsyncGenerator<readonly [mac: Uint8Array, of: Omit<Match, "spelling">]> {
  const keys = keysOf(question);
  const seen = new Set<string>();
  for (const body of bodiesOf(question)) {
    for (const { match: secret, key } of keys) {
      const mac = await hmac(contractHash, key, body.bytes);
      // The same bytes again: an earlier form of the body is this one.
      if (key === keys[0]?.key && seen.size === seen.add(toBase64(mac)).size) break;
      yield [mac, { body: body.match, secret, method: { kind: "hmac", hash: contractHash } }];
    }
    // The browser computes without leaving its task; what a person does meanwhile comes between two forms.
    await new Promise((resolve) => setTimeout(resolve));
  }
  const asTheyAre = { body: { kind: "as_pasted" }, secret: { kind: "as_given" } } as const;
  for await (const [method, mac] of otherMethods(question.body, bytesFromText(question.secret)))
    yield [mac, { ...asTheyAre, method }];
}

/**
 * Finds out what a signature was made from: tries the contract's way first (base64 of the HMAC-SHA256 of the body with
 * the secret), then other forms of the body, other secrets, other spellings and other ways to compute. One at a time, so
 * that the page stays quick with any body.
 */
export const explainSignature = async (question: Question, signal?: AbortSignal): Promise<Explained> => {
  const { body, value, secret } = question;
  const spellings = spellingsOf(value);
  const computed = toBase64(await hmac(contractHash, bytesFromText(secret), body));
  const macBytes = spellings[0]?.mac.length ?? null;
  const changes = ({ name, wrapping }: Spelling) => Number(name !== "base64") + Number(wrapping !== null);
  let tried = 0;
  for await (const [mac, of] of macsOf(question)) {
    signal?.throwIfAborted();
    tried += spellings.length;
    const [spelling] = spellings
      .filter((one) => sameBytes(one.mac, mac))
      .toSorted((one, other) => changes(one) - changes(other));
    if (spelling) return { computed, match: { ...of, spelling }, tried, macBytes };
  }
  return { computed, match: null, tried, macBytes };
};

/** Whether a signature is what the contract wants: nothing about it had to be changed to make it match. */
export const isRight = ({ spelling, body, secret, method }: Match): boolean =>
  spelling.name === "base64" &&
  spelling.wrapping === null &&
  body.kind === "as_pasted" &&
  secret.kind === "as_given" &&
  method.kind === "hmac" &&
  method.hash === contractHash;
