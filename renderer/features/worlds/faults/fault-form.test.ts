import { describe, expect, it } from "vitest";
import { aboutOther, askedIn, type FaultForm, newFault } from "./fault-form.ts";

const asked = (change: Partial<FaultForm> = {}) => askedIn({ ...newFault, ...change });

describe("the form of a fault", () => {
  it("asks for an error of the contract once, as it opens", () => {
    expect(asked()).toEqual({ effect: { error: { code: "internal_error" } }, uses: 1 });
  });

  it("asks for what is chosen, and for nothing beside it", () => {
    expect(asked({ operation: "businesses.list", code: null, status: 502, when: "after", uses: null })).toEqual({
      operation: "businesses.list",
      effect: { error: { status: 502, when: "after" } },
    });
    expect(asked({ kind: "delay", seconds: 1.5, which: "lot", percent: 12.5, seed: 7, lasts: "10 min" })).toEqual({
      effect: { delay: { ms: 1500 } },
      calls: { probability: 0.125, seed: 7 },
      uses: 1,
      for_seconds: 600,
    });
    expect(asked({ kind: "rate_limit", which: "nth", uses: null })).toEqual({
      effect: { rate_limit: { limit: 10, window_seconds: 60 } },
    });
    expect(asked({ kind: "truncate", bytes: 4, when: "after", name: " Cut " })).toEqual({
      name: "Cut",
      effect: { truncate: { bytes: 4 } },
      uses: 1,
    });
  });

  it("asks for attempts what attempts can meet", () => {
    const attempts = aboutOther({ ...newFault, kind: "hang", operation: "businesses.list", when: "after" }, "attempts");
    expect(askedIn({ ...attempts, event_type: "supplier.procurements" })).toEqual({
      about: "attempts",
      event_type: "supplier.procurements",
      effect: { error: { status: 503, when: "after" } },
      uses: 1,
    });
    expect(askedIn({ ...attempts, kind: "delay" })?.effect).toEqual({ delay: { ms: 5000 } });
    expect(aboutOther({ ...newFault, kind: "drop" }, "attempts").kind).toBe("drop");
  });

  it("asks for nothing while a number or a span is missing", () => {
    expect(asked({ which: "nth", number: null })).toBeNull();
    expect(asked({ which: "lot", percent: null })).toBeNull();
    expect(asked({ kind: "delay", seconds: null })).toBeNull();
    expect(asked({ code: null, status: null })).toBeNull();
    expect(asked({ lasts: "soon" })).toBeNull();
  });
});
