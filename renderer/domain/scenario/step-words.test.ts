import { describe, expect, it } from "vitest";
import type { CallStep, Step } from "../../../sandbox/contract/scenario.ts";
import { checkedWords, statusWanted, stepTitle } from "./step-words.ts";

const call = (expect?: CallStep["expect"], name?: string): Step => ({
  ...(name === undefined ? {} : { name }),
  call: { operation: "repairer.jobs.insert" },
  ...(expect === undefined ? {} : { expect }),
});

describe("a step", () => {
  it("is called as its file says, else by what it does", () => {
    expect(stepTitle(call(undefined, "A job"))).toBe("A job");
    expect(stepTitle(call())).toBe("Insert job");
    expect(stepTitle({ control: { operation: "clock.advance" } })).toBe("clock.advance");
    expect(stepTitle({ receiver: { integration_id: "i" } })).toBe("Start a built-in receiver");
  });

  it("says what is checked, and no status where none is", () => {
    expect([statusWanted(call()), checkedWords(call())]).toEqual([200, ""]);
    const checked = call({ status: 422, body: { type: "a", b: 1, c: 2, d: 3 }, within_seconds: 5 });
    expect([statusWanted(checked), checkedWords(checked)]).toEqual([422, "with type, b, c and 1 more; within 5 s"]);
    expect([statusWanted(call({ no_answer: true })), checkedWords(call({ no_answer: true }))]).toEqual([
      null,
      "connection closed",
    ]);
    const deliveries: Step = {
      deliveries: {
        receiver: "r",
        expect: [
          { event_type: "repairer.jobs" },
          { event_type: "repairer.procurements", count: 0 },
          { event_type: "repairer.jobs" },
        ],
      },
    };
    expect([statusWanted(deliveries), checkedWords(deliveries)]).toEqual([
      null,
      "2 × repairer.jobs, no repairer.procurements",
    ]);
  });
});
