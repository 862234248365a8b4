import { describe, expect, it } from "vitest";
import { bytesFromText } from "../../../lib/bytes.ts";
import { around, differenceOf } from "./lab-result.tsx";

const between = (mine: string, theirs: string) => differenceOf(bytesFromText(mine), bytesFromText(theirs));

describe("where two bodies differ", () => {
  it("is nowhere when they are the same", () => {
    expect(between("", "")).toBeNull();
    expect(between("abc", "abc")).toBeNull();
  });

  it("is the shortest stretch between what is alike", () => {
    expect(between("one two three", "one too three")).toEqual({
      mine: { start: 5, end: 6 },
      theirs: { start: 5, end: 6 },
    });
    expect(between("ab", "aXb")).toEqual({ mine: { start: 1, end: 1 }, theirs: { start: 1, end: 2 } });
    expect(between("abc\n", "abc")).toEqual({ mine: { start: 3, end: 4 }, theirs: { start: 3, end: 3 } });
    expect(between("aa", "a")).toEqual({ mine: { start: 1, end: 2 }, theirs: { start: 1, end: 1 } });
  });

  it("is shown with a little of what stands around it", () => {
    const bytes = bytesFromText(`${"x".repeat(40)}!${"y".repeat(40)}`);
    const shown = around(bytes, { start: 40, end: 41 }, 3);
    expect(new TextDecoder().decode(shown.bytes)).toBe("xxx!yyy");
    expect(shown.range).toEqual({ start: 3, end: 4 });
    expect(around(bytesFromText("ab"), { start: 0, end: 1 }, 9).range).toEqual({ start: 0, end: 1 });
  });
});
