import { worldsCompare } from "../contract/control/compare-operations.ts";
import { refuse } from "../contract/errors.ts";
import { isWorldName } from "../rules/world-name.ts";
import { type BoundControl, control } from "./handler.ts";

/** Worlds beside one another. To be compared with is no call to a world. */
export const compareControls: readonly BoundControl[] = [
  control(worldsCompare, ({ world, worlds, snapshots, hungUp }, { with: other }) => {
    if (other.world !== undefined) {
      if (!isWorldName(other.world)) return refuse("bad_request", "/with/world must be 1 to 64 of A–Z a–z 0–9 . _ -");
      if (!worlds.look(other.world, () => true)) return refuse("not_found", `/with/world ${other.world} doesn’t exist`);
    }
    return snapshots.compare(world.name, other, hungUp);
  }),
];
