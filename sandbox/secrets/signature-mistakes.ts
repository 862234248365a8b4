import { createHash } from "node:crypto";
import { readField, readText, tryParseJson } from "../rules/json/untyped.ts";
import { keyPrefixes } from "./keys.ts";

/** Describes a signature that isn’t base64; null for base64. */
export const describeForm = (header: string): string | null => {
  if (/^sha256=/i.test(header)) return "the header begins with sha256=, which isn’t part of the base64";
  if (/^[0-9a-f]{64}$/i.test(header)) return "the header is hex, not base64";
  const padded = `${header.replaceAll("-", "+").replaceAll("_", "/").replace(/=$/, "")}=`;
  const isOtherAlphabet = header !== padded && Buffer.from(header, "base64").toString("base64") === padded;
  return isOtherAlphabet ? "the header is base64url or without padding, not base64" : null;
};

type Sign = (body: Uint8Array, secret: string | Buffer) => string;

/** Computations that programs do instead of the contract's, with their descriptions. */
function* listOtherSignatures(
  body: Uint8Array,
  secret: string,
  signBody: Sign,
): Generator<readonly [string, string], void> {
  const text = Buffer.from(body).toString("utf8");
  const parsed = tryParseJson(text);
  const bare = secret.slice(keyPrefixes.webhookSecret.length);
  const sign = (other: string, key: string | Buffer = secret): string => signBody(Buffer.from(other), key);
  yield [sign(text, bare), `it was made with the secret without ${keyPrefixes.webhookSecret}`];
  yield [
    sign(text, Buffer.from(bare, "base64url")),
    "it was made with the decoded secret. The secret is the text itself",
  ];
  yield [
    sign(JSON.stringify(readField(parsed, "payload")) ?? ""),
    "it was made over the payload, not over the whole body",
  ];
  if (parsed !== undefined)
    for (const indent of [0, 2, 4])
      yield [sign(JSON.stringify(parsed, null, indent)), "it was made over re-serialised JSON, not over these bytes"];
  yield [sign(`${text}\n`), "it was made over the body and a line break"];
  yield [sign(text.trim()), "it was made over the body without the space around it"];
  yield [sign(`${readText(parsed, "webhook_timestamp")}.${text}`), "it was made over the timestamp and the body"];
  const hash = (hashed: string): string => createHash("sha256").update(hashed).digest("base64");
  yield [hash(text), "it is a SHA-256 without the secret, not an HMAC"];
  for (const joined of [secret + text, text + secret])
    yield [hash(joined), "it is a SHA-256 over the secret and the body, not an HMAC"];
}

/** Describes how a wrong signature was made; null if no known mistake leads to it. */
export const describeComputation = (
  signature: string,
  body: Uint8Array,
  secret: string,
  signBody: Sign,
): string | null => {
  for (const [other, words] of listOtherSignatures(body, secret, signBody)) if (other === signature) return words;
  return null;
};
