import { describe, expect, it } from "vitest";
import { everything, isFiltered, isNarrowed, procurementParams } from "./address.ts";

const site = "27dd09b9-f7a0-507e-99fd-e42e88e60a99";

describe("the procurements' filter in the address", () => {
  it("stands there under its own words, whatever else is there", () => {
    const filter = { search: "TRC 20", status: "cancelled", site, supplier: null } as const;
    expect(procurementParams.parse(`?view=board&search=TRC%2020&status=cancelled&site=${site}`)).toEqual(filter);
    expect(procurementParams.format("?view=board", filter)).toBe(
      `?view=board&search=TRC+20&status=cancelled&site=${site}`,
    );
  });

  it("leaves out what is no state and no identifier", () => {
    expect(procurementParams.parse("status=shipped&site=penrose&supplier=1")).toEqual(everything);
  });

  it("narrows by anything but the state", () => {
    expect(isNarrowed({ ...everything, status: "cancelled" })).toBe(false);
    expect(isFiltered({ ...everything, status: "cancelled" })).toBe(true);
    expect(isNarrowed({ ...everything, supplier: site })).toBe(true);
    expect(isFiltered({ ...everything, search: "  " })).toBe(false);
  });
});
