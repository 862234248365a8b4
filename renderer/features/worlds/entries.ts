import type { World } from "../../../sandbox/contract/control/rows.ts";
import type { Snapshot } from "../../../sandbox/contract/control/snapshot-operations.ts";
import { sortWorlds } from "../../domain/world/use-worlds.ts";
import { copyName, isWorldName } from "../../lib/world-name.ts";

/** A row of the list: a world, or a deleted one that can be restored from its newest snapshot. */
export type Entry =
  | { readonly is: "world"; readonly name: string; readonly row: World }
  | { readonly is: "ended"; readonly name: string; readonly newest: Snapshot };

/** Active worlds, this window's first, then deleted ones. @param snapshots newest first */
export const listEntries = (rows: readonly World[], snapshots: readonly Snapshot[], here: string): readonly Entry[] => {
  const listed = new Set(rows.map(({ name }) => name));
  const ended = new Map<string, Snapshot>();
  for (const snapshot of snapshots)
    if (!listed.has(snapshot.world) && !ended.has(snapshot.world)) ended.set(snapshot.world, snapshot);
  return [
    ...sortWorlds(rows, here).map((row) => ({ is: "world" as const, name: row.name, row })),
    ...[...ended].map(([name, newest]) => ({ is: "ended" as const, name, newest })),
  ];
};

/** Returns the name of an imported world if it is unused, else the closest unused one. */
export const freeName = (wanted: unknown, taken: readonly string[]): string => {
  const name = typeof wanted === "string" && isWorldName(wanted) ? wanted : "imported";
  return taken.includes(name) ? copyName(name, taken) : name;
};
