import { describe, expect, it } from "vitest";
import { chosenAt, matchedPieces, matchesWords } from "./entry.ts";

describe("what the palette finds", () => {
  it("needs every typed word to begin a word", () => {
    expect(matchesWords("New job insert", "new j")).toBe(true);
    expect(matchesWords("New job insert", "job new")).toBe(true);
    expect(matchesWords("New job insert", "ob")).toBe(false);
  });
  it("finds what begins behind a full stop or an underscore, too", () => {
    expect(matchesWords("Insert job repairer.jobs.insert", "jobs.insert")).toBe(true);
    expect(matchesWords("confirm_when_confirmed", "when")).toBe(true);
    expect(matchesWords("Insert job repairer.jobs.insert", "obs.insert")).toBe(false);
  });
  it("finds everything while nothing is typed", () => expect(matchesWords("Overview", " ")).toBe(true));
});

describe("what matched, set off", () => {
  it("cuts around it, whatever the case", () => {
    expect(matchedPieces("TRC-20397-1", "trc")).toEqual([
      ["TRC", true],
      ["-20397-1", false],
    ]);
  });
  it("leaves a label whole that does not hold it", () =>
    expect(matchedPieces("J-20418", "nkr")).toEqual([["J-20418", false]]));
});

describe("what Enter runs", () => {
  const entries = ["wire", "job 1", "job 2"].map((id) => ({ id }));

  it("is the first, until the person moves to another", () => expect(chosenAt(entries, null)).toBe(0));
  it("stays what the person moved to while others come in above it", () => {
    expect(chosenAt(entries, "job 1")).toBe(1);
    expect(chosenAt([{ id: "call" }, ...entries], "job 1")).toBe(2);
  });
  it("is nothing once that is gone, rather than another", () => expect(chosenAt(entries, "job 3")).toBe(-1));
});
