import { describe, expect, it } from "vitest";
import { correctBehaviour } from "../../../../sandbox/contract/control/correct-behaviour.ts";
import {
  behaviourOf,
  behaviourSentence,
  behaviourWords,
  formOf,
  presetNames,
  presetOf,
  presets,
  problemsOf,
  progressWords,
} from "./behaviour.ts";

describe("what a receiver does, in words", () => {
  it("is a sentence about what it holds back and what it does then", () => {
    expect(presetNames.map((name) => behaviourSentence(presets[name].behaviour))).toEqual([
      "Verifies, deduplicates and acknowledges.",
      "Answers 503 to the first 2, then verifies, deduplicates and acknowledges.",
      "Answers 500 to everything.",
      "Leaves the first notification without an answer, then verifies, deduplicates and acknowledges.",
      "Acknowledges everything and deduplicates.",
      "Verifies and acknowledges, processes repeats again.",
    ]);
  });

  it("is short on a row", () => {
    expect(behaviourWords(correctBehaviour)).toBe("accepts");
    expect(behaviourWords({ ...presets.down.behaviour, verify: false })).toBe("503, first 2; doesn’t verify");
    expect(behaviourWords({ ...presets.slow.behaviour, first: null, deduplicate: false })).toBe(
      "no answer, always; doesn’t deduplicate",
    );
  });

  it("says how far it has come with what it holds back", () => {
    const { behaviour } = presets.down;
    expect(progressWords({ behaviour, counted: 1 })).toBe("1 of 2 so far");
    expect(progressWords({ behaviour, counted: 7 })).toBe("2 of 2 done, it accepts now");
    expect(progressWords({ behaviour: presets.broken.behaviour, counted: 3 })).toBe("3 so far");
    expect(progressWords({ behaviour: correctBehaviour, counted: 3 })).toBeNull();
  });
});

describe("the form of a behaviour", () => {
  it("comes back as the behaviour it was made from", () => {
    for (const name of presetNames)
      expect(behaviourOf(formOf(presets[name].behaviour)), name).toEqual(presets[name].behaviour);
  });

  it("knows which preset it is, whatever stands in fields that do not apply", () => {
    for (const name of presetNames) expect(presetOf(presets[name].behaviour)).toBe(name);
    expect(presetOf({ ...correctBehaviour, status: 418, first: 9 })).toBe("correct");
    expect(presetOf({ ...presets.down.behaviour, first: 3 })).toBeNull();
  });

  it("says what is wrong with a number, and is no behaviour while it is", () => {
    const form = formOf(presets.down.behaviour);
    for (const status of [null, 200, 600, 404.5]) {
      expect(problemsOf({ ...form, status }).status, String(status)).toMatch(/201 to 599/);
      expect(behaviourOf({ ...form, status })).toBeNull();
    }
    for (const first of [null, 0, 1.5, 1_000_001]) {
      expect(problemsOf({ ...form, first }).first, String(first)).toMatch(/whole number/);
      expect(behaviourOf({ ...form, first })).toBeNull();
    }
  });

  it("does not judge a number that does not apply", () => {
    expect(behaviourOf({ ...formOf(correctBehaviour), status: null, first: null })).toEqual(correctBehaviour);
    expect(behaviourOf({ ...formOf(presets.down.behaviour), always: true, first: null })).toMatchObject({
      status: 503,
      first: null,
    });
  });
});
