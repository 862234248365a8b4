import { describe, expect, it } from "vitest";
import type { KeyedCredential } from "../../../app/acting.ts";
import { asExpected, type CallContext, type RefusedCall, refusedCalls } from "./refused-calls.ts";

const key = (organization_id: string, scope: "repairer" | "supplier"): KeyedCredential => ({
  integration_id: `${organization_id}-key`,
  organization_id,
  organization_name: organization_id,
  scope,
  client_id: null,
  created_at: "2026-03-12T10:00:00.000Z",
  preloaded: true,
  key_hint: "sbx_…",
  api_key: "sbx_1",
});
const own = key("Meridian", "supplier");
const context: CallContext = {
  status: "order_requested",
  supplierName: "Meridian",
  buyerName: "Tarn",
  supplierOrganizationId: "Meridian",
  buyerOrganizationId: "Tarn",
  own: { repairer: key("Tarn", "repairer"), supplier: own },
  repairerKeys: [key("Tarn", "repairer")],
  supplierKeys: [own],
  policies: { confirm_when_confirmed: "ok", confirm_when_cancelled: "reject" },
};
const step = (over: Partial<CallContext>, id: RefusedCall["id"]): RefusedCall | undefined =>
  refusedCalls({ ...context, ...over }).find((one) => one.id === id);

describe("calls that do not move a procurement", () => {
  it("answer 403 to the buyer, whatever the state", () => {
    for (const status of ["order_requested", "order_confirmed", "cancelled"] as const)
      expect(step({ status }, "buyer_key")?.expected).toEqual({ status: 403, code: "forbidden" });
  });

  it("say whose key it is when it is not the buyer's own", () => {
    expect(step({ repairerKeys: [key("Brindle", "repairer")] }, "buyer_key")?.title).toBe("Confirm with Brindle’s key");
  });

  it("need a second supplier's key to be told not_found, and say so", () => {
    expect(step({}, "other_supplier")).toMatchObject({
      key: null,
      missing: expect.stringContaining("second supplier"),
    });
    const halfmoon = key("Halfmoon", "supplier");
    expect(step({ supplierKeys: [own, halfmoon] }, "other_supplier")).toMatchObject({
      key: halfmoon,
      expected: { status: 404, code: "not_found" },
    });
  });

  it("follow the policy when it is confirmed already", () => {
    expect(step({ status: "order_confirmed" }, "again")?.expected).toEqual({ status: 200, code: null });
    const policies = { ...context.policies, confirm_when_confirmed: "reject" as const };
    expect(step({ status: "order_confirmed", policies }, "again_rejected")?.expected).toEqual({
      status: 422,
      code: "unprocessable",
    });
    expect(step({}, "again")).toBeUndefined();
  });

  it("follow the policy when it is cancelled", () => {
    expect(step({ status: "cancelled" }, "cancelled")?.expected).toEqual({ status: 422, code: "unprocessable" });
    const policies = { ...context.policies, confirm_when_cancelled: "not_found" as const };
    expect(step({ status: "cancelled", policies }, "cancelled")?.expected).toEqual({ status: 404, code: "not_found" });
  });

  it("cannot be tried as a supplier nobody here has a key of", () => {
    expect(step({ status: "cancelled", own: { repairer: null, supplier: null } }, "cancelled")).toMatchObject({
      key: null,
      missing: expect.stringContaining("Meridian"),
    });
  });

  it("cancel nothing but what is requested", () => {
    expect(refusedCalls(context).some(({ operation }) => operation === "procurements.cancel")).toBe(false);
    expect(step({ status: "order_confirmed" }, "cancel_confirmed")).toMatchObject({
      title: "Cancel it although confirmed as Tarn",
      expected: { status: 422, code: "unprocessable" },
    });
    expect(step({ status: "cancelled" }, "cancel_again")?.expected).toEqual({ status: 422, code: "unprocessable" });
  });

  it("cancel as the side whose key is here", () => {
    const asSupplier = { status: "order_confirmed", own: { repairer: null, supplier: own } } as const;
    expect(step(asSupplier, "cancel_confirmed")).toMatchObject({ side: "supplier", key: own });
    expect(step({ status: "cancelled", own: { repairer: null, supplier: null } }, "cancel_again")?.key).toBeNull();
  });

  it("cancel for nobody but the two sides", () => {
    expect(step({}, "cancel_stranger")).toBeUndefined();
    const brindle = key("Brindle", "repairer");
    expect(step({ repairerKeys: [key("Tarn", "repairer"), brindle] }, "cancel_stranger")).toMatchObject({
      key: brindle,
      side: "repairer",
      expected: { status: 404, code: "not_found" },
    });
  });

  it("are as expected only with the same status and code", () => {
    const found = step({}, "no_key");
    if (!found) throw new Error("no step");
    expect(asExpected(found, 401, "unauthorized")).toBe(true);
    expect(asExpected(found, 403, "forbidden")).toBe(false);
  });
});
