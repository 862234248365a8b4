import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import type { Plan } from "../contract/control/evidence-operations.ts";
import type { ServiceDatabase } from "../storage/service-database.ts";

/** Evidence as it is handed out: the bytes that are signed, and by whom. */
export interface SignedEvidence {
  readonly evidence: string;
  readonly signature: string;
  readonly public_key: string;
  readonly fingerprint: string;
}

const KEY = "evidence_key";
const PLANS = "plans";

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

/** What the service signs evidence with, and the plans it is judged by; both in the service's own file. */
export class EvidenceDesk {
  readonly #database: ServiceDatabase;

  constructor(database: ServiceDatabase) {
    this.#database = database;
  }

  /** The key is made when something is signed for the first time. */
  sign(evidence: string): SignedEvidence {
    const kept = this.#database.setting(KEY);
    const key =
      kept === undefined
        ? generateKeyPairSync("ed25519").privateKey
        : createPrivateKey({ key: Buffer.from(kept, "base64"), format: "der", type: "pkcs8" });
    if (kept === undefined)
      this.#database.setSetting(KEY, key.export({ format: "der", type: "pkcs8" }).toString("base64"));
    const publicKey = createPublicKey(key).export({ format: "der", type: "spki" });
    return {
      evidence,
      signature: sign(null, Buffer.from(evidence), key).toString("base64"),
      public_key: publicKey.toString("base64"),
      fingerprint: fingerprintOf(publicKey),
    };
  }

  /** By client. */
  plans(): Plan[] {
    return JSON.parse(this.#database.setting(PLANS) ?? "[]") as Plan[];
  }

  planOf(clientId: string | null): Plan | null {
    return this.plans().find(({ client_id }) => client_id === clientId) ?? null;
  }

  setPlan(clientId: string, plan: Omit<Plan, "client_id"> | null): void {
    const others = this.plans().filter(({ client_id }) => client_id !== clientId);
    const all = plan === null ? others : [...others, { client_id: clientId, ...plan }];
    const sorted = all.toSorted((one, other) => one.client_id.localeCompare(other.client_id));
    this.#database.setSetting(PLANS, JSON.stringify(sorted));
  }

  erase(): void {
    for (const key of [KEY, PLANS]) this.#database.forgetSetting(key);
  }
}
