import { describe, expect, it } from "vitest";
import { everything, insertedText, jobParams, parseInserted } from "./address.ts";

const site = "27dd09b9-f7a0-507e-99fd-e42e88e60a99";

describe("the jobs' filter in the address", () => {
  it("contains non-default values only", () => {
    const filter = {
      search: " a&b ",
      state: "no_parts",
      organization: site,
      site,
      insurer: site,
      inserted: "2026-03-17T10:00:00.000Z..",
      sort: "job_number",
      direction: "asc",
    } as const;
    const query = `?search=+a%26b+&state=no_parts&organization=${site}&site=${site}&insurer=${site}&inserted=2026-03-17T10%3A00%3A00.000Z..&sort=job_number&direction=asc`;
    expect(jobParams.format("", filter)).toBe(query);
    expect(jobParams.parse(query)).toEqual(filter);
    expect(jobParams.format("?add&state=estimated&sort=created", everything)).toBe("?add");
    expect(jobParams.parse("?add")).toEqual(everything);
  });

  it("ignores invalid states, identifiers and sort orders", () => {
    expect(jobParams.parse("state=lost&organization=tarn&site=penrose&insurer=1&sort=toString&direction=up")).toEqual(
      everything,
    );
  });

  it("accepts a range of insertion times, open at either end, and nothing else", () => {
    const [from, to] = ["2026-03-17T10:00:00.000Z", "2026-03-18T10:00:00.000Z"];
    for (const range of [{ from }, { to }, { from, to }]) expect(parseInserted(insertedText(range))).toEqual(range);
    for (const text of ["", "..", "yesterday..", "2026-03-17..", `${from}..${to}..${to}`, from])
      expect(parseInserted(text), text).toBeNull();
  });
});
