import { queryOptions } from "@tanstack/react-query";
import { callControl } from "../lib/service-client.ts";
import { DEFAULT_WORLD } from "../lib/world-name.ts";
import { serviceKeys, worldKeys } from "./query-keys.ts";

/** How many of the last exchanges the wire keeps. */
export const RECENT_REQUESTS = 100;
/** How many of the last changes are kept, and of the last refusals, however much was read since. */
export const RECENT_CHANGES = 40;
export const RECENT_REFUSALS = 100;

/** What several places and the frame read; each place has its own beside these. */
export const serviceInfoQuery = () =>
  queryOptions({
    queryKey: serviceKeys.info,
    // Not of the window's world: asking one that is gone would begin it anew.
    queryFn: ({ signal }) => callControl("service.info", { world: DEFAULT_WORLD }, { signal }),
  });

/** Every world of the service. Asked of the world default, because asking a world counts as a call to it (D82). */
export const worldsQuery = () =>
  queryOptions({
    queryKey: serviceKeys.worlds,
    queryFn: async ({ signal }) => (await callControl("worlds.list", { world: DEFAULT_WORLD }, { signal })).items,
  });

/** The snapshots of all worlds, newest first, with the checkpoints of worlds that are no more; asking is no call to any. */
export const snapshotsQuery = () =>
  queryOptions({
    queryKey: serviceKeys.snapshots,
    queryFn: async ({ signal }) =>
      (await callControl("snapshots.list", { world: DEFAULT_WORLD, everywhere: true }, { signal })).items,
  });

/** How much there is in the world, and what was done in it first: every count that is not a list's own. */
export const worldSummaryQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).summary(),
    queryFn: ({ signal }) => callControl("world.summary", { world }, { signal }),
  });

/** Credentials with their keys: in memory only, never stored. Newest first. */
export const credentialsQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).credentials(),
    queryFn: async ({ signal }) => (await callControl("credentials.list", { reveal: true, world }, { signal })).items,
  });

export const organizationsQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).organizations(),
    queryFn: async ({ signal }) => (await callControl("organizations.list", { world }, { signal })).items,
  });

export const clientsQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).clients(),
    queryFn: async ({ signal }) => (await callControl("clients.list", { reveal: true, world }, { signal })).items,
  });

/** The switches of the world, with when each was last changed. */
export const switchesQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).policies(),
    queryFn: ({ signal }) => callControl("policies.get", { world }, { signal }),
  });

/** How they stand, alone. */
export const policiesQuery = (world: string) =>
  queryOptions({ ...switchesQuery(world), select: ({ policies }) => policies });

export const clockQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).clock(),
    queryFn: ({ signal }) => callControl("clock.get", { world }, { signal }),
  });

/** The last exchanges, newest first; the live feed writes new ones in front. */
export const recentRequestsQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).requests("recent"),
    queryFn: ({ signal }) => callControl("requests.list", { limit: RECENT_REQUESTS, world }, { signal }),
  });

/** The last exchanges that changed something, newest first; the live feed writes new ones in front. */
export const recentChangesQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).requests("recent", "changes"),
    queryFn: ({ signal }) => callControl("requests.list", { changes: true, limit: RECENT_CHANGES, world }, { signal }),
  });

/** The last exchanges that were refused or failed, in the same way. */
export const recentRefusalsQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).requests("recent", "refusals"),
    queryFn: ({ signal }) => callControl("requests.list", { refused: true, limit: RECENT_REFUSALS, world }, { signal }),
  });
