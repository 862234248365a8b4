import { describe, expect, it } from "vitest";
import { everything, filterIn, isFiltered, isSorted, namesFilter, withFilter } from "./address.ts";

const site = "27dd09b9-f7a0-507e-99fd-e42e88e60a99";

describe("the jobs' filter in the address", () => {
  it("comes back the same after it was written", () => {
    const filter = {
      search: " a&b ",
      state: "no_parts",
      siteId: site,
      insurerId: site,
      sort: "job_number",
      direction: "asc",
    } as const;
    expect(filterIn(withFilter("", filter))).toEqual(filter);
    expect(filterIn(withFilter("", everything))).toEqual(everything);
  });

  it("leaves out what is no state, no identifier and no order", () => {
    expect(filterIn("state=lost&site=penrose&insurer=1&sort=toString&direction=up")).toEqual(everything);
  });

  it("says nothing about what is as usual, and keeps what else is in the query", () => {
    expect(withFilter("", everything)).toBe("");
    expect(withFilter("?add&state=estimated&sort=created", everything)).toBe("?add=");
    expect(withFilter("world=qa", { ...everything, state: "estimated" })).toBe("?world=qa&state=estimated");
  });

  it("is named by an address only when one of its words is there", () => {
    expect(namesFilter("?add&world=qa")).toBe(false);
    expect(namesFilter("?add&direction=asc")).toBe(true);
  });

  it("leaves jobs out by anything but their order", () => {
    expect(isFiltered({ ...everything, search: "  ", direction: "asc" })).toBe(false);
    expect(isSorted({ ...everything, direction: "asc" })).toBe(true);
    expect(isFiltered({ ...everything, insurerId: site })).toBe(true);
    expect(isSorted({ ...everything, insurerId: site })).toBe(false);
  });
});
