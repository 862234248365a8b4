import { create } from "zustand";
import { combine, persist } from "zustand/middleware";
import type { PaletteGroup } from "./entry.ts";

/** So many choices are remembered, and so many of them stand first. */
const MOST_REMEMBERED = 40;
const MOST_FIRST = 3;

/** What was chosen, by its id, with one choice more: each once, the last first. */
export const withUse = (used: readonly string[], id: string): readonly string[] =>
  [id, ...used.filter((one) => one !== id)].slice(0, MOST_REMEMBERED);

/** What a person chose in the palette, in any window. */
export const useUsed = create(
  persist(
    combine({ used: [] as readonly string[] }, (set) => ({
      use: (id: string) => set(({ used }) => ({ used: withUse(used, id) })),
    })),
    { name: "explorer.palette", version: 1 },
  ),
);

/** Of what is found, what was chosen before stands first, the last before others; and is not listed a second time. */
export const usedFirst = (groups: readonly PaletteGroup[], used: readonly string[]): readonly PaletteGroup[] => {
  const rank = (id: string) => used.indexOf(id);
  const first = groups
    .flatMap(({ entries }) => entries)
    .filter(({ id }) => rank(id) >= 0)
    .sort((one, other) => rank(one.id) - rank(other.id))
    .slice(0, MOST_FIRST);
  const rest = groups.map(({ title, entries }) => ({
    title,
    entries: entries.filter((entry) => !first.includes(entry)),
  }));
  return [{ title: "Chosen before", entries: first }, ...rest].filter(({ entries }) => entries.length > 0);
};
