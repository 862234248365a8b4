import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskSecret } from "../contract/known-secrets.ts";
import { accessCode, installedKey, keyPrefixes, sameSecret, webhookSecret } from "./keys.ts";

/** Any Unicode character; fast-check's own `binary` unit takes most of a second to prepare. */
const character = fc
  .nat({ max: 0x10_ff_ff - 0x8_00 })
  .map((code) => String.fromCodePoint(code < 0xd8_00 ? code : code + 0x8_00));

const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
const prefixes = Object.values(keyPrefixes);

describe("generated values", () => {
  it("D20: an installed key is isk_ and a UUID without dashes", () => {
    expect(installedKey("1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01")).toBe("isk_1f0c9a526d3b4e879b1a2c5d7e8f9a01");
  });

  it("D20: a webhook secret is pwh_ and 43 base64url characters, from all random bytes", () => {
    fc.assert(
      fc.property(bytes(32), (random) => {
        const secret = webhookSecret(random);
        expect(secret).toMatch(/^pwh_[A-Za-z0-9_-]{43}$/);
        expect(Buffer.from(secret.slice(4), "base64url")).toEqual(Buffer.from(random));
      }),
    );
  });

  it("an access code fits into a query string and contains all of its random bytes", () => {
    fc.assert(
      fc.property(bytes(16), (random) => {
        const code = accessCode(random);
        expect(code).toMatch(/^ac_[A-Za-z0-9_-]{22}$/);
        expect(encodeURIComponent(code)).toBe(code);
        expect(Buffer.from(code.slice(3), "base64url")).toEqual(Buffer.from(random));
      }),
    );
  });

  it("each kind has its own prefix", () => {
    expect(prefixes.toSorted()).toEqual(["ac_", "isk_", "pwh_", "sbx_"]);
  });
});

describe("comparing secrets", () => {
  it("is true only for equal secrets of any length", () => {
    const secret = "isk_1f0c9a526d3b4e879b1a2c5d7e8f9a01";
    expect(sameSecret(secret, secret)).toBe(true);
    for (const other of [
      "",
      " ",
      secret.slice(0, -1),
      `${secret}0`,
      ` ${secret}`,
      secret.toUpperCase(),
      secret.replace("1f", "1e"),
      secret.replace("01", "02"),
      `${secret}\u0000`,
    ]) {
      expect(sameSecret(other, secret), other).toBe(false);
      expect(sameSecret(secret, other), other).toBe(false);
    }
  });

  it("agrees with equality", () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), fc.string({ unit: character }), (one, other) => {
        expect(sameSecret(one, one)).toBe(true);
        expect(sameSecret(one, other)).toBe(one === other);
      }),
    );
  });
});

describe("a masked secret", () => {
  const filling = "•".repeat(8);

  it("shows prefix and last four characters of generated values", () => {
    expect(maskSecret("isk_1f0c9a526d3b4e879b1a2c5d7e8f9a01")).toBe(`isk_${filling}9a01`);
    expect(maskSecret("pwh_Qm7vT2xK9cRz4LdW8nHsYb1EfJgU6aPo3iXwVtM5kNA")).toBe(`pwh_${filling}5kNA`);
  });

  it("shows no end if it is too short", () => {
    expect(maskSecret("isk_12345678901")).toBe(`isk_${filling}`);
    expect(maskSecret("hunter2")).toBe(filling);
    expect(maskSecret("")).toBe(filling);
  });

  it("shows at most a short prefix and four characters, and hides its length", () => {
    const lead = fc.constantFrom("", ...prefixes, "cs_", "Bearer ", "A_", "secretive_");
    fc.assert(
      fc.property(lead, fc.string({ minLength: 1, maxLength: 60 }), (prefix, rest) => {
        const secret = prefix + rest;
        const [head, tail, ...more] = maskSecret(secret).split(filling);
        expect(more).toEqual([]);
        expect(head).toMatch(/^([A-Za-z]{2,4}_)?$/);
        expect(secret.startsWith(head ?? "")).toBe(true);
        expect(["", secret.slice(-4)]).toContain(tail);
        // At least two thirds of a secret stay hidden.
        if (tail !== "") expect(secret.length - (head ?? "").length).toBeGreaterThanOrEqual(12);
      }),
    );
  });

  it("never contains the whole secret, even if that looks like a prefix", () => {
    for (const secret of ["ab_", "isk_", "abcd_"]) expect(maskSecret(secret), secret).not.toContain(secret);
  });
});
