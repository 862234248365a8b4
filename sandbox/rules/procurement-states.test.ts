import { describe, expect, it } from "vitest";
import { policyChoices } from "../contract/control/policies.ts";
import { announcedStatuses } from "../contract/events.ts";
import { type ProcurementStatus, procurementStatuses } from "../contract/values.ts";
import { moveProcurement, type ProcurementMove } from "./procurement-states.ts";

const moves: readonly ProcurementMove[] = ["confirm", "cancel"];
const usual = { confirm_when_confirmed: "ok", confirm_when_cancelled: "reject" } as const;
const everyPolicy = policyChoices.confirm_when_confirmed.flatMap((confirm_when_confirmed) =>
  policyChoices.confirm_when_cancelled.map((confirm_when_cancelled) => ({
    confirm_when_confirmed,
    confirm_when_cancelled,
  })),
);

/** A result in one word or two. */
const summary = (
  move: ProcurementMove,
  state: ProcurementStatus,
  policies: Parameters<typeof moveProcurement>[2],
): string => {
  const result = moveProcurement(move, state, policies);
  if (result.kind === "moves") return `→ ${result.to}, announces ${result.announces}`;
  return result.kind === "stays" ? "stays" : result.code;
};

describe("the procurement states", () => {
  it("are left and kept by every move from every state as the table says, whatever the switches that do not concern it", () => {
    for (const policies of everyPolicy) {
      const confirmedAgain = policies.confirm_when_confirmed === "ok" ? "stays" : "unprocessable";
      const confirmedCancelled = policies.confirm_when_cancelled === "reject" ? "unprocessable" : "not_found";
      const table = Object.fromEntries(
        moves.map((move) => [move, procurementStatuses.map((state) => summary(move, state, policies))]),
      );
      expect(table).toEqual({
        //        order_requested                                       order_confirmed   cancelled
        confirm: ["→ order_confirmed, announces order_confirmed", confirmedAgain, confirmedCancelled],
        cancel: ["→ cancelled, announces null", "unprocessable", "unprocessable"],
      });
    }
  });

  it("D50: confirming a confirmed one changes nothing, or is refused when the world says so", () => {
    expect(policyChoices.confirm_when_confirmed[0]).toBe("ok");
    expect(moveProcurement("confirm", "order_confirmed", usual)).toEqual({ kind: "stays" });
    expect(moveProcurement("confirm", "order_confirmed", { ...usual, confirm_when_confirmed: "reject" })).toEqual({
      kind: "refused",
      cause: "confirmed_already",
      code: "unprocessable",
      message: expect.stringContaining("order_confirmed already"),
    });
  });

  it("D51: confirming a cancelled one is refused with a message, or not found when the world says so", () => {
    expect(policyChoices.confirm_when_cancelled[0]).toBe("reject");
    expect(moveProcurement("confirm", "cancelled", usual)).toEqual({
      kind: "refused",
      cause: "confirm_of_cancelled",
      code: "unprocessable",
      message: expect.stringContaining("cancelled"),
    });
    // The answer for one that does not exist: a message would give it away.
    expect(moveProcurement("confirm", "cancelled", { ...usual, confirm_when_cancelled: "not_found" })).toEqual({
      kind: "refused",
      cause: "confirm_of_cancelled",
      code: "not_found",
    });
  });

  it("D74: cancelling announces nothing, and no event names a state outside the enum", () => {
    for (const move of moves) {
      for (const state of procurementStatuses) {
        const result = moveProcurement(move, state, usual);
        if (result.kind !== "moves") continue;
        if (result.to === "cancelled") expect(result.announces).toBeNull();
        else expect(announcedStatuses).toContain(result.announces);
      }
    }
  });

  it("are all reached from a placed order, and neither confirmed nor cancelled is ever left", () => {
    const reached = new Set<ProcurementStatus>(["order_requested"]);
    for (const state of reached) {
      for (const move of moves) {
        for (const policies of everyPolicy) {
          const result = moveProcurement(move, state, policies);
          if (result.kind !== "moves") continue;
          expect(state).toBe("order_requested");
          reached.add(result.to);
        }
      }
    }
    expect([...reached].toSorted()).toEqual([...procurementStatuses].toSorted());
  });
});
