import { describe, expect, it } from "vitest";
import type { CallStep, Step } from "../../../sandbox/contract/scenario.ts";
import { stepTitle } from "./step-words.ts";

const call = (expect?: CallStep["expect"], name?: string): Step => ({
  ...(name === undefined ? {} : { name }),
  call: { operation: "repairer.jobs.insert" },
  ...(expect === undefined ? {} : { expect }),
});

describe("a step", () => {
  it("has the title of its file, else of its action", () => {
    expect(stepTitle(call(undefined, "A job"))).toBe("A job");
    expect(stepTitle(call())).toBe("Insert job");
    expect(stepTitle({ control: { operation: "clock.advance" } })).toBe("clock.advance");
    expect(stepTitle({ receiver: { integration_id: "i" } })).toBe("Start a built-in receiver");
  });
});
