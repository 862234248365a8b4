import { createPublicKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Sentence } from "./command.mjs";
import { ROOT } from "./project.mjs";

/**
 * Returns a build's release location and the public key for its signatures; null without a key: such an app never
 * updates itself.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {{ url: string, publicKey: string } | null}
 */
export function readReleases({ RELEASES_URL: url, RELEASE_SIGNING_KEY: key }) {
  if (!key) return null;
  if (!url)
    throw new Sentence("RELEASE_SIGNING_KEY is set: say in RELEASES_URL where the app finds its releases, too.");
  const publicKey = createPublicKey(key);
  if (publicKey.asymmetricKeyType !== "ed25519")
    throw new Sentence("RELEASE_SIGNING_KEY isn't an Ed25519 key: make one with `openssl genpkey -algorithm ed25519`.");
  return { url, publicKey: publicKey.export({ type: "spki", format: "pem" }).toString() };
}

/**
 * Signs a release's description, as text.
 *
 * @param {Buffer} described
 * @param {string} key
 */
export const signDescription = (described, key) => `${sign(null, described, key).toString("base64")}\n`;

/**
 * Returns a version's part of the changelog; null when there is none.
 *
 * @param {string} version
 * @param {string} [changelog] its file
 * @returns {string | null}
 */
export function releaseNotes(version, changelog = "CHANGELOG.md") {
  const parts = readFileSync(path.resolve(ROOT, changelog), "utf8").split(/^## /m);
  const part = parts.find((text) => text.split(/[\s\]]/, 1)[0]?.replace("[", "") === version);
  return part === undefined ? null : part.slice(part.indexOf("\n")).trim();
}
