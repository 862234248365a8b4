import { describe, expect, it } from "vitest";
import { readTestValues, testValueExamples } from "./test-values.ts";

const outcomes = (claim: string) => readTestValues(claim)?.outcomes;
const notes = (claim: string) => readTestValues(claim)?.notes.map(({ known, sentence }) => [known, sentence]);

describe("D93: a claim number", () => {
  it("contains each test value", () => {
    expect(outcomes("test:confirm-after=30s")).toEqual({ "confirm-after": 30_000 });
    expect(outcomes("test:cancel-after=2m")).toEqual({ "cancel-after": 120_000 });
    expect(outcomes("test:confirm-after=0s")).toEqual({ "confirm-after": 0 });
    expect(outcomes("test:confirm-after=30d")).toEqual({ "confirm-after": 2_592_000_000 });
    expect(outcomes("test:offers=used")).toEqual({ offers: "used" });
    expect(outcomes("test:answer=429*3")).toEqual({ answer: { status: 429, code: "rate_limited", times: 3 } });
    expect(outcomes("test:answer=503")).toEqual({ answer: { status: 503, code: "unavailable", times: 1 } });
    expect(outcomes("test:answer=not_found")).toEqual({ answer: { status: 404, code: "not_found", times: 1 } });
    expect(outcomes("test:delay=5s")).toEqual({ delay: 5_000 });
    expect(outcomes("test:webhook=late=1m")).toEqual({ webhook: { kind: "late", ms: 60_000 } });
    expect(outcomes("test:webhook=out-of-order")).toEqual({ webhook: { kind: "out-of-order" } });
  });

  it("may join several values, with or without repeating the prefix", () => {
    const both = { offers: "one", "confirm-after": 30_000 };
    expect(outcomes("test:offers=one;confirm-after=30s")).toEqual(both);
    expect(outcomes("test:offers=one; test:confirm-after=30s;")).toEqual(both);
  });

  it("is ordinary without a known name and = after the prefix", () => {
    for (const claim of ["CLM-1", "", "test", "test:", "test:12345", "Test: drive = yes"])
      expect(readTestValues(claim)).toBeNull();
    for (const claim of ["Test:offers=one", " test:offers=one", "TEST : delay=1s"])
      expect(readTestValues(claim)).toMatchObject({ outcomes: {}, notes: [{ known: false }] });
    expect(readTestValues(null)).toBeNull();
    // The prefix and the name must be adjacent, without a blank.
    expect(readTestValues("test: answer=429")?.outcomes).toEqual({});
    expect(readTestValues("test:offers=one ; test:delay=1s")?.outcomes).toEqual({ offers: "one", delay: 1_000 });
  });

  it("with an unknown value has a note and no effect", () => {
    expect(readTestValues("test:confrm-after=30s;offers=one")).toEqual({
      outcomes: {},
      notes: [
        {
          value: "confrm-after=30s",
          known: false,
          sentence:
            "No test value is called confrm-after, so it has no effect. Did you mean confirm-after or cancel-after?",
        },
      ],
    });
    expect(notes("test:offers")?.[0]?.[0]).toBe(false);
    expect(outcomes("test:offers=one;anwser=429")).toEqual({ offers: "one" });
    expect(notes("test:offers=one;anwser=429")?.[1]?.[1]).toMatch(/Did you mean answer\?/);
  });

  it("with a value out of range has no effect and names the valid range", () => {
    for (const claim of [
      "test:confirm-after=31d",
      "test:confirm-after=30",
      "test:confirm-after=-1s",
      "test:delay=31s",
      "test:offers=two",
      "test:answer=418",
      "test:answer=429*0",
      "test:answer=429*1001",
      "test:answer=rate_limited_",
      "test:webhook=late=31d",
    ]) {
      expect(outcomes(claim), claim).toEqual({});
      expect(notes(claim)?.[0]?.[1], claim).toMatch(/takes .+, so this has no effect/);
    }
  });

  it("says what a value without its sign, its name or a known code likely means", () => {
    const notesOf = (claim: string) => notes(claim)?.map(([, sentence]) => sentence);
    const written = "A test value is written with = and without spaces around it, such as ";
    expect(notesOf("test:confirm-after")).toEqual([`${written}test:confirm-after=30s, so this has no effect.`]);
    expect(notesOf("test:delay=1s;offers = one")?.[1]).toBe(`${written}test:offers=none, so this has no effect.`);
    expect(notesOf("test:=3")?.[0]).toMatch(/^A test value has a name before =, so it has no effect\. Known are /);
    expect(notesOf("test:answer=404")?.[0]).toMatch(/ Did you mean .*\bnot_found\b.*\?$/);
    expect(notesOf("test:answer=not_fuond")?.[0]).toMatch(/ Did you mean not_found/);
    expect(notesOf("test:answer=teapot")?.[0]).toMatch(/ The codes are .*\bnot_found\b/);
    expect(notesOf(`test:delay=1s${";delay=2s".repeat(16)}`)?.at(-1)).toBe("Only the first 16 values count.");
  });

  it("uses the first of two values with the same name", () => {
    expect(outcomes("test:offers=one;offers=none")).toEqual({ offers: "one" });
    expect(notes("test:offers=one;offers=none")?.[1]).toEqual([
      false,
      "offers is there already: the first one counts.",
    ]);
  });

  it("accepts every example of the help", () => {
    for (const { value } of testValueExamples)
      expect(
        readTestValues(value)?.notes.map(({ known }) => known),
        value,
      ).toEqual([true]);
  });

  it("is read in linear time, whatever it contains", () => {
    const longest = ["test:offers=;", "test:answer=", "test:confirm-after=1", "=;", "9", "*", ";test:"];
    for (const part of longest) {
      const began = performance.now();
      for (let run = 0; run < 100; run += 1) readTestValues(`test:${part.repeat(4096 / part.length)}`);
      expect(performance.now() - began, part).toBeLessThan(500);
    }
  });
});
