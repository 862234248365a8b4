import { describe, expect, it } from "vitest";
import { changedQuery, everything, filterIn, isFiltered, isNarrowed, viewIn } from "./address.ts";

const site = "27dd09b9-f7a0-507e-99fd-e42e88e60a99";

describe("the filter in the address", () => {
  it("is read out of the query, whatever else is in it", () => {
    expect(filterIn(`?world=qa&search=TRC%2020&status=cancelled&site=${site.toUpperCase()}`)).toEqual({
      search: "TRC 20",
      status: "cancelled",
      siteId: site,
      supplierId: null,
    });
    expect(filterIn("")).toEqual(everything);
  });

  it("leaves out what is no state, no identifier and no view", () => {
    expect(filterIn("status=shipped&site=penrose&supplier=1")).toEqual(everything);
    expect(viewIn("view=calendar")).toBeNull();
    expect(viewIn("?view=board")).toBe("board");
  });

  it("comes back the same after it was written", () => {
    const filter = { search: " a&b ", status: "order_confirmed", siteId: site, supplierId: site } as const;
    expect(filterIn(changedQuery("", filter))).toEqual(filter);
  });

  it("keeps what it does not know and drops what is cleared", () => {
    expect(changedQuery("?world=qa&status=cancelled&search=x", { search: "", status: null })).toBe("?world=qa");
    expect(changedQuery("search=x", { view: "board" })).toBe("?search=x&view=board");
    expect(changedQuery("search=x", { search: "" })).toBe("");
  });

  it("narrows by anything but the state", () => {
    expect(isNarrowed({ ...everything, status: "cancelled" })).toBe(false);
    expect(isFiltered({ ...everything, status: "cancelled" })).toBe(true);
    expect(isNarrowed({ ...everything, supplierId: site })).toBe(true);
    expect(isFiltered({ ...everything, search: "  " })).toBe(false);
  });
});
