import { describe, expect, it } from "vitest";
import { scenarioName } from "./scenario-name.ts";

describe("the file name of a scenario", () => {
  it.each([
    ["Acme: 4417.json", [], "acme-4417"],
    ["Acme: 4417.reproduction", [], "acme-4417"],
    ["../../etc/passwd", [], "etc-passwd"],
    ["", [], "scenario"],
    ["ünïcode", [], "n-code"],
    ["a.json", ["a", "a-2"], "a-3"],
  ])("for %j beside %j is %s", (title, taken, name) => {
    expect(scenarioName(title, taken)).toBe(name);
    expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,63}$/);
  });

  it("has a limited length", () => {
    const name = scenarioName("x".repeat(300), [scenarioName("x".repeat(300), [])]);
    expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,63}$/);
  });
});
