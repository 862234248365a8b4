import { readFileSync } from "node:fs";
import path from "node:path";

/** Where the releases of this build are, and the key that each must be signed with. */
export interface Releases {
  readonly url: string;
  /** Ed25519, PEM. */
  readonly publicKey: string;
}

/** What the package says about its releases; null: it was made without a key, so nothing can be trusted to replace it. */
export function readReleases(manifest = path.join(import.meta.dirname, "../../package.json")): Releases | null {
  const { releases }: { releases?: Releases } = JSON.parse(readFileSync(manifest, "utf8"));
  return releases ?? null;
}
