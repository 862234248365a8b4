import { hexOf } from "../../../lib/bytes.ts";

/** Bytes of base64 in the standard alphabet, padded or not; null when it is none. */
export const fromBase64 = (text: string): Uint8Array | null => {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.replace(/=+$/, "").length % 4 === 1) return null;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
};

export const toBase64 = (bytes: Uint8Array): string => {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};

/** Bytes of pairs of hex digits; null when it is none. */
export const fromHex = (text: string): Uint8Array | null => {
  if (text.length === 0 || text.length % 2 === 1 || !/^[0-9a-f]+$/i.test(text)) return null;
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
};

export const toHex = (bytes: Uint8Array): string => [...bytes].map(hexOf).join("");

/** The text the bytes are in UTF-8, a byte order mark included; null when they are no text. */
export const exactText = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
};
