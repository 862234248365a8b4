import { describe, expect, it } from "vitest";
import { lastCallTo, noteCall, worldResetsAt } from "./world-calls.ts";

const at = (text: string) => Date.parse(`2026-03-17T${text}Z`);
const row = { last_active_at: "2026-03-17T10:00:00Z", resets_at: "2026-03-17T11:00:00Z" };

describe("the time of a world's reset", () => {
  it("comes from the service without later calls", () => expect(worldResetsAt(row, null)).toBe(at("11:00:00")));
  it("moves with every later call", () => expect(worldResetsAt(row, at("10:20:00"))).toBe(at("11:20:00")));
  it("ignores a call that the service already counted", () =>
    expect(worldResetsAt(row, at("09:59:00"))).toBe(at("11:00:00")));
  it("is null if the service says never", () =>
    expect(worldResetsAt({ ...row, resets_at: null }, at("10:20:00"))).toBeNull());
});

describe("the last call to a world", () => {
  it("is the latest one, for each world", () => {
    // Test files share this module, so these world names must be unique.
    noteCall("called-twice", 20);
    noteCall("called-twice", 10);
    expect(lastCallTo("called-twice")).toBe(20);
    expect(lastCallTo("never-called")).toBeNull();
  });
});
