import { describe, expect, it } from "vitest";
import type { World } from "../../../sandbox/contract/control/rows.ts";
import { createKnownWorlds } from "./known-worlds.ts";

const world = (name: string, created_at: string): World => ({
  name,
  created_at,
  last_active_at: created_at,
  last_called_at: null,
  resets_at: null,
  pinned: false,
  clock_offset_seconds: 0,
  counts: { jobs: 0, procurements: 0, credentials: 0, subscriptions: 0 },
  bytes: 0,
  unavailable: null,
});

describe("a known world", () => {
  it("is new at first and then the same", () => {
    const { compare } = createKnownWorlds();
    expect(compare("qa", [world("qa", "10:00")])).toBe("new");
    expect(compare("qa", [world("qa", "10:00")])).toBe("same");
  });
  it("is another one after a reset", () => {
    const { compare } = createKnownWorlds();
    compare("qa", [world("qa", "10:00")]);
    expect(compare("qa", [world("qa", "11:00")])).toBe("another");
    expect(compare("qa", [world("qa", "11:00")])).toBe("same");
  });
  it("is missing when it isn't listed, and new when it is listed again", () => {
    const { compare } = createKnownWorlds();
    compare("qa", [world("qa", "10:00")]);
    expect(compare("qa", [world("default", "09:00")])).toBe("missing");
    expect(compare("qa", [world("qa", "12:00")])).toBe("new");
  });
  it("remembers its own window's reset once", () => {
    const { expect: expectReset, wasExpected } = createKnownWorlds();
    expectReset("qa");
    expect(wasExpected("qa")).toBe(true);
    expect(wasExpected("qa")).toBe(false);
  });
  it("drops an expected reset of a world it meets for the first time", () => {
    const { expect: expectReset, compare, wasExpected } = createKnownWorlds();
    expectReset("qa");
    compare("qa", [world("qa", "10:00")]);
    expect(wasExpected("qa")).toBe(false);
  });
  it("keeps an expected reset of a known world", () => {
    const { expect: expectReset, compare, wasExpected } = createKnownWorlds();
    compare("qa", [world("qa", "10:00")]);
    expectReset("qa");
    compare("qa", [world("qa", "11:00")]);
    expect(wasExpected("qa")).toBe(true);
  });
});
