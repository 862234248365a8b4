import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ACCESS_CODE_LIFETIME_MS, isUsableCode } from "./access-code.ts";

const ISSUED = Date.UTC(2026, 0, 1);
const code = { client_id: "mine", expires_at: ISSUED + ACCESS_CODE_LIFETIME_MS, consumed_at: null };

describe("an access code", () => {
  it("D22: can be used for fifteen minutes, to the millisecond", () => {
    expect(ACCESS_CODE_LIFETIME_MS).toBe(15 * 60 * 1_000);
    expect(isUsableCode(code, "mine", ISSUED)).toBe(true);
    expect(isUsableCode(code, "mine", ISSUED + 900_000)).toBe(true);
    expect(isUsableCode(code, "mine", ISSUED + 900_001)).toBe(false);
  });

  it("D22: can be used by the client it was issued to and by no other", () => {
    fc.assert(fc.property(fc.string(), (client) => isUsableCode(code, client, ISSUED) === (client === "mine")));
  });

  it("can be used once", () => {
    expect(isUsableCode({ ...code, consumed_at: ISSUED }, "mine", ISSUED)).toBe(false);
  });
});
