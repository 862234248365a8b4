import { describe, expect, it } from "vitest";
import type { RunRow } from "../../../sandbox/contract/control/scenario-operations.ts";
import type { Scenario } from "../../../sandbox/contract/scenario.ts";
import { commandFor, currentStatus, findingText, isSameFile, parseServiceAddress, runState } from "./run-words.ts";

const run: RunRow = {
  ...{
    id: "r",
    name: "first",
    title: "First",
    mode: "all",
    world: "run-1",
    worlds: [],
    policies: {},
  },
  ...{ started_at: "2026-11-23T10:00:00Z", ended_at: null, problem: null },
  ...{ state: "running", steps: 9, held: 6, differs_at: null },
};
describe("a run", () => {
  it.each([
    [{}, "running, 6 of 9"],
    [{ state: "waiting" }, "waits at step 7"],
    [{ state: "held", held: 9 }, "9 of 9 steps passed"],
    [{ state: "differs", differs_at: 7 }, "failed at step 7"],
    [{ state: "stopped" }, "stopped after 6 of 9"],
  ] as const)("describes its state: %j", (some, words) => {
    expect(runState({ ...run, ...some }).words).toBe(words);
  });

  it("belongs to a file with the same steps, whatever its start", () => {
    const file: Scenario = { scenario: 1, name: "n", steps: [{ call: { operation: "businesses.list" } }] };
    const started = { ...file, start: {} } as unknown as Scenario;
    expect(isSameFile(file, started)).toBe(true);
    expect(isSameFile({ ...file, name: "m" }, started)).toBe(false);
  });

  it("appears in a script with its settings", () => {
    expect(commandFor("a.json", { confirm_when_confirmed: "reject" }, null)).toBe(
      "sandbox run a.json \\\n  --policy confirm_when_confirmed=reject \\\n  --reporter junit",
    );
  });

  it("appears in a script with another address", () =>
    expect(commandFor("a.json", null, "https://x.example/it's")).toBe(
      "sandbox run a.json \\\n  --url 'https://x.example/it'\\''s' \\\n  --reporter junit",
    ));

  it("accepts the same addresses as the command", () => {
    expect(parseServiceAddress(" https://api.example.com/ ")).toBe("https://api.example.com");
    expect(parseServiceAddress("http://127.0.0.1:4026")).toBe("http://127.0.0.1:4026");
    for (const none of ["", "api.example.com", "ftp://x", "javascript:1"]) expect(parseServiceAddress(none)).toBeNull();
  });
});

describe("the result of a step", () => {
  it("contains the status if there is one", () => {
    expect(currentStatus({ detail: "repairer.jobs.insert → 422" })).toBe(422);
    expect(currentStatus({ detail: "2 notifications at buyer" })).toBeNull();
    expect(currentStatus({ detail: "x → no response" })).toBeNull();
  });
});

describe("a problem in a file", () => {
  it("has the number of its step on the screen", () => {
    const pointer = "/steps/12/call/operatoin";
    expect(findingText({ pointer, message: `${pointer} is not a known field` })).toBe(
      "Step 13: /call/operatoin is not a known field",
    );
    expect(findingText({ pointer: "/steps/0", message: "/steps/0 must be object" })).toBe("Step 1 must be object");
    expect(findingText({ pointer: "/name", message: "/name must be string" })).toBe("/name must be string");
  });
});
