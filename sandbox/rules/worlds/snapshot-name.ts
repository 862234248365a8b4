import type { DestructiveAct, Snapshot } from "../../contract/control/snapshot-operations.ts";
import { isWorldName, worldFileName } from "./world-name.ts";

/** Snapshot names follow the rules of world names, so they are safe in file names and commands. */
export const isSnapshotName = isWorldName;

const bare = (name: string): string => worldFileName(name).slice("w-".length, -".sqlite".length);

/** Folder of a world's snapshots; safe like {@link worldFileName}. */
export const worldSnapshotsFolder = (world: string): string => `${bare(world)}.snapshots`;

/** Folder of one snapshot inside it. */
export const snapshotFolder = (name: string): string => `${bare(name)}.snapshot`;

/** @param at real time, milliseconds since 1970 */
const formatStamp = (at: number): string =>
  new Date(at).toISOString().replaceAll("-", "").replaceAll(":", "").replace("T", "-").replace("Z", "");

/** Generates a name for an unnamed snapshot. @param taken whether a name exists */
export const createSnapshotName = (
  what: "snapshot" | "imported" | `before-${DestructiveAct}`,
  at: number,
  taken: (name: string) => boolean,
): string => {
  const name = `${what}-${formatStamp(at)}`;
  let free = name;
  for (let count = 2; taken(free); count += 1) free = `${name}-${count}`;
  return free;
};

const MEBIBYTE = 1024 * 1024;
/** Limits for checkpoints. The limits of one world leave space for others. */
const checkpointLimits = { ofAWorld: 10, bytesOfAWorld: 256 * MEBIBYTE, inAll: 50, bytesInAll: 1024 * MEBIBYTE };

/**
 * Checkpoints to delete: the oldest beyond the limits. The newest of a world survives the world's limits, and the
 * newest overall survives every limit.
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
