import { describe, expect, it } from "vitest";
import { everything } from "../address.ts";
import { noneWords } from "./words.ts";

const names = new Map([
  ["s", "Tarn & Rowe, Penrose"],
  ["i", "Halden Mutual"],
]);

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
});
