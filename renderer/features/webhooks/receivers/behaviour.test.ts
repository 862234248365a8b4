import { describe, expect, it } from "vitest";
import { correctBehaviour } from "../../../../sandbox/contract/control/presets.ts";
import { behaviourProblems, behaviourSentence, progressText, toBehaviour } from "./behaviour.ts";

const down = { ...correctBehaviour, answer: "status", first: 2 } as const;

describe("the behaviour of a built-in receiver", () => {
  it("is described in a sentence", () => {
    expect(behaviourSentence(correctBehaviour)).toBe("Accepts valid notifications.");
    expect(behaviourSentence({ ...correctBehaviour, verify: false })).toBe("Accepts everything without verifying.");
    expect(behaviourSentence(down)).toBe(
      "Returns 503 for the first 2 notifications, then accepts valid notifications.",
    );
    expect(behaviourSentence({ ...down, first: null })).toBe("Returns 503 for all notifications.");
    expect(behaviourSentence({ ...down, answer: "time_out", first: 1 })).toMatch(
      /^Doesn’t respond to the first notification, then/,
    );
  });

  it("shows its progress, except for the default", () => {
    expect(progressText({ behaviour: correctBehaviour, counted: 3 })).toBeNull();
    expect(progressText({ behaviour: down, counted: 1 })).toBe("1 of 2 so far");
    expect(progressText({ behaviour: down, counted: 9 })).toBe("2 of 2 done, it accepts now");
    expect(progressText({ behaviour: { ...down, first: null }, counted: 9 })).toBe("9 so far");
  });

  it("isn't saved with invalid numbers, but ignores numbers that don't apply", () => {
    expect(behaviourProblems({ ...down, status: 200 }).status).toBe(
      "Enter a status from 201 to 599. 200 would acknowledge.",
    );
    expect(toBehaviour({ ...down, status: null })).toBeNull();
    expect(toBehaviour({ ...down, first: 0 })).toBeNull();
    expect(toBehaviour({ ...correctBehaviour, status: null, first: 0 })).toEqual(correctBehaviour);
    expect(toBehaviour({ ...down, first: null })).toEqual({ ...down, first: null });
  });
});
