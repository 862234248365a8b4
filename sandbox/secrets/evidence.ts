import { createHash, createHmac, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";

/** Signed evidence: the exact text, and its signer. */
export interface SignedEvidence {
  readonly evidence: string;
  readonly signature: string;
  readonly public_key: string;
  readonly fingerprint: string;
}

const computeFingerprint = (publicKey: Buffer): string => createHash("sha256").update(publicKey).digest("hex");

/** Verifies a file's signature with the key it names. @returns null if valid, else the reason */
export const findEvidenceProblem = ({
  evidence,
  signature,
  public_key,
  fingerprint,
}: SignedEvidence): string | null => {
  const der = Buffer.from(public_key, "base64");
  if (computeFingerprint(der) !== fingerprint) return "the fingerprint is of another key";
  try {
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    if (key.asymmetricKeyType !== "ed25519") return "the key is not an Ed25519 key";
    return verify(null, Buffer.from(evidence), key, Buffer.from(signature, "base64"))
      ? null
      : "the file was changed after it was signed";
  } catch {
    return "the key cannot be read";
  }
};

/** DER prefix of a 32-byte Ed25519 key (PKCS 8, RFC 8410). */
const ED25519_DER_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Signs evidence with a key derived from the data folder's secret, so it stays the same until that is replaced. */
export const signEvidence = (secret: string, evidence: string): SignedEvidence => {
  const seed = createHmac("sha256", secret).update("evidence").digest();
  const key = createPrivateKey({ key: Buffer.concat([ED25519_DER_PREFIX, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" });
  return {
    evidence,
    signature: sign(null, Buffer.from(evidence), key).toString("base64"),
    public_key: publicKey.toString("base64"),
    fingerprint: computeFingerprint(publicKey),
  };
};
