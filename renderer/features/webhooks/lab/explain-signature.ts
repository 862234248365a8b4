import { bytesFromText } from "../../../lib/bytes.ts";
import { type BodyFormName, bodyForms } from "./body-forms.ts";
import { toBase64 } from "./encodings.ts";
import { concatBytes, digest, type Hash, hmac, sameBytes } from "./hmac.ts";
import { type SecretFormName, secretForms } from "./secret-forms.ts";
import { type Spelling, spellingsOf } from "./spellings.ts";

/** A secret that might have been used instead, with whose it is in words. */
export interface KnownSecret {
  readonly name: string;
  readonly secret: string;
}

/** The bytes the service sent for the same message, where this world still holds them. */
export interface SentBody {
  /** "try 2 of repairer.jobs J-20418". */
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

export type BodyMatch =
  | { readonly kind: "as_pasted" }
  | { readonly kind: "form"; readonly name: BodyFormName }
  | { readonly kind: "sent"; readonly name: string; readonly bytes: Uint8Array };
export type SecretMatch =
  | { readonly kind: "as_given" }
  | { readonly kind: "form"; readonly name: SecretFormName }
  | { readonly kind: "other"; readonly name: string };
/** How it was computed; `hmac` is the contract's. */
export type Method =
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
const bodiesOf = ({ body, sent }: Question): { readonly match: BodyMatch; readonly bytes: Uint8Array }[] => [
  { match: { kind: "as_pasted" }, bytes: body },
  ...bodyForms(body).map(({ name, bytes }) => ({ match: { kind: "form" as const, name }, bytes })),
  ...sent
    .filter(({ bytes }) => !sameBytes(bytes, body))
    .map(({ name, bytes }) => ({ match: { kind: "sent" as const, name, bytes }, bytes })),
];

const keysOf = ({ secret, others }: Question): { readonly match: SecretMatch; readonly key: Uint8Array }[] =>
  [
    { match: { kind: "as_given" as const }, key: bytesFromText(secret) },
    ...secretForms(secret).map(({ name, key }) => ({ match: { kind: "form" as const, name }, key })),
    ...others
      .filter((other) => other.secret !== secret)
      .map(({ name, secret: text }) => ({ match: { kind: "other" as const, name }, key: bytesFromText(text) })),
  ].filter(({ key }) => key.length > 0);

/** Ways that are not the contract's, over the body as it is and the secret as it is. */
const otherMethods = async (body: Uint8Array, key: Uint8Array): Promise<(readonly [Method, Uint8Array])[]> => [
  ...(await Promise.all(
    otherHashes.map(async (hash) => [{ kind: "hmac", hash } as const, await hmac(hash, key, body)] as const),
  )),
  ...(body.length === 0 ? [] : [[{ kind: "swapped" }, await hmac(contractHash, body, key)] as const]),
  ...(await Promise.all(
    [contractHash, ...otherHashes].map(
      async (hash) => [{ kind: "keyless", hash } as const, await digest(hash, body)] as const,
    ),
  )),
  [{ kind: "concatenated" }, await digest(contractHash, concatBytes(key, body))],
  [{ kind: "concatenated" }, await digest(contractHash, concatBytes(body, key))],
];

/**
 * Finds out what a signature was made from: tries the contract's way first (base64 of the HMAC-SHA256 of the body with
 * the secret), then other forms of the body, other secrets, other spellings and other ways to compute, and takes the
 * combination with the fewest differences.
 */
export const explainSignature = async (question: Question): Promise<Explained> => {
  const { body, value, secret } = question;
  const spellings = spellingsOf(value);
  const key = bytesFromText(secret);
  const computed = toBase64(await hmac(contractHash, key, body));
  let tried = 0;
  const found: { readonly match: Match; readonly cost: number }[] = [];
  const offer = (mac: Uint8Array, match: Omit<Match, "spelling">, cost: number) => {
    tried += spellings.length;
    for (const spelling of spellings) {
      const written = (spelling.name === "base64" ? 0 : 1) + (spelling.wrapping === null ? 0 : 1);
      if (sameBytes(spelling.mac, mac)) found.push({ match: { ...match, spelling }, cost: cost + written });
    }
  };
  const keys = keysOf(question);
  const macs = await Promise.all(
    bodiesOf(question).flatMap((one) =>
      keys.map(async (other) => ({
        mac: await hmac(contractHash, other.key, one.bytes),
        match: { body: one.match, secret: other.match, method: { kind: "hmac" as const, hash: contractHash } },
        cost: (one.match.kind === "as_pasted" ? 0 : 1) + (other.match.kind === "as_given" ? 0 : 1),
      })),
    ),
  );
  for (const { mac, match, cost } of macs) offer(mac, match, cost);
  if (found.length === 0) {
    for (const [method, mac] of await otherMethods(body, key))
      offer(mac, { body: { kind: "as_pasted" }, secret: { kind: "as_given" }, method }, 1);
  }
  const [best] = found.toSorted((a, b) => a.cost - b.cost);
  return { computed, match: best?.match ?? null, tried, macBytes: spellings[0]?.mac.length ?? null };
};

/** Whether a signature is what the contract wants: nothing about it had to be changed to make it match. */
export const isRight = ({ spelling, body, secret, method }: Match): boolean =>
  spelling.name === "base64" &&
  spelling.wrapping === null &&
  body.kind === "as_pasted" &&
  secret.kind === "as_given" &&
  method.kind === "hmac" &&
  method.hash === contractHash;
