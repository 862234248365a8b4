import type { World } from "../../../sandbox/contract/control/rows.ts";
import type { Snapshot } from "../../../sandbox/contract/control/snapshot-operations.ts";
import { sortWorlds } from "../../domain/world/use-worlds.ts";

/** A row of the list: a world, or a deleted one that can be restored from its newest snapshot. */
export type ListedWorld =
  | { readonly is: "world"; readonly name: string; readonly row: World }
  | { readonly is: "ended"; readonly name: string; readonly newest: Snapshot };

/** Active worlds, this window's first, then deleted ones. @param snapshots newest first */
export const listWorlds = (
  rows: readonly World[],
  snapshots: readonly Snapshot[],
  here: string,
): readonly ListedWorld[] => {
  const listed = new Set(rows.map(({ name }) => name));
  const ended = new Map<string, Snapshot>();
  for (const snapshot of snapshots)
    if (!listed.has(snapshot.world) && !ended.has(snapshot.world)) ended.set(snapshot.world, snapshot);
  return [
    ...sortWorlds(rows, here).map((row) => ({ is: "world" as const, name: row.name, row })),
    ...[...ended].map(([name, newest]) => ({ is: "ended" as const, name, newest })),
  ];
};
