import { createHash, timingSafeEqual } from "node:crypto";
import { WORLD_TOKEN } from "../contract/access.ts";

/** D20: prefixes of the values the service mints. */
export const keyPrefixes = { installed: "isk_", preloaded: "sbx_", webhookSecret: "pwh_", accessCode: "ac_" } as const;

/** Contract, "Install" 5: a fixed prefix and a UUID without dashes. */
export const installedKey = (uuid: string): string => keyPrefixes.installed + uuid.replaceAll("-", "");

/** D20: the prefix and 43 base64url characters, from 32 random bytes. */
export const webhookSecret = (random: Uint8Array): string =>
  keyPrefixes.webhookSecret + Buffer.from(random).toString("base64url");

/** A short single-use code, from 16 random bytes. */
export const accessCode = (random: Uint8Array): string =>
  keyPrefixes.accessCode + Buffer.from(random).toString("base64url");

/**
 * Compares two secrets in a time that does not depend on where, or in how many characters, they differ. Only their
 * length can be told from it, which is documented for every secret there is (D20).
 */
export const sameSecret = (given: string, expected: string): boolean => {
  const wanted = Buffer.from(expected);
  const offered = Buffer.from(given);
  const comparable = offered.length === wanted.length;
  return timingSafeEqual(comparable ? offered : wanted, wanted) && comparable;
};

/** A secret of 256 random bits as it is kept. It is found by this, so that no comparison tells how much of it was right. */
export const hashSecret = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** Prefixes of world tokens, and of what a claim link carries. */
export const accessPrefixes = { token: WORLD_TOKEN, link: "sbc_" } as const;
