import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { controlQuery } from "../../lib/control-query.ts";

/**
 * A call with headers and bodies, credentials masked. Only its pin and note change, so other calls never make it stale.
 */
export const exchangeQuery = (world: string, id: string) =>
  controlQuery(worldKeys(world).requests("recent", "one", id), "requests.get", { world, id });
