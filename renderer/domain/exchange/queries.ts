import { queryOptions } from "@tanstack/react-query";
import { worldKeys } from "../../app/query-keys.ts";
import { callControl } from "../../lib/service-client.ts";

/** One exchange with its headers and bodies, credentials masked. It never changes but for a pin and a note: no call makes it stale. */
export const exchangeQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: worldKeys(world).requests("recent", "one", id),
    queryFn: ({ signal }) => callControl("requests.get", { world, id }, { signal }),
  });
