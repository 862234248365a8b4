import { describe, expect, it } from "vitest";
import type { RunRow } from "../../../sandbox/contract/control/scenario-operations.ts";
import type { CallStep, CameDelivery, Scenario, Step } from "../../../sandbox/contract/scenario.ts";
import {
  checkedWords,
  commandFor,
  deliveriesThen,
  isSameFile,
  runState,
  statusNow,
  statusWanted,
  stepTitle,
} from "./run-words.ts";

const run: RunRow = {
  ...{
    id: "r",
    name: "first",
    title: "First",
    mode: "all",
    world: "run-1",
    worlds: [],
    in_world: null,
    policies: null,
  },
  ...{ started_at: "2026-11-23T10:00:00Z", ended_at: null, problem: null },
  ...{ state: "running", steps: 9, held: 6, differs_at: null },
};
const call = (expect?: CallStep["expect"], name?: string): Step => ({
  ...(name === undefined ? {} : { name }),
  call: { operation: "repairer.jobs.insert" },
  ...(expect === undefined ? {} : { expect }),
});

describe("a run", () => {
  it.each([
    [{}, "running, 6 of 9"],
    [{ state: "waiting" }, "waits at step 7"],
    [{ state: "held", held: 9 }, "9 of 9 held"],
    [{ state: "differs", differs_at: 7 }, "differs at 7"],
    [{ state: "stopped" }, "stopped after 6 of 9"],
  ] as const)("says how it stands: %j", (some, words) => {
    expect(runState({ ...run, ...some }).words).toBe(words);
  });

  it("is of a file as long as its steps are the same, whatever it starts with", () => {
    const file: Scenario = { scenario: 1, name: "n", steps: [call()] };
    const started = { ...file, start: {} } as unknown as Scenario;
    expect(isSameFile(file, started)).toBe(true);
    expect(isSameFile({ ...file, name: "m" }, started)).toBe(false);
  });

  it("is the same in a script with its policies", () => {
    expect(commandFor("a.json", { confirm_when_confirmed: "reject" })).toBe(
      "sandbox run a.json \\\n  --policy confirm_when_confirmed=reject \\\n  --reporter junit",
    );
  });
});

describe("a step", () => {
  it("is called as its file says, else by what it does", () => {
    expect(stepTitle(call(undefined, "A job"))).toBe("A job");
    expect(stepTitle(call())).toBe("Insert job");
    expect(stepTitle({ control: { operation: "clock.advance" } })).toBe("clock.advance");
    expect(stepTitle({ receiver: { integration_id: "i" } })).toBe("A built-in receiver listens");
  });

  it("says what is checked, and no status where none is", () => {
    expect([statusWanted(call()), checkedWords(call())]).toEqual([200, ""]);
    const checked = call({ status: 422, body: { type: "a", b: 1, c: 2, d: 3 }, within_seconds: 5 });
    expect([statusWanted(checked), checkedWords(checked)]).toEqual([422, "type, b, c and 1 more; within 5 s"]);
    expect([statusWanted(call({ no_answer: true })), checkedWords(call({ no_answer: true }))]).toEqual([
      null,
      "the connection is closed",
    ]);
    const deliveries: Step = {
      deliveries: {
        receiver: "r",
        expect: [{ event_type: "repairer.jobs" }, { event_type: "repairer.procurements", count: 0 }],
      },
    };
    expect([statusWanted(deliveries), checkedWords(deliveries)]).toEqual([
      null,
      "1 × repairer.jobs, no repairer.procurements",
    ]);
  });

  it("reads the status out of its result, where there is one", () => {
    expect(statusNow({ detail: "repairer.jobs.insert → 422" })).toBe(422);
    expect(statusNow({ detail: "2 notifications at buyer" })).toBeNull();
    expect(statusNow({ detail: "x → no answer" })).toBeNull();
  });

  it("says how many notifications came then, and how many failed", () => {
    const came = { at: "2026-11-23T10:00:00Z", trace_id: null, status: 200, body: null };
    const delivery: CameDelivery = {
      event_type: "repairer.jobs",
      side: "repairer",
      to: "http://x",
      status: "delivered",
      attempts: [],
    };
    const deliveries = [delivery, { ...delivery, status: "failed" as const }];
    expect(deliveriesThen({ ...came, deliveries })).toBe("2 notifications, 1 failed");
    expect(deliveriesThen(came)).toBe("");
  });
});
