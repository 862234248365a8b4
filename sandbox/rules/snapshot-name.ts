import type { DestructiveAct } from "../contract/control/snapshot-rows.ts";
import { isWorldName, worldFileName } from "./world-name.ts";

/** A snapshot's name is made of what a world's is, so that it can stand in a file's name and in a command. */
export const isSnapshotName = isWorldName;

const bare = (name: string): string => worldFileName(name).slice("w-".length, -".sqlite".length);

/** The folder of a world's snapshots, safe as {@link worldFileName} is. */
export const worldSnapshotsFolder = (world: string): string => `${bare(world)}.snapshots`;

/** The folder of a snapshot below it. */
export const snapshotFolder = (name: string): string => `${bare(name)}.snapshot`;

/** @param at real time, milliseconds since 1970 */
const stampOf = (at: number): string =>
  new Date(at).toISOString().replaceAll("-", "").replaceAll(":", "").replace("T", "-").replace("Z", "");

/** A name for a snapshot that was given none. @param taken whether there is one of a name */
export const nameFromTime = (
  what: "snapshot" | "imported" | `before-${DestructiveAct}`,
  at: number,
  taken: (name: string) => boolean,
): string => {
  const name = `${what}-${stampOf(at)}`;
  let free = name;
  for (let count = 2; taken(free); count += 1) free = `${name}-${count}`;
  return free;
};

/** What is kept of checkpoints. */
export const checkpointLimits = { ofAWorld: 10, inAll: 50, bytesInAll: 1024 * 1024 * 1024 } as const;

interface Checkpoint {
  readonly world: string;
  readonly created_at: number;
  readonly bytes: number;
}

/** The checkpoints to forget: those beyond the limits, oldest first. The newest of all always stays. */
export const surplusCheckpoints = <C extends Checkpoint>(
  checkpoints: readonly C[],
  limits: { readonly ofAWorld: number; readonly inAll: number; readonly bytesInAll: number } = checkpointLimits,
): C[] => {
  const newestFirst = checkpoints.toSorted((one, other) => other.created_at - one.created_at);
  const ofWorld = new Map<string, number>();
  let inAll = 0;
  let bytes = 0;
  return newestFirst.filter((one) => {
    const count = ofWorld.get(one.world) ?? 0;
    const fits = count < limits.ofAWorld && inAll < limits.inAll && bytes + one.bytes <= limits.bytesInAll;
    if (!fits && inAll > 0) return true;
    ofWorld.set(one.world, count + 1);
    inAll += 1;
    bytes += one.bytes;
    return false;
  });
};
