export type Hash = "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512";

/** WebCrypto takes bytes of an ordinary buffer only. */
const plain = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

/** HMAC of a message, computed in the page. @throws when the key is empty, or the page may not compute */
export const hmac = async (hash: Hash, key: Uint8Array, message: Uint8Array): Promise<Uint8Array> => {
  const algorithm = { name: "HMAC", hash };
  const imported = await crypto.subtle.importKey("raw", plain(key), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign(algorithm.name, imported, plain(message)));
};

/** A hash without a key. */
export const digest = async (hash: Hash, message: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest(hash, plain(message)));

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

export const concatBytes = (...parts: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};
