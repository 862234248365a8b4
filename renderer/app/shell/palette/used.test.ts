import { describe, expect, it } from "vitest";
import type { PaletteEntry, PaletteGroup } from "./entry.ts";
import { usedFirst, withUse } from "./used.ts";

const group = (title: string, ...ids: readonly string[]): PaletteGroup => ({
  title,
  entries: ids.map((id) => ({ id }) as PaletteEntry),
});
const shown = (groups: readonly PaletteGroup[], used: readonly string[]) =>
  usedFirst(groups, used).map(({ title, entries }) => [title, ...entries.map(({ id }) => id)]);

describe("what was chosen before", () => {
  const found = [group("Go to", "jobs", "install"), group("Jobs", "a", "b"), group("Calls")];

  it("stands first, the last before others, and once", () =>
    expect(shown(found, ["b", "gone", "jobs"])).toEqual([
      ["Chosen before", "b", "jobs"],
      ["Go to", "install"],
      ["Jobs", "a"],
    ]));
  it("is nothing where nothing of it is found, and empty groups are left out", () =>
    expect(shown(found, ["gone"])).toEqual([
      ["Go to", "jobs", "install"],
      ["Jobs", "a", "b"],
    ]));
  it("is three at most", () =>
    expect(shown(found, ["a", "b", "install", "jobs"])[0]).toEqual(["Chosen before", "a", "b", "install"]));
});

it("remembers each choice once, the last first, and no more than forty", () => {
  const chosen = [...Array.from({ length: 50 }, (_, index) => `entry-${index}`), "entry-20"];
  const used = chosen.reduce<readonly string[]>(withUse, []);
  expect(used).toHaveLength(40);
  expect(used.slice(0, 3)).toEqual(["entry-20", "entry-49", "entry-48"]);
});
