import { queryOptions } from "@tanstack/react-query";
import { serviceKeys, worldKeys } from "../../kernel/queries/query-keys.ts";
import { controlQuery } from "../../lib/control-query.ts";
import { callControl } from "../../lib/service-client.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";

/** No feed reports these, so they are read whenever the place is opened. */
const always = { staleTime: 0, gcTime: 0 } as const;

export const serviceSettingsQuery = () =>
  queryOptions({
    queryKey: serviceKeys.settings,
    staleTime: 0,
    queryFn: ({ signal }) => callControl("service.settings", { world: DEFAULT_WORLD }, { signal }),
  });

export const logQuery = () =>
  queryOptions({
    queryKey: serviceKeys.log,
    ...always,
    queryFn: ({ signal }) => callControl("service.log", { world: DEFAULT_WORLD, limit: 50 }, { signal }),
  });

export const retentionQuery = (world: string) => controlQuery(worldKeys(world).retention(), "retention.get", { world });
