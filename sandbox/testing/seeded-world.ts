import { createSeededDatabase } from "../worlds/template.ts";
import { World } from "../worlds/world.ts";

/** Opens a world of seeded data without a service or a file. The test closes it. */
export const openSeededWorld = (): World =>
  new World("w", createSeededDatabase(null), { onPublish: () => undefined, onError: () => undefined });
