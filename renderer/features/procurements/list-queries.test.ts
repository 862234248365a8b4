import { describe, expect, it } from "vitest";
import { pageAfter } from "./list-queries.ts";

describe("the list's pages", () => {
  it("go on in the same state while it has more", () => {
    expect(pageAfter({ status: "order_requested", cursor: null }, "c", null)).toEqual({
      status: "order_requested",
      cursor: "c",
    });
  });

  it("go on with the next state, and end after the last", () => {
    expect(pageAfter({ status: "order_requested", cursor: "c" }, null, null)).toEqual({
      status: "order_confirmed",
      cursor: null,
    });
    expect(pageAfter({ status: "cancelled", cursor: null }, null, null)).toBeUndefined();
  });

  it("stay in the state that was chosen", () => {
    expect(pageAfter({ status: "order_requested", cursor: null }, null, "order_requested")).toBeUndefined();
  });
});
