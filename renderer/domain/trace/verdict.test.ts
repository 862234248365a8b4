import { describe, expect, it } from "vitest";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { errorCodes } from "../../../sandbox/contract/errors.ts";
import { outcomeOf, verdictOf, verdictText } from "./verdict.ts";

const row: RequestRow = {
  id: "3f0e4a52-0d55-4a31-9f0e-3c6f3a1c8a10",
  trace_id: "3f0e4a52-0d55-4a31-9f0e-3c6f3a1c8a10",
  at: "2026-03-12T10:00:00.000Z",
  method: "POST",
  path: "/api/2026-01/supplier.procurements.confirm",
  operation: "supplier.procurements.confirm",
  integration_id: null,
  side: "supplier",
  status: 422,
  error_code: "unprocessable",
  duration_ms: 1,
  request_bytes: 0,
  response_bytes: 0,
  outcome: "the procurement is cancelled",
  events: 0,
  job_id: null,
  procurement_id: null,
  label: null,
};

describe("what came of a call", () => {
  it("is what it changed", () =>
    expect(outcomeOf({ ...row, status: 200, error_code: null, outcome: "now order_confirmed" })).toBe(
      "now order_confirmed",
    ));
  it("is why nothing changed, where it was refused without a message", () =>
    expect(outcomeOf({ ...row, status: 403, error_code: "forbidden", outcome: "nothing changed" })).toBe(
      errorCodes.forbidden.meaning,
    ));
});

describe("the verdict on a call", () => {
  it("is none for a success", () => expect(verdictOf({ ...row, status: 200, error_code: null })).toBeNull());

  it("gives the service's own words, the side, the decision and what to do", () => {
    const verdict = verdictOf(row);
    expect(verdict).toMatchObject({ cause: "The procurement is cancelled.", assumption: "D1" });
    expect(verdict?.whose).toContain("caller");
    expect(verdict && verdictText(row, verdict)).toBe(
      [
        "supplier.procurements.confirm was answered 422 unprocessable at 2026-03-12T10:00:00.000Z.",
        "Cause: The procurement is cancelled. The cause is on the caller’s side.",
        "The contract is silent here; the sandbox assumes D1.",
        "What to do: Correct what the message names. If it names a state, read the record again before you send.",
        "Request id: 3f0e4a52-0d55-4a31-9f0e-3c6f3a1c8a10",
      ].join("\n"),
    );
  });

  it("gives the code's meaning where the answer has no message", () =>
    expect(verdictOf({ ...row, status: 401, error_code: "unauthorized", outcome: "nothing changed" })).toMatchObject({
      cause: expect.stringContaining("credential"),
      assumption: null,
    }));

  it("blames nobody for a fault, also one that is used up", () => {
    const faults = [{ id: row.id, kind: "error" as const, when: "before" as const }];
    const verdict = verdictOf({
      ...row,
      status: 500,
      error_code: "internal_error",
      outcome: "Fault: answers 500",
      faults,
    });
    expect(verdict?.cause).toBe("Fault: answers 500.");
    expect(verdict?.whose).toContain("fault of this world");
  });

  it("says so where there was no answer", () =>
    expect(verdictOf({ ...row, status: 0, error_code: null })?.cause).toContain("connection ended"));
});
