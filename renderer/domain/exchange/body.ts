import { parsePointer, pointer as pointerTo } from "../../../sandbox/contract/json-pointer.ts";
import { bytesFromBase64 } from "../../lib/bytes.ts";
import { fieldIn } from "../../lib/field-in.ts";
import { writtenJson } from "../../lib/parsed-json.ts";

/** A body's bytes with their text and its JSON, numbers as written; undefined where invalid. */
export interface Body {
  readonly bytes: Uint8Array;
  readonly text: string | undefined;
  readonly json: unknown;
}

const decodeText = (bytes: Uint8Array): string | undefined => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    // Control characters other than white space indicate a binary format, even if the bytes are valid UTF-8.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
    return /[\0-\x08\x0e-\x1f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
};

export const parseBody = (bytes: Uint8Array): Body => {
  const text = decodeText(bytes);
  return { bytes, text, json: text === undefined ? undefined : writtenJson(text) };
};

export const decodeBody = (base64: string): Body => parseBody(bytesFromBase64(base64));

/** Returns the longest part of a JSON Pointer that exists: a missing field is marked at its parent. */
export const nearestExisting = (value: unknown, pointer: string): string => {
  let at = value;
  let there = "";
  for (const step of parsePointer(pointer)) {
    at = fieldIn(at, step);
    if (at === undefined) break;
    there = pointerTo(there, step);
  }
  return there;
};
