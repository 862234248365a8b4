import { describe, expect, it } from "vitest";
import type { RequestRow, StateChange } from "../../../sandbox/contract/control/rows.ts";
import { changesUnder, findChange, findTransition, lastMove, orderHistory } from "./moves.ts";

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
  it("is the newest call that caused an event", () => {
    expect(
      lastMove([
        request("supplier.procurements.confirm", { id: "again", events: 0 }),
        request("supplier.procurements.confirm", { id: "refused", status: 422, events: 0 }),
        confirm,
        place,
      ]),
    ).toBe(confirm);
    expect(lastMove([request("supplier.procurements.confirm", { events: 0 })])).toBeNull();
  });

  it("contains the changes of this order from its trace", () => {
    const found = findTransition(confirm, [change({ id: "other" }), change()], "p");
    expect(found?.changes.map(({ path }) => path)).toEqual([
      "status",
      "offered_items[0].supplied_offer.condition",
      "offered_items[0].supplied_offer.inventory",
    ]);
  });

  it("is null if its trace created the order or left it unchanged", () => {
    expect(findTransition(confirm, [change({ before: null })], "p")).toBeNull();
    expect(findTransition(confirm, [], "p")).toBeNull();
  });

  it("finds fields inside a former null", () => {
    const changes = findTransition(confirm, [change()], "p")?.changes ?? [];
    expect(findChange(changes, "offered_items[0].supplied_offer.inventory.sellable_id")?.before).toBeNull();
    expect(findChange(changes, "offered_items[0].id")).toBeNull();
    expect(changesUnder(changes, "offered_items[0]")).toHaveLength(2);
    expect(changesUnder(changes, "offered_items[1]")).toHaveLength(0);
  });
});

const row = {
  status: "order_confirmed",
  created_at: "2026-03-12T10:00:00.000Z",
  updated_at: "2026-03-12T10:06:00.000Z",
} as const;

const words = (entries: ReturnType<typeof orderHistory>) =>
  entries.map(({ request, to, after }) =>
    `${request ? "call" : "unrecorded"} ${to} ${after === null ? "" : after / 60_000}`.trim(),
  );

describe("the history of an order", () => {
  it("shows the status after each call, and the time between", () =>
    expect(words(orderHistory(row, [confirm, place]))).toEqual(["call order_confirmed 6", "call order_requested"]));

  it("recognises a cancellation by its success, because it causes no event", () =>
    expect(words(orderHistory({ ...row, status: "cancelled" }, [cancel, place]))).toEqual([
      "call cancelled 6",
      "call order_requested",
    ]));

  it("ignores refused calls and repeated confirmations", () =>
    expect(
      words(
        orderHistory(row, [request(confirm.id, { events: 0 }), request(cancel.id, { status: 422 }), confirm, place]),
      ),
    ).toEqual(["call null", "call null", "call order_confirmed 6", "call order_requested"]));

  it("shows states without a recorded call", () => {
    expect(words(orderHistory(row, []))).toEqual(["unrecorded order_confirmed 6", "unrecorded order_requested"]);
    expect(words(orderHistory({ ...row, status: "order_requested" }, []))).toEqual(["unrecorded order_requested"]);
    expect(words(orderHistory(row, [confirm]))).toEqual(["call order_confirmed 6", "unrecorded order_requested"]);
  });
});
