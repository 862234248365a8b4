import { describe, expect, it } from "vitest";
import { MAX_SECONDS, parseSpan } from "./spans.ts";

describe("a typed duration", () => {
  it("is a number and a unit, in any spelling", () => {
    expect(parseSpan("90 min")).toBe(5400);
    expect(parseSpan("1 Hour")).toBe(3600);
    expect(parseSpan("3d")).toBe(259_200);
    expect(parseSpan("45 s")).toBe(45);
  });
  it("adds up its parts and accepts fractions", () => {
    expect(parseSpan("2h 30m")).toBe(9000);
    expect(parseSpan("1 day, 2 hours")).toBe(93_600);
    expect(parseSpan("1.5 h")).toBe(5400);
  });
  it("defaults to minutes", () => expect(parseSpan("15")).toBe(900));
  it("is null if empty, invalid or negative", () => {
    for (const text of ["", "soon", "0 min", "-5 min", "5 fortnights", "min"]) expect(parseSpan(text)).toBeNull();
  });
  it("is null above the largest step of a clock", () => {
    expect(parseSpan(`${MAX_SECONDS} s`)).toBe(MAX_SECONDS);
    expect(parseSpan(`${MAX_SECONDS + 1} s`)).toBeNull();
  });
});
