import { queryOptions } from "@tanstack/react-query";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { isSender, type RequestFilter } from "../../domain/exchange/filter.ts";
import type { LiveListQuery } from "../../kernel/lists/live-list.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { itemsQuery } from "../../lib/control-query.ts";
import { callControl } from "../../lib/service-client.ts";
import { toStatusFilter } from "./addresses.ts";

const callerParameters = (who: string) => {
  if (!isSender(who)) return { integration_id: who };
  return who === "none" ? { anonymous: true } : { side: who };
};

/** Converts the filter to the service's parameters. */
export const listParameters = (filter: RequestFilter) => {
  const { search, refused, changes, faulted, unrouted, operation, status, code, cause, who, by, agent, from, to } =
    filter;
  return {
    ...(search ? { search } : {}),
    ...(refused ? { refused } : {}),
    ...(changes ? { changes } : {}),
    ...(faulted ? { faulted } : {}),
    ...(unrouted ? { unrouted } : {}),
    ...(operation === null ? {} : { operation }),
    ...(status === null ? {} : toStatusFilter(status)),
    ...(code === null ? {} : { error_code: code }),
    ...(cause === null ? {} : { cause }),
    ...(who === null ? {} : callerParameters(who)),
    ...(by === null ? {} : { origin: by }),
    ...(agent === null ? {} : { user_agent: agent }),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
  };
};

export const requestList = (world: string, filter: RequestFilter): LiveListQuery<RequestRow> => ({
  queryKey: worldKeys(world).requests("list", filter),
  read: (from, signal) => callControl("requests.list", { ...listParameters(filter), ...from, world }, { signal }),
});

/** User agents of the newest calls. */
export const userAgentsQuery = (world: string) =>
  itemsQuery(worldKeys(world).requests("user-agents"), "requests.user-agents", { world });

/** Number of the caller's calls shown before and after one. */
const AROUND = 4;

/** The same caller's calls before and after one, newest first, without the call itself. */
export const aroundQuery = (world: string, { id, at, integration_id }: RequestRow) =>
  queryOptions({
    queryKey: worldKeys(world).requests("around", id),
    queryFn: async ({ signal }): Promise<{ readonly before: RequestRow[]; readonly after: RequestRow[] }> => {
      const whose = integration_id === null ? { anonymous: true } : { integration_id };
      const [before, after] = await Promise.all([
        callControl("requests.list", { ...whose, to: at, limit: AROUND, world }, { signal }),
        callControl("requests.list", { ...whose, from: at, direction: "asc", limit: AROUND + 1, world }, { signal }),
      ]);
      return { before: before.items, after: after.items.filter((row) => row.id !== id).reverse() };
    },
  });
