import { expect, it } from "vitest";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { callColumns, callFacts, callHeadline, comparedFacts, shownFacts } from "./fields.tsx";

const call: RequestRow = {
  ...{ id: "r-1", trace_id: "r-1", at: "2026-03-12T10:00:00.000Z", method: "POST", path: "/api/2026-01/x" },
  ...{ operation: "repairer.jobs.insert", integration_id: "i-1", side: "repairer", status: 422 },
  ...{ error_code: "unprocessable", duration_ms: 18.2, request_bytes: 310, response_bytes: 42, events: 0 },
  ...{ outcome: "the job exists", job_id: null, procurement_id: null, label: null },
};

it("lists each field once, without repeating the page's header", () => {
  expect(callHeadline(call)).toBe("repairer.jobs.insert (Insert job): 422 unprocessable");
  expect(callFacts(call, "Tarn & Rowe")).toEqual([
    ["Called", "2026-03-12T10:00:00.000Z, took 18.2 ms"],
    ["By", "Tarn & Rowe, integration i-1"],
    ["Size", "310 bytes sent, 42 bytes received"],
    ["Outcome", "the job exists"],
    ["Response", "422 unprocessable"],
    ["Request ID", "r-1"],
  ]);
  const replay: RequestRow = { ...call, replays_id: "r-0", origin: "explorer", label: "J-1" };
  const shown = shownFacts(replay, "Tarn & Rowe").map(([words]) => words);
  expect(shown).toEqual(["Called", "By", "Sent by", "Size", "Outcome", "Replay of", "Request ID"]);
});

it("use the same fields in tables and comparison", () => {
  const own = { head: "Operation", cell: () => null };
  expect(callColumns(own).map(({ head }) => head)).toEqual(["Called", "Operation", "About", "Outcome", "Response"]);
  expect(comparedFacts(call)).toEqual({ status: 422, error_code: "unprocessable" });
  expect(callHeadline({ ...call, operation: null, status: 0 })).toBe("POST /api/2026-01/x: no response");
});
