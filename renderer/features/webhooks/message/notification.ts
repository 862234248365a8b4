import { SIGNATURE_HEADER } from "../../../../sandbox/contract/signature.ts";
import { type ByteRange, bytesFromText, parseJsonBytes } from "../../../lib/bytes.ts";
import { fieldIn } from "../../../lib/field-in.ts";

/** Returns the byte offsets of the first occurrence of `needle` in `bytes`, or null. */
export const findText = (bytes: Uint8Array, needle: string): ByteRange | null => {
  const wanted = bytesFromText(needle);
  if (wanted.length === 0) return null;
  outer: for (let start = 0; start + wanted.length <= bytes.length; start++) {
    for (let i = 0; i < wanted.length; i++) if (bytes[start + i] !== wanted[i]) continue outer;
    return { start, end: start + wanted.length };
  }
  return null;
};

export const findSignature = (headers: ReadonlyArray<readonly [string, string]>): string | null =>
  headers.find(([name]) => name.toLowerCase() === SIGNATURE_HEADER)?.[1] ?? null;

/** Returns a string field of the envelope; null for any other type. */
export const notificationField = (bytes: Uint8Array, name: string): string | null => {
  const value = fieldIn(parseJsonBytes(bytes), name);
  return typeof value === "string" ? value : null;
};

/** Returns the byte range of a string field's value with its quotes; null when it cannot be found. */
export const findField = (bytes: Uint8Array, name: string): ByteRange | null => {
  const value = notificationField(bytes, name);
  if (value === null) return null;
  const key = `${JSON.stringify(name)}:`;
  const range = findText(bytes, key + JSON.stringify(value));
  return range && { start: range.start + bytesFromText(key).length, end: range.end };
};

/** "CFdFr1wFRk…nHTc=": both ends of a signature. */
export const shortSignature = (signature: string): string =>
  signature.length <= 18 ? signature : `${signature.slice(0, 10)}…${signature.slice(-5)}`;

/** Decodes standard base64, padded or not; null when invalid. */
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

/** Decodes pairs of hex digits; null when invalid. */
export const fromHex = (text: string): Uint8Array | null => {
  if (text.length === 0 || text.length % 2 === 1 || !/^[0-9a-f]+$/i.test(text)) return null;
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
};

/** Decodes UTF-8 including a byte order mark; null when invalid. */
export const exactText = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
};

/** WebCrypto accepts only bytes of an ordinary buffer. */
const plain = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

/** Computes the HMAC-SHA256 of a message in the page. @throws for an empty key, or in an insecure context */
export const hmac = async (key: Uint8Array, message: Uint8Array): Promise<Uint8Array> => {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", plain(key), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign(algorithm.name, imported, plain(message)));
};

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

/** Returns whether WebCrypto is available: only in secure contexts, which include loopback. */
export const canCompute = (): boolean => globalThis.isSecureContext && globalThis.crypto?.subtle !== undefined;
