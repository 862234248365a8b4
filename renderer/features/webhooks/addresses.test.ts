import { describe, expect, it } from "vitest";
import { deliveryParams } from "../../domain/delivery/filter.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { addresses, pageParams, parseShown } from "./addresses.ts";

/** Parses an address like the router. */
const at = (address: string) => {
  const [, , id, tab] = new URL(address, "http://explorer").pathname.split("/");
  return parseShown(id, tab);
};

describe("the addresses of Webhooks", () => {
  it("parse back to their page", () => {
    expect(at(addresses.subscriptions)).toEqual({ page: "subscriptions", id: undefined });
    expect(at(hrefs.subscription("s-1", "stale"))).toEqual({ page: "subscriptions", id: "s-1" });
    expect(at(addresses.lab)).toEqual({ page: "lab", id: undefined });
  });

  it("treat unknown pages as a delivery and its attempt", () => {
    expect(at("/webhooks/7d41f0b9/2")).toEqual({ page: "delivery", id: "7d41f0b9", attempt: "2" });
    expect(at("/webhooks/7d41f0b9")).toEqual({ page: "delivery", id: "7d41f0b9", attempt: undefined });
  });

  it("name only existing drills", () => {
    const drillIn = (address: string) => pageParams.parse(new URL(address, "http://explorer").search).drill;
    expect(drillIn(hrefs.subscription("s-1", "stale"))).toBe("stale");
    expect(drillIn("/webhooks?drill=upside-down")).toBeNull();
  });

  it("change one part of a query and keep the others", () => {
    expect(pageParams.format("?status=pending&drill=stale&show=drills", { drill: "future" })).toBe(
      "?status=pending&drill=future&show=drills",
    );
    expect(pageParams.format("status=pending&show=drills", { show: "answer" })).toBe("?status=pending");
    expect(deliveryParams.format("?drill=stale&status=delivered", { subscription: null })).toBe("?drill=stale");
  });
});
