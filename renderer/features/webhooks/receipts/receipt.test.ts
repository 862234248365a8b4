import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { markOfReceipt, reasonSentence, receiptSentence, sideOfEvent } from "./receipt.tsx";

type Told = Parameters<typeof receiptSentence>[0];
const good: Told = { outcome: "accepted", status: 200, repeat: false, reason: null, verification: [] };
const failing = (detail: string): Receipt["verification"] => [
  { step: "header_present", verdict: "passed", detail: "present" },
  { step: "signature_matches", verdict: "failed", detail },
  { step: "timestamp_parses", verdict: "skipped", detail: "not reached" },
];

describe("what a receipt says", () => {
  it("gives each reason of a refusal in words, with what the failed step found", () => {
    const refused = { ...good, outcome: "refused", status: 401 } as const;
    expect(receiptSentence({ ...refused, reason: "missing_signature" })).toBe(
      "Refused with 401. The header service-hmac-sha256 is missing, so the sender is unproven.",
    );
    expect(receiptSentence({ ...refused, reason: "bad_signature", verification: failing("20 bytes, not 32") })).toBe(
      "Refused with 401. Its signature is invalid: 20 bytes, not 32.",
    );
    expect(receiptSentence({ ...refused, status: 400, reason: "missing_timestamp" })).toMatch(
      /^Refused with 400\. .*time zone\.$/,
    );
    expect(
      receiptSentence({ ...refused, status: 400, reason: "stale_timestamp", verification: failing("360.0 s old") }),
    ).toMatch(/360\.0 s old\.$/);
  });

  it("tells a notification that was accepted from one that came before", () => {
    expect(receiptSentence(good)).toBe("All four steps passed and the message is new: acknowledged with 200.");
    expect(receiptSentence({ ...good, outcome: "repeated", repeat: true })).toMatch(
      /already accepted.*without further action/,
    );
  });

  it("says what a receiver let pass because it was told not to look", () => {
    const bad: Told = { ...good, reason: "bad_signature", verification: failing("the header is not base64") };
    expect(receiptSentence(bad, { verify: false, deduplicate: true })).toBe(
      "Acknowledged with 200. A correct receiver rejects it; this one doesn’t verify. Its signature is invalid: the header is not base64.",
    );
    const repeated = receiptSentence(
      { ...bad, outcome: "repeated", repeat: true },
      { verify: false, deduplicate: true },
    );
    expect(repeated).toMatch(/without further action\. A correct receiver rejects it/);
    expect(receiptSentence({ ...good, repeat: true }, { verify: true, deduplicate: false })).toMatch(
      /processed it again/,
    );
  });

  it("says of an error response whether anything was wrong with the delivery", () => {
    const turned: Told = { ...good, outcome: "failed", status: 503 };
    expect(receiptSentence(turned)).toBe("Returned 503, as configured. Nothing was wrong with it.");
    expect(receiptSentence({ ...turned, reason: "missing_signature" })).toMatch(
      /would not have passed: The header service-hmac-sha256 is missing/,
    );
    expect(receiptSentence({ ...good, outcome: "held", status: null })).toMatch(/^No response, as configured/);
  });

  it("marks as no success what was acknowledged although it fails the verification", () => {
    expect(markOfReceipt(good)).toBe("passed");
    expect(markOfReceipt({ ...good, reason: "bad_signature" })).toBe("failed");
    expect(markOfReceipt({ outcome: "repeated", status: 200, reason: "stale_timestamp" })).toBe("failed");
    expect(markOfReceipt({ outcome: "refused", status: 401, reason: "bad_signature" })).toBe("refused");
  });

  it("has no reason for what passed", () => {
    expect(reasonSentence({ reason: null, verification: [] })).toBeNull();
  });

  it("takes the side from the event type, and none from anything else", () => {
    expect([sideOfEvent("repairer.jobs"), sideOfEvent("supplier.procurements")]).toEqual(["repairer", "supplier"]);
    expect([sideOfEvent("jobs"), sideOfEvent(null)]).toEqual([null, null]);
  });
});
