import { describe, expect, it } from "vitest";
import { belongsToTyping, createMatcher, type KeyPress, pressName } from "./key-listener.ts";

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});
const binding = (...keys: string[]) => ({ keys });

describe("names of presses", () => {
  it("names what a printable key types, whatever shift did for it", () => {
    expect(pressName(press("?", { shiftKey: true }), false)).toBe("?");
    expect(pressName(press("J", { shiftKey: true }), false)).toBe("j");
  });
  it("calls the platform's own key mod", () => {
    expect(pressName(press("k", { ctrlKey: true }), false)).toBe("mod+k");
    expect(pressName(press("k", { metaKey: true }), true)).toBe("mod+k");
    expect(pressName(press("k", { ctrlKey: true }), true)).toBe("other+k");
  });
  it("names shift with keys that type nothing", () =>
    expect(pressName(press("Enter", { shiftKey: true }), false)).toBe("shift+enter"));
  it("does not name a modifier alone", () => expect(pressName(press("Shift"), false)).toBeNull());
});

describe("matching", () => {
  const goJobs = binding("g j");
  const next = binding("j", "down");
  const all = [goJobs, next];

  it("matches a key, and a sequence before its last key alone", () => {
    const matcher = createMatcher<{ keys: string[] }>();
    expect(["j", "g", "j", "j"].map((name) => matcher.press(name, all))).toEqual([next, null, goJobs, next]);
  });
  it("never takes the second key of a sequence for a key alone, known or not", () => {
    const replay = binding("r");
    const matcher = createMatcher<{ keys: string[] }>();
    expect(["g", "r", "r"].map((name) => matcher.press(name, [...all, replay]))).toEqual([null, null, replay]);
  });
  it("lets keys that type nothing through a sequence that was begun", () => {
    const search = binding("mod+k");
    const matcher = createMatcher<{ keys: string[] }>();
    matcher.press("g", all);
    expect(matcher.press("mod+k", [...all, search])).toBe(search);
  });
  it("forgets a sequence when the person does something else", () => {
    const matcher = createMatcher<{ keys: string[] }>();
    matcher.press("g", all);
    matcher.forget();
    expect(matcher.press("j", all)).toBe(next);
  });
  it("lets the binding that came last win", () => {
    const later = binding("j");
    expect(createMatcher<{ keys: string[] }>().press("j", [next, later])).toBe(later);
  });
  it("answers null for what nobody bound", () =>
    expect(createMatcher<{ keys: string[] }>().press("x", all)).toBeNull());
});

describe("typing", () => {
  it("keeps letters, lets commands and Escape through", () => {
    expect([
      belongsToTyping("j", true),
      belongsToTyping("mod+k", true),
      belongsToTyping("esc", true),
      belongsToTyping("j", false),
    ]).toEqual([true, false, false, false]);
  });
});
