import { describe, expect, it } from "vitest";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { type CallContext, type RefusedCall, refusedCalls } from "./refused-calls.ts";

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
const party = (name: string, credential: KeyedCredential | null) => ({
  name,
  organization: name,
  organizationId: name,
  credential,
});
const noKeys = { buyer: party("Tarn", null), supplier: party("Meridian", null) };
const context: CallContext = {
  status: "order_requested",
  buyer: party("Tarn", key("Tarn", "repairer")),
  supplier: party("Meridian", own),
  keys: { repairer: [key("Tarn", "repairer")], supplier: [own] },
  policies: { confirm_when_confirmed: "ok", confirm_when_cancelled: "reject" },
};
const withKeys = (of: Partial<CallContext["keys"]>) => ({ keys: { ...context.keys, ...of } });
const call = (over: Partial<CallContext>, title: string): RefusedCall | undefined =>
  refusedCalls({ ...context, ...over }).find((one) => one.title.startsWith(title));

describe("calls that don't change an order", () => {
  it("are forbidden to the buyer in every state", () => {
    for (const status of ["order_requested", "order_confirmed", "cancelled"] as const)
      expect(call({ status }, "Confirm with ")?.expected).toBe("forbidden");
  });

  it("name the key if it isn't the buyer's own", () => {
    expect(call(withKeys({ repairer: [key("Brindle", "repairer")] }), "Confirm with ")?.title).toBe(
      "Confirm with Brindle’s key",
    );
  });

  it("say that not_found needs a second supplier's key", () => {
    expect(call({}, "Confirm as ")).toMatchObject({ key: { missing: expect.stringContaining("another supplier") } });
    const halfmoon = key("Halfmoon", "supplier");
    expect(call(withKeys({ supplier: [own, halfmoon] }), "Confirm as ")).toMatchObject({
      key: halfmoon,
      expected: "not_found",
    });
  });

  it("follow the setting for a confirmed order", () => {
    expect(call({ status: "order_confirmed" }, "Confirm again")?.expected).toBeNull();
    const policies = { ...context.policies, confirm_when_confirmed: "reject" as const };
    expect(call({ status: "order_confirmed", policies }, "Confirm again")?.expected).toBe("unprocessable");
    expect(call({}, "Confirm again")).toBeUndefined();
  });

  it("follow the setting for a cancelled order", () => {
    expect(call({ status: "cancelled" }, "Confirm the cancelled order")?.expected).toBe("unprocessable");
    const policies = { ...context.policies, confirm_when_cancelled: "not_found" as const };
    expect(call({ status: "cancelled", policies }, "Confirm the cancelled order")?.expected).toBe("not_found");
  });

  it("are unavailable without a key of the supplier", () => {
    expect(call({ status: "cancelled", ...noKeys }, "Confirm the cancelled order")).toMatchObject({
      key: { missing: expect.stringContaining("Meridian") },
    });
  });

  it("include cancelling only after the requested state", () => {
    expect(refusedCalls(context).some(({ operation }) => operation === "procurements.cancel")).toBe(false);
    expect(call({ status: "order_confirmed" }, "Cancel anyway")).toMatchObject({
      title: "Cancel anyway as Tarn",
      expected: "unprocessable",
    });
    expect(call({ status: "cancelled" }, "Cancel again")?.expected).toBe("unprocessable");
  });

  it("cancel with the key of either side", () => {
    const asSupplier = { status: "order_confirmed", buyer: noKeys.buyer } as const;
    expect(call(asSupplier, "Cancel anyway")).toMatchObject({ side: "supplier", key: own });
    expect(call({ status: "cancelled", ...noKeys }, "Cancel again")?.key).toHaveProperty("missing");
  });
});
