import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { controlQuery } from "../../lib/control-query.ts";

/** One exchange with its headers and bodies, credentials masked. It never changes but for a pin and a note: no call makes it stale. */
export const exchangeQuery = (world: string, id: string) =>
  controlQuery(worldKeys(world).requests("recent", "one", id), "requests.get", { world, id });
