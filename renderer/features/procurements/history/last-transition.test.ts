import { describe, expect, it } from "vitest";
import type { RequestRow, StateChange } from "../../../../sandbox/contract/control/rows.ts";
import { changeAt, changesUnder, lastMove, transitionOf } from "./last-transition.ts";

const request = (id: string, status: number, events: number): RequestRow => ({
  id,
  trace_id: id,
  at: "2026-03-12T10:00:00.000Z",
  method: "POST",
  path: "/",
  operation: "supplier.procurements.confirm",
  integration_id: null,
  side: "supplier",
  status,
  error_code: null,
  duration_ms: 1,
  request_bytes: 0,
  response_bytes: 0,
  outcome: "",
  events,
  job_id: null,
  procurement_id: null,
  label: null,
});
const before = {
  status: "order_requested",
  offered_items: [{ id: "o", supplied_offer: { condition: null, inventory: null } }],
};
const after = {
  status: "order_confirmed",
  offered_items: [
    {
      id: "o",
      supplied_offer: { condition: { type: "new", payload: {} }, inventory: { sellable_id: "x", warehouse_id: null } },
    },
  ],
};
const change = (over: Partial<StateChange> = {}): StateChange => ({
  entity: "procurement",
  id: "p",
  label: "TRC-1",
  change: "updated",
  job_id: "j",
  before,
  after,
  ...over,
});

describe("the last transition", () => {
  it("is the newest call that told somebody", () => {
    expect(
      lastMove([
        request("again", 200, 0),
        request("refused", 422, 0),
        request("moved", 200, 2),
        request("placed", 200, 2),
      ])?.id,
    ).toBe("moved");
    expect(lastMove([request("again", 200, 0)])).toBeNull();
  });

  it("is what the trace changed of this procurement", () => {
    const found = transitionOf(request("r", 200, 2), [change({ id: "other" }), change()], "p");
    expect(found?.changes.map(({ path }) => path)).toEqual([
      "status",
      "offered_items[0].supplied_offer.condition",
      "offered_items[0].supplied_offer.inventory",
    ]);
  });

  it("is none when the trace made it or left it alone", () => {
    expect(transitionOf(request("r", 200, 2), [change({ before: null })], "p")).toBeNull();
    expect(transitionOf(request("r", 200, 2), [], "p")).toBeNull();
  });

  it("reaches fields inside what was null before", () => {
    const changes = transitionOf(request("r", 200, 2), [change()], "p")?.changes ?? [];
    expect(changeAt(changes, "offered_items[0].supplied_offer.inventory.sellable_id")?.before).toBeNull();
    expect(changeAt(changes, "offered_items[0].id")).toBeNull();
    expect(changesUnder(changes, "offered_items[0]")).toHaveLength(2);
    expect(changesUnder(changes, "offered_items[1]")).toHaveLength(0);
  });
});
