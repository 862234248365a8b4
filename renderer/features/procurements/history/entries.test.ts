import { describe, expect, it } from "vitest";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { historyOf, withMoves } from "./entries.ts";

const request = (operation: string, over: Partial<RequestRow> = {}): RequestRow => ({
  id: operation,
  trace_id: operation,
  at: "2026-03-12T10:00:00.000Z",
  method: "POST",
  path: "/",
  operation,
  integration_id: null,
  side: "supplier",
  status: 200,
  error_code: null,
  duration_ms: 1,
  request_bytes: 0,
  response_bytes: 0,
  outcome: "",
  events: 2,
  job_id: null,
  procurement_id: null,
  label: null,
  ...over,
});
const place = request("repairer.procurements.place");
const confirm = request("supplier.procurements.confirm");
const cancel = request("procurements.cancel", { events: 0 });
const row = {
  status: "order_confirmed",
  created_at: "2026-03-12T10:00:00.000Z",
  updated_at: "2026-03-12T10:06:00.000Z",
} as const;

const words = (entries: ReturnType<typeof historyOf>) =>
  entries.map(({ kind, to, after }) => `${kind} ${to} ${after === null ? "" : after / 60_000}`.trim());

describe("the history of a procurement", () => {
  it("says what each call made of it, and how long that took", () =>
    expect(words(historyOf(row, [confirm, place]))).toEqual(["call order_confirmed 6", "call order_requested"]));

  it("knows a cancel by its success, because no event tells of it", () =>
    expect(words(historyOf({ ...row, status: "cancelled" }, [cancel, place]))).toEqual([
      "call cancelled 6",
      "call order_requested",
    ]));

  it("takes a refused call and a repeated confirm for no move", () =>
    expect(
      words(historyOf(row, [request(confirm.id, { events: 0 }), request(cancel.id, { status: 422 }), confirm, place])),
    ).toEqual(["call null", "call null", "call order_confirmed 6", "call order_requested"]));

  it("says which states it came into without a call on record", () => {
    expect(words(historyOf(row, []))).toEqual(["unrecorded order_confirmed 6", "unrecorded order_requested"]);
    expect(words(historyOf({ ...row, status: "order_requested" }, []))).toEqual(["unrecorded order_requested"]);
    expect(words(historyOf(row, [confirm]))).toEqual(["call order_confirmed 6", "unrecorded order_requested"]);
  });

  it("keeps moves in sight that lie beyond the newest exchanges", () =>
    expect(withMoves([request("read"), confirm], [confirm, place]).map(({ id }) => id)).toEqual([
      "read",
      confirm.id,
      place.id,
    ]));
});
