import { describe, expect, it } from "vitest";
import { correctBehaviour } from "../../contract/control/presets.ts";
import type { ReceiverBehaviour } from "../../contract/control/receiver-operations.ts";
import { rejectReasons } from "../../contract/signature.ts";
import { decideResponse } from "./receiver.ts";

const behaving = (changes: Partial<ReceiverBehaviour>): ReceiverBehaviour => ({ ...correctBehaviour, ...changes });
const accepted = (deduped: boolean) => ({
  outcome: deduped ? "repeated" : "accepted",
  status: 200,
  body: { ok: true, deduped },
});

describe("a built-in receiver", () => {
  it("accepts valid notifications by default", () => {
    expect(decideResponse(correctBehaviour, 0, null, false)).toEqual(accepted(false));
    expect(decideResponse(correctBehaviour, 0, null, true)).toEqual(accepted(true));
    expect(rejectReasons.map((reason) => decideResponse(correctBehaviour, 0, reason, false))).toEqual([
      { outcome: "refused", status: 401, body: { ok: false, reason: "missing_signature" } },
      { outcome: "refused", status: 401, body: { ok: false, reason: "bad_signature" } },
      { outcome: "refused", status: 400, body: { ok: false, reason: "missing_timestamp" } },
      { outcome: "refused", status: 400, body: { ok: false, reason: "stale_timestamp" } },
    ]);
  });

  it("verifies before it looks for duplicates", () => {
    expect(decideResponse(correctBehaviour, 5, "stale_timestamp", true).outcome).toBe("refused");
  });

  it("accepts invalid ones without verification, and repeats without deduplication", () => {
    expect(decideResponse(behaving({ verify: false }), 0, "bad_signature", false)).toEqual(accepted(false));
    expect(decideResponse(behaving({ deduplicate: false }), 0, null, true)).toEqual(accepted(false));
  });

  it("returns a status to the first ones, then accepts", () => {
    const failing = behaving({ answer: "status", status: 503, first: 2 });
    expect([0, 1, 2, 3].map((counted) => decideResponse(failing, counted, null, false).status)).toEqual([
      503, 503, 200, 200,
    ]);
  });

  it("returns it, or doesn't respond, to all without a number", () => {
    expect(decideResponse(behaving({ answer: "status", status: 500 }), 1_000_000, null, false)).toMatchObject({
      outcome: "failed",
      status: 500,
    });
    expect(decideResponse(behaving({ answer: "time_out" }), 1_000_000, null, false)).toMatchObject({
      outcome: "held",
      status: null,
    });
  });

  it("acts as configured before it verifies", () => {
    expect(decideResponse(behaving({ answer: "status", status: 500 }), 0, "bad_signature", false).status).toBe(500);
    expect(decideResponse(behaving({ answer: "time_out", first: 1 }), 0, "bad_signature", false).outcome).toBe("held");
    expect(decideResponse(behaving({ answer: "time_out", first: 1 }), 1, "bad_signature", false).outcome).toBe(
      "refused",
    );
  });
});
