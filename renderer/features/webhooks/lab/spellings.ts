import { fromBase64, fromHex, toBase64 } from "./encodings.ts";

/** How a signature is written; `base64` is how the contract wants it. */
export type SpellingName = "base64" | "hex" | "base64url" | "unpadded" | "hex_in_base64" | "percent" | "spaces";
/** What stands around it. */
export type Wrapping = "prefix" | "quotes" | "several";

export interface Spelling {
  readonly name: SpellingName;
  readonly wrapping: Wrapping | null;
  readonly mac: Uint8Array;
}

/** Base64 as the service takes it: decoded and written again it is the same. */
export const isStrictBase64 = (value: string): boolean => {
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
export const spellingsOf = (value: string): Spelling[] =>
  unwrapped(value).flatMap(({ text, wrapping }) => read(text).map((spelling) => ({ ...spelling, wrapping })));
