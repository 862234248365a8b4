import { bytesFromText } from "../../../lib/bytes.ts";
import { isObject } from "../../../lib/diff.ts";
import { exactText, fromBase64, fromHex, hmac, sameBytes, toBase64 } from "../message/notification.ts";

/** `{"a": 1, "b": [2, 3]}`: the default notation of Python and others. */
const formatSpaced = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(formatSpaced).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, field]) => `${JSON.stringify(key)}: ${formatSpaced(field)}`)
    .join(", ")}}`;
};

/** Other programs' notations of a value. */
const printings: readonly ((value: unknown) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, null, 2),
  (value) => JSON.stringify(value, null, 4),
  formatSpaced,
];

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Signed content: the pasted bytes, or another form of them. */
type BodyForm = "as_pasted" | "line_break" | "reserialised";

interface Body {
  readonly form: BodyForm;
  readonly bytes: Uint8Array;
}

const bodyForms = (bytes: Uint8Array): Body[] => {
  const text = exactText(bytes);
  const value = text === null ? undefined : parse(text);
  const others: readonly (readonly [BodyForm, string])[] = [
    ...(text === null ? [] : [text.trim(), `${text}\n`].map((one) => ["line_break", one] as const)),
    ...(value === undefined ? [] : printings.map((print) => ["reserialised", print(value)] as const)),
  ];
  return [{ form: "as_pasted", bytes }, ...others.map(([form, other]) => ({ form, bytes: bytesFromText(other) }))];
};

/** Notation of a signature; the contract requires `base64`. */
type Spelling = "base64" | "hex" | "url_safe" | "prefixed";

const fromUrlSafe = (text: string) => fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));

/** Returns all interpretations of a header's value as a signature, the contract's first. */
const readSignature = (value: string): { readonly spelling: Spelling; readonly mac: Uint8Array }[] => {
  const decoded = fromBase64(value);
  // Strict base64, as the service requires: encoding the decoded bytes gives the same text.
  const isStrict = decoded !== null && toBase64(decoded) === value;
  // "sha256=…"; the equals sign must not be base64 padding.
  const bare = value.replace(/^[A-Za-z][A-Za-z0-9-]*=(?=\S{20,})/, "");
  const ways: readonly (readonly [Spelling, Uint8Array | null])[] = [
    ["base64", isStrict ? decoded : null],
    ["hex", fromHex(value)],
    ["url_safe", isStrict ? null : fromUrlSafe(value)],
    ["prefixed", bare === value ? null : (fromHex(bare) ?? fromUrlSafe(bare))],
  ];
  return ways.flatMap(([spelling, mac]) => (mac && mac.length > 0 ? [{ spelling, mac }] : []));
};

/** A secret that may have been used by mistake, with its owner's label. */
export interface KnownSecret {
  readonly name: string;
  readonly secret: string;
}

interface Question {
  readonly body: Uint8Array;
  /** The header's value. */
  readonly value: string;
  readonly secret: string;
  readonly others: readonly KnownSecret[];
}

/** The inputs of a matching signature, with the secret's label if it is the wrong one. */
export interface Match {
  readonly body: BodyForm;
  readonly spelling: Spelling;
  readonly secret: "as_given" | "whitespace" | { readonly name: string };
}

export interface Explained {
  /** The expected signature in base64. */
  readonly computed: string;
  /** The inputs that produce the given signature; null when no attempt matches. */
  readonly match: Match | null;
  /** Length of the decoded signature in bytes; null when it cannot be decoded. */
  readonly macBytes: number | null;
}

const candidateKeys = ({ secret, others }: Question): readonly (readonly [Match["secret"], string])[] =>
  [
    ["as_given", secret] as const,
    ...[secret.trim(), `${secret}\n`].filter((text) => text !== secret).map((text) => ["whitespace", text] as const),
    ...others.filter((one) => one.secret !== secret).map(({ name, secret: text }) => [{ name }, text] as const),
  ].filter(([, text]) => text !== "");

/**
 * Finds the inputs of a signature. Tries the contract's way first (base64 of the HMAC-SHA256 of the body with the
 * secret), then other notations, secrets and forms of the body.
 */
export const explainSignature = async (question: Question, signal?: AbortSignal): Promise<Explained> => {
  const { body, value, secret } = question;
  const readings = readSignature(value);
  const computed = toBase64(await hmac(bytesFromText(secret), body));
  for (const { form, bytes } of bodyForms(body)) {
    for (const [used, text] of candidateKeys(question)) {
      signal?.throwIfAborted();
      const mac = await hmac(bytesFromText(text), bytes);
      const reading = readings.find((one) => sameBytes(one.mac, mac));
      if (reading)
        return {
          computed,
          match: { body: form, secret: used, spelling: reading.spelling },
          macBytes: reading.mac.length,
        };
    }
  }
  return { computed, match: null, macBytes: readings[0]?.mac.length ?? null };
};

/** Returns whether a signature matches the contract without any change. */
export const followsContract = ({ spelling, body, secret }: Match): boolean =>
  spelling === "base64" && body === "as_pasted" && secret === "as_given";
