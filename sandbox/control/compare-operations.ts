import { worldsCompare } from "../contract/control/compare-operations.ts";
import { refuse } from "../contract/errors.ts";
import { isWorldName } from "../rules/world-name.ts";
import { type BoundControl, control } from "./handler.ts";

/** Worlds beside one another. */
export const compareControls: readonly BoundControl[] = [
  control(worldsCompare, ({ world, worlds, snapshots, hungUp }, { with: other }) => {
    if (other.snapshot !== undefined) return snapshots.compareWithSnapshot(world.name, other.snapshot, hungUp);
    if (!isWorldName(other.world)) return refuse("bad_request", "/with/world must be 1 to 64 of A–Z a–z 0–9 . _ -");
    const there = worlds.look(other.world, ({ name }) => name);
    if (there === undefined) return refuse("not_found", `/with/world ${other.world} is no world`);
    return snapshots.compare(world.name, there, hungUp);
  }),
];
