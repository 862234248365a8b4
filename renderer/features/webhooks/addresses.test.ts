import { describe, expect, it } from "vitest";
import { addresses, changedQuery, drillIn, shownAt } from "./addresses.ts";

/** What the router makes of an address of the place. */
const at = (address: string) => {
  const [, , id, tab] = new URL(address, "http://explorer").pathname.split("/");
  return shownAt(id, tab);
};

describe("the addresses of Webhooks", () => {
  it("lead back to what they were made for", () => {
    expect(at(addresses.subscriptions)).toEqual({ page: "subscriptions" });
    expect(at(addresses.subscription("s-1", "stale"))).toEqual({ page: "subscription", id: "s-1" });
    expect(at(addresses.receivers)).toEqual({ page: "receivers" });
    expect(at(addresses.receiver("r-1", "x"))).toEqual({ page: "receiver", id: "r-1" });
    expect(at(addresses.sink())).toEqual({ page: "sink", receipt: null });
    expect(at(addresses.sink("x"))).toEqual({ page: "sink", receipt: "x" });
    expect(at(addresses.lab)).toEqual({ page: "lab" });
  });

  it("take whatever is no page for a delivery and one of its tries", () => {
    expect(at("/webhooks/7d41f0b9/2")).toEqual({ page: "delivery", id: "7d41f0b9", attempt: "2" });
    expect(at("/webhooks/7d41f0b9")).toEqual({ page: "delivery", id: "7d41f0b9", attempt: undefined });
  });

  it("name a drill only when there is one of that name", () => {
    expect(drillIn(new URL(addresses.subscription("s-1", "stale"), "http://explorer").search)).toBe("stale");
    expect(drillIn("?drill=upside-down")).toBeNull();
    expect(drillIn("")).toBeNull();
  });

  it("change one field of a query and leave the others", () => {
    expect(changedQuery("?show=drills&drill=stale", { drill: "future" })).toBe("?show=drills&drill=future");
    expect(changedQuery("show=drills&drill=stale", { drill: null })).toBe("?show=drills");
    expect(changedQuery("show=drills", { show: null })).toBe("");
  });
});
