import type { World } from "../../../sandbox/contract/control/rows.ts";

/** What a world is, compared with what this page knows of it. */
export type WorldVerdict = "new" | "same" | "another" | "gone";

/** Detects a reset: the world has the same name but a new creation time. */
export const createKnownWorlds = () => {
  const begun = new Map<string, string>();
  const expected = new Set<string>();
  return {
    /** Judges the world of a name by the service's list, and remembers what it is now. */
    judge: (name: string, listed: readonly World[]): WorldVerdict => {
      const row = listed.find((world) => world.name === name);
      const before = begun.get(name);
      if (row === undefined) {
        begun.delete(name);
        return "gone";
      }
      begun.set(name, row.created_at);
      if (before === undefined) expected.delete(name);
      return before === undefined ? "new" : before === row.created_at ? "same" : "another";
    },
    /** This window resets it itself, and says so itself. */
    expect: (name: string): void => void expected.add(name),
    /** Whether the reset that was just seen was this window's own; once for each. */
    wasExpected: (name: string): boolean => expected.delete(name),
  };
};

/** Those of this page. */
export const knownWorlds = createKnownWorlds();
