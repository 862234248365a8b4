import { createHash, createHmac, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";

/** Evidence as it is handed out: the bytes that are signed, and by whom. */
export interface SignedEvidence {
  readonly evidence: string;
  readonly signature: string;
  readonly public_key: string;
  readonly fingerprint: string;
}

const fingerprintOf = (publicKey: Buffer): string => createHash("sha256").update(publicKey).digest("hex");

/** Whether the signature of a file is that of the key it names. @returns null: it is; else why not */
export const evidenceProblem = ({ evidence, signature, public_key, fingerprint }: SignedEvidence): string | null => {
  const der = Buffer.from(public_key, "base64");
  if (fingerprintOf(der) !== fingerprint) return "the fingerprint is of another key";
  try {
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    if (key.asymmetricKeyType !== "ed25519") return "the key is no Ed25519 key";
    return verify(null, Buffer.from(evidence), key, Buffer.from(signature, "base64"))
      ? null
      : "the file was changed after it was signed";
  } catch {
    return "the key cannot be read";
  }
};

/** What comes before the 32 bytes of an Ed25519 key in its DER form (PKCS 8, RFC 8410). */
const ED25519 = Buffer.from("302e020100300506032b657004220420", "hex");

/** Signs evidence with a key that follows from a secret of the data folder: it is the same until that is replaced. */
export const signedEvidence = (secret: string, evidence: string): SignedEvidence => {
  const seed = createHmac("sha256", secret).update("evidence").digest();
  const key = createPrivateKey({ key: Buffer.concat([ED25519, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" });
  return {
    evidence,
    signature: sign(null, Buffer.from(evidence), key).toString("base64"),
    public_key: publicKey.toString("base64"),
    fingerprint: fingerprintOf(publicKey),
  };
};
