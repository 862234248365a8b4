import { describe, expect, it } from "vitest";
import { headerLines, parseHeaders } from "./header-lines.ts";

describe("header lines", () => {
  it("are none where one has no name", () => {
    expect(parseHeaders("x-a: 1\nnonsense")).toBeNull();
    expect(parseHeaders(": 1")).toBeNull();
    expect(parseHeaders("a b: 1")).toBeNull();
  });
  it("are what they were written from", () => {
    const headers: [string, string][] = [
      ["x-a", "1: 2"],
      ["x-b", ""],
    ];
    expect(parseHeaders(headerLines(headers))).toEqual(headers);
  });
  it("may have an empty value", () => expect(parseHeaders("x-a:")).toEqual([["x-a", ""]]));
});
