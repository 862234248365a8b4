import { readFileSync } from "node:fs";
import path from "node:path";

/** Location of this build's releases, and the public key for their signatures. */
export interface Releases {
  readonly url: string;
  /** Ed25519, PEM. */
  readonly publicKey: string;
}

/** Reads the package's release settings; null for a build without a key, which never updates itself. */
export function readReleases(manifest = path.join(import.meta.dirname, "../../package.json")): Releases | null {
  const { releases }: { releases?: Releases } = JSON.parse(readFileSync(manifest, "utf8"));
  return releases ?? null;
}
