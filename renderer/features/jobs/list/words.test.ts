import { describe, expect, it } from "vitest";
import { everything } from "../address.ts";
import { foundWords, noneWords } from "./words.ts";

const names = new Map([
  ["s", "Tarn & Rowe, Penrose"],
  ["i", "Halden Mutual"],
]);

const found = (total: number, total_is_minimum: boolean) => foundWords({ total, total_is_minimum });

describe("what is said of the jobs that were looked for", () => {
  it("is one sentence when there are none", () => {
    expect(noneWords({ ...everything, search: " J-9 " }, names)).toBe("No job matches “J-9”");
    expect(noneWords({ ...everything, state: "no_parts", site: "s" }, names)).toBe(
      "No job is without parts and is at Tarn & Rowe, Penrose",
    );
    expect(noneWords({ ...everything, search: "x", state: "estimated", site: "?", insurer: "i" }, names)).toBe(
      "No job matches “x”, is estimated, is at that site and is for Halden Mutual",
    );
  });

  it("does not claim a count that was not made", () => {
    expect(found(1, false)).toBe("1 job found");
    expect(found(1204, false)).toBe("1,204 jobs found");
    expect(found(500, true)).toBe("at least 500 jobs found");
  });
});
