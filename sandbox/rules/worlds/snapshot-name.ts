import type { DestructiveAct, Snapshot } from "../../contract/control/snapshot-operations.ts";
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

const MEBIBYTE = 1024 * 1024;
/** What is kept of checkpoints; those of one world leave room for others'. */
const checkpointLimits = { ofAWorld: 10, bytesOfAWorld: 256 * MEBIBYTE, inAll: 50, bytesInAll: 1024 * MEBIBYTE };

/**
 * The checkpoints to delete: those beyond the limits, oldest first. The newest of a world is kept whatever that world's
 * limits say, the newest of all whatever any says.
 */
export const surplusCheckpoints = <C extends Pick<Snapshot, "world" | "bytes"> & { readonly created_at: number }>(
  checkpoints: readonly C[],
  limits: Readonly<typeof checkpointLimits> = checkpointLimits,
): C[] => {
  const newestFirst = checkpoints.toSorted((one, other) => other.created_at - one.created_at);
  const ofWorld = new Map<string, { readonly count: number; readonly bytes: number }>();
  let inAll = 0;
  let bytes = 0;
  return newestFirst.filter((one) => {
    const own = ofWorld.get(one.world);
    const fitsWorld = !own || (own.count < limits.ofAWorld && own.bytes + one.bytes <= limits.bytesOfAWorld);
    const fits = fitsWorld && inAll < limits.inAll && bytes + one.bytes <= limits.bytesInAll;
    if (!fits && inAll > 0) return true;
    ofWorld.set(one.world, { count: (own?.count ?? 0) + 1, bytes: (own?.bytes ?? 0) + one.bytes });
    inAll += 1;
    bytes += one.bytes;
    return false;
  });
};
