import { createHmac } from "node:crypto";
import { sameSecret } from "../secrets/keys.ts";

/** Signs upload addresses, so that only an address that was handed out takes an upload (D64). */
export class UploadSigner {
  readonly #key: () => string;

  /** @param key secret of this data folder, as it is by now */
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
