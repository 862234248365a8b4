import { createHash, timingSafeEqual } from "node:crypto";
import { WORLD_TOKEN } from "../contract/access.ts";

/** D20: prefixes of generated values. */
export const keyPrefixes = { installed: "isk_", preloaded: "sbx_", webhookSecret: "pwh_", accessCode: "ac_" } as const;

/** Contract, "Install" 5: a fixed prefix and a UUID without dashes. */
export const installedKey = (uuid: string): string => keyPrefixes.installed + uuid.replaceAll("-", "");

/** D20: the prefix and 43 base64url characters, from 32 random bytes. */
export const webhookSecret = (random: Uint8Array): string =>
  keyPrefixes.webhookSecret + Buffer.from(random).toString("base64url");

/** Single-use code from 16 random bytes. */
export const accessCode = (random: Uint8Array): string =>
  keyPrefixes.accessCode + Buffer.from(random).toString("base64url");

/** Compares secrets in constant time. Only the length can leak, which is documented for each secret (D20). */
export const sameSecret = (given: string, expected: string): boolean => {
  const wanted = Buffer.from(expected);
  const offered = Buffer.from(given);
  const comparable = offered.length === wanted.length;
  return timingSafeEqual(comparable ? offered : wanted, wanted) && comparable;
};

/** Stored form of a secret with 256 random bits. Lookups by hash leak no partial matches. */
export const hashSecret = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** Prefixes of world tokens and claim links. */
export const accessPrefixes = { token: WORLD_TOKEN, link: "sbc_" } as const;
