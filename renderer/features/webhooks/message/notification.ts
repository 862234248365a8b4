import { SIGNATURE_HEADER } from "../../../../sandbox/contract/signature.ts";
import { type ByteRange, bytesFromText, jsonOf, rangeOfText } from "../../../lib/bytes.ts";
import { fieldIn } from "../../../lib/field-in.ts";

export const signatureIn = (headers: ReadonlyArray<readonly [string, string]>): string | null =>
  headers.find(([name]) => name.toLowerCase() === SIGNATURE_HEADER)?.[1] ?? null;

/** A field of the envelope as the text it has in the bytes; null when it is not a string there. */
export const fieldOf = (bytes: Uint8Array, name: string): string | null => {
  const value = fieldIn(jsonOf(bytes), name);
  return typeof value === "string" ? value : null;
};

/** Where a string field's value lies in the bytes, quotes included; null when it cannot be told. */
export const rangeOfField = (bytes: Uint8Array, name: string): ByteRange | null => {
  const value = fieldOf(bytes, name);
  if (value === null) return null;
  const key = `${JSON.stringify(name)}:`;
  const range = rangeOfText(bytes, key + JSON.stringify(value));
  return range && { start: range.start + bytesFromText(key).length, end: range.end };
};

/** "CFdFr1wFRk…nHTc=": both ends of a signature. */
export const shortSignature = (signature: string): string =>
  signature.length <= 18 ? signature : `${signature.slice(0, 10)}…${signature.slice(-5)}`;
