import { createHmac } from "node:crypto";
import { sameSecret } from "../secrets/keys.ts";

/** Signs upload addresses, so only issued ones accept an upload (D64). */
export class UploadSigner {
  readonly #key: () => string;

  /** @param key current secret of the data folder */
  constructor(key: () => string) {
    this.#key = key;
  }

  sign(id: string, expires: number): string {
    return createHmac("sha256", this.#key()).update(`${id}:${expires}`).digest("base64url");
  }

  verify(id: string, expires: number, signature: string): boolean {
    return sameSecret(signature, this.sign(id, expires));
  }
}
