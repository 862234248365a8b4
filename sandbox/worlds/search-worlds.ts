import type { WorldEntry, WorldSummary } from "../storage/service-database.ts";
import { isUnusable } from "../storage/unusable-file.ts";
import type { World } from "./world.ts";

/** What is searched. */
export interface SearchedWorlds {
  openWorlds(): readonly World[];
  list(): readonly WorldEntry[];
  existing(name: string): World | undefined;
}

/** A world whose file cannot be opened has nothing to be found; whoever calls it is told. */
const openable = (worlds: SearchedWorlds, name: string): World | undefined => {
  try {
    return worlds.existing(name);
  } catch (error) {
    if (!isUnusable(error)) throw error;
    return undefined;
  }
};

/** Looks into every world, open ones first, until `find` returns something; see {@link Worlds.search}. */
export const searchWorlds = <T>(
  worlds: SearchedWorlds,
  find: (world: World) => T | undefined,
  worth: (summary: WorldSummary) => boolean,
): T | undefined => {
  const open = worlds.openWorlds();
  for (const world of open) {
    const found = find(world);
    if (found !== undefined) return found;
  }
  const looked = new Set(open.map(({ name }) => name));
  for (const { name, summary } of worlds.list()) {
    if (looked.has(name) || (summary !== null && !worth(summary))) continue;
    const world = openable(worlds, name);
    const found = world && find(world);
    if (found !== undefined) return found;
  }
  return undefined;
};
