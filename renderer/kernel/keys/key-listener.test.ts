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

describe("names of key presses", () => {
  it("give the typed character, whatever Shift did", () => {
    expect(pressName(press("?", { shiftKey: true }), false)).toBe("?");
    expect(pressName(press("J", { shiftKey: true }), false)).toBe("j");
  });
  it("call the platform's command key mod", () => {
    expect(pressName(press("k", { ctrlKey: true }), false)).toBe("mod+k");
    expect(pressName(press("k", { metaKey: true }), true)).toBe("mod+k");
    expect(pressName(press("k", { ctrlKey: true }), true)).toBe("other+k");
  });
  it("include Shift for keys without a character", () =>
    expect(pressName(press("Enter", { shiftKey: true }), false)).toBe("shift+enter"));
  it("are null for a modifier alone", () => expect(pressName(press("Shift"), false)).toBeNull());
});

describe("matching", () => {
  const goJobs = binding("g j");
  const next = binding("j", "down");
  const all = [goJobs, next];

  it("matches a single key, and a sequence at its last key", () => {
    const matcher = createMatcher<{ keys: string[] }>();
    expect(["j", "g", "j", "j"].map((name) => matcher.press(name, all))).toEqual([next, null, goJobs, next]);
  });
  it("never matches the second key of a sequence on its own", () => {
    const replay = binding("r");
    const matcher = createMatcher<{ keys: string[] }>();
    expect(["g", "r", "r"].map((name) => matcher.press(name, [...all, replay]))).toEqual([null, null, replay]);
  });
  it("passes commands through an open sequence", () => {
    const search = binding("mod+k");
    const matcher = createMatcher<{ keys: string[] }>();
    matcher.press("g", all);
    expect(matcher.press("mod+k", [...all, search])).toBe(search);
  });
  it("drops a sequence after another action", () => {
    const matcher = createMatcher<{ keys: string[] }>();
    matcher.press("g", all);
    matcher.forget();
    expect(matcher.press("j", all)).toBe(next);
  });
  it("prefers the latest binding", () => {
    const later = binding("j");
    expect(createMatcher<{ keys: string[] }>().press("j", [next, later])).toBe(later);
  });
  it("returns null without a binding", () => expect(createMatcher<{ keys: string[] }>().press("x", all)).toBeNull());
});

describe("typing", () => {
  it("blocks letters, and passes commands and Escape", () => {
    expect([
      belongsToTyping("j", true),
      belongsToTyping("mod+k", true),
      belongsToTyping("esc", true),
      belongsToTyping("j", false),
    ]).toEqual([true, false, false, false]);
  });
});
