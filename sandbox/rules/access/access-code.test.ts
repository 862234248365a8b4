import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ACCESS_CODE_LIFETIME_MS, explainInvalidCode } from "./access-code.ts";

const ISSUED = Date.UTC(2026, 0, 1);
const code = { client_id: "mine", expires_at: ISSUED + ACCESS_CODE_LIFETIME_MS, consumed_at: null };

describe("an access code", () => {
  it("D22: is valid for fifteen minutes, to the millisecond", () => {
    expect(ACCESS_CODE_LIFETIME_MS).toBe(15 * 60 * 1_000);
    expect(explainInvalidCode(code, "mine", ISSUED)).toBeNull();
    expect(explainInvalidCode(code, "mine", ISSUED + 900_000)).toBeNull();
    expect(explainInvalidCode(code, "mine", ISSUED + 900_001)).toContain("expired");
  });

  it("D22: is valid only for the client it was issued to", () => {
    fc.assert(
      fc.property(fc.string(), (client) => {
        const problem = explainInvalidCode(code, client, ISSUED);
        return client === "mine" ? problem === null : problem?.includes("another client") === true;
      }),
    );
  });

  it("is valid once", () => {
    expect(explainInvalidCode({ ...code, consumed_at: ISSUED }, "mine", ISSUED + 4_000)).toBe(
      "The access code was already used, 4 s before this call.",
    );
  });

  it("must have been issued", () => {
    expect(explainInvalidCode(undefined, "mine", ISSUED)).toContain("doesn’t exist");
  });
});
