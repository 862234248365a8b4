import { describe, expect, it } from "vitest";
import type { ExplainedRefusal } from "../../../sandbox/contract/control/explain-operations.ts";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { refusalVerdict, verdictText } from "./verdict.ts";

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

const refusal: ExplainedRefusal = {
  sentence: "Order P-7 is cancelled and cannot be confirmed.",
  code: "unprocessable",
  status: 422,
  whose_side: "partner",
  cause: "confirm_of_cancelled",
  pointers: ["/identity/id"],
  section: "States and transitions",
  decisions: [{ id: "D51", meaning: "A cancelled procurement cannot be confirmed", policy: null }],
  what_to_do: "Read the order first.",
};

describe("the verdict on a call", () => {
  it("gives the service's words, the side, the decision and the remedy", () => {
    expect(refusalVerdict(refusal).assumption).toBe("D51");
    expect(verdictText(row, refusal)).toBe(
      [
        "supplier.procurements.confirm returned 422 unprocessable at 2026-03-12T10:00:00.000Z.",
        "Cause: Order P-7 is cancelled and cannot be confirmed. The cause is on the caller’s side.",
        "Contract: section “States and transitions”. It leaves details open, so an assumption applies.",
        "What to do: Read the order first.",
        "Request ID: 3f0e4a52-0d55-4a31-9f0e-3c6f3a1c8a10",
      ].join("\n"),
    );
  });

  it("gives the same contract reference as the screen", () => {
    expect(verdictText(row, { ...refusal, decisions: [] })).toContain(
      "\nContract: section “States and transitions”.\n",
    );
    expect(verdictText(row, { ...refusal, section: null })).toContain(
      "\nThe contract doesn’t define this, so it is an assumption.\n",
    );
    expect(verdictText(row, { ...refusal, section: null, decisions: [] })).not.toContain("ontract");
  });

  it("names a fault instead of a side, and no decision if there is none", () => {
    const verdict = refusalVerdict({ ...refusal, whose_side: "fault", decisions: [] });
    expect(verdict.assumption).toBeNull();
    expect(verdict.whose).toContain("An active fault");
  });

  it("quotes the response's message if it differs from the cause", () => {
    const said = (response_body: string) =>
      verdictText({ ...row, response_body }, refusal)
        .split("\n")[0]
        ?.match(/“(.*)”/)?.[1];
    expect(said('{"type":"unprocessable","message":"the procurement is cancelled"}')).toBe(
      "the procurement is cancelled",
    );
    expect(said('{"type":"unprocessable","message":"order P-7 is cancelled"}')).toBeUndefined();
    expect(said('{"type":"unprocessable"}')).toBeUndefined();
    expect(said("<html>")).toBeUndefined();
  });

  it("says that there was no response", () =>
    expect(verdictText({ ...row, status: 0, error_code: null }, refusal)).toContain("returned nothing"));
});
