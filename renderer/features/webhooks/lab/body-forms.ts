import { bytesFromText } from "../../../lib/bytes.ts";
import { exactText, fromBase64 } from "./encodings.ts";
import { sameBytes } from "./hmac.ts";

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

export interface BodyForm {
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
export const bodyForms = (bytes: Uint8Array): BodyForm[] => {
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
