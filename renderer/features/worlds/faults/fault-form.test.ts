import { describe, expect, it } from "vitest";
import { type FaultForm, newFault, toFaultRequest } from "./fault-form.ts";

const asked = (change: Partial<FaultForm> = {}) => toFaultRequest({ ...newFault, ...change });

describe("the form of a fault", () => {
  it("initially injects an error of the contract once", () => {
    expect(asked()).toEqual({ effect: { error: { code: "internal_error" } }, uses: 1 });
  });

  it("requests only what is chosen", () => {
    expect(asked({ operation: "businesses.list", code: null, status: 502, when: "after", uses: null })).toEqual({
      operation: "businesses.list",
      effect: { error: { status: 502, when: "after" } },
    });
    expect(asked({ kind: "delay", seconds: 1.5, nth: 2, lasts: "10 min" })).toEqual({
      effect: { delay: { ms: 1500 } },
      calls: { nth: 2 },
      uses: 1,
      for_seconds: 600,
    });
    expect(asked({ kind: "rate_limit", nth: 3, uses: null })).toEqual({
      effect: { rate_limit: { limit: 10, window_seconds: 60 } },
    });
  });

  it("is invalid while a number or duration is missing", () => {
    expect(asked({ kind: "delay", seconds: null })).toBeNull();
    expect(asked({ code: null, status: null })).toBeNull();
    expect(asked({ lasts: "soon" })).toBeNull();
  });
});
