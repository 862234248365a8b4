import type { World } from "../../../sandbox/contract/control/rows.ts";

/** A world compared with this page's record of it. */
type WorldVerdict = "new" | "same" | "another" | "missing";

/** Detects a reset: the world has the same name but a new creation time. */
export const createKnownWorlds = () => {
  const begun = new Map<string, string>();
  const expected = new Set<string>();
  return {
    /** Compares the world of a name with the service's list, and records it. */
    compare: (name: string, listed: readonly World[]): WorldVerdict => {
      const row = listed.find((world) => world.name === name);
      const before = begun.get(name);
      if (row === undefined) {
        begun.delete(name);
        return "missing";
      }
      begun.set(name, row.created_at);
      if (before === undefined) expected.delete(name);
      return before === undefined ? "new" : before === row.created_at ? "same" : "another";
    },
    /** Announces a reset by this window, which shows its own notice. */
    expect: (name: string): void => void expected.add(name),
    /** Returns whether the reset was this window's own, once for each. */
    wasExpected: (name: string): boolean => expected.delete(name),
  };
};

/** The worlds that this page has seen. */
export const knownWorlds = createKnownWorlds();
