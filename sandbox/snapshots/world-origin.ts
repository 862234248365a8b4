import type { AppServices } from "../app-services.ts";
import type { FindOrigin } from "../operations/refused-call.ts";
import type { World } from "../worlds/world.ts";

/** Event that a world began after, by its own mark and the checkpoints of its name. */
export const findWorldOrigin = (
  { worlds, snapshots }: Pick<AppServices, "worlds" | "snapshots">,
  world: World,
): ReturnType<FindOrigin> => {
  if (worlds.wasReset(world)) return "reset";
  const deletedAt = snapshots.deletedAt(world.name, world.db.epoch);
  return deletedAt === null ? null : { deletedAt };
};
