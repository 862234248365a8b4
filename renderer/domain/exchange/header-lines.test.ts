import { describe, expect, it } from "vitest";
import { headerLines, headerProblem, parseHeaders } from "./header-lines.ts";

describe("header lines", () => {
  it("report an invalid line", () => {
    expect(headerProblem("x-a: 1\n\nnonsense")).toBe("Line 3, “nonsense” isn’t a header. Write name: value.");
    expect(headerProblem(": 1")).toContain("Line 1");
    expect(headerProblem("a b: 1")).toContain("Line 1");
    expect(headerProblem("x-a: 1\n")).toBeNull();
  });
  it("parse back to the same headers", () => {
    const headers: [string, string][] = [
      ["x-a", "1: 2"],
      ["x-b", ""],
    ];
    expect(parseHeaders(headerLines(headers))).toEqual(headers);
  });
  it("may have an empty value", () => expect(parseHeaders("x-a:")).toEqual([["x-a", ""]]));
});
