import { queryOptions } from "@tanstack/react-query";
import { type ControlRequest, controlQuery, itemsQuery } from "../../lib/control-query.ts";
import { callControl } from "../../lib/service-client.ts";
import { hasScope, homeWorld, worldAccess } from "../../lib/world-access.ts";
import { serviceKeys, worldKeys } from "./query-keys.ts";

/** How many of the last exchanges the wire keeps. */
export const RECENT_REQUESTS = 100;
/** How many of the last changes are kept, and of the last refusals, however much was read since. */
export const RECENT_NOTED = 40;

/** What several places and the frame read; each place has its own beside these. */
export const serviceInfoQuery = () =>
  // Not of the window's world: asking one that is gone would begin it anew.
  controlQuery(serviceKeys.info, "service.info", { world: homeWorld() });

/** Every world of the service. Asked of the world default, because asking a world counts as a call to it (D82). */
export const worldsQuery = () => itemsQuery(serviceKeys.worlds, "worlds.list", { world: homeWorld() });

/** The snapshots of all worlds, newest first, with the checkpoints of worlds that are no more; asking is no call to any. */
export const snapshotsQuery = () =>
  itemsQuery(serviceKeys.snapshots, "snapshots.list", {
    world: homeWorld(),
    ...(worldAccess() === null ? { everywhere: true } : {}),
  });

/** How much there is in the world, and what was done in it first: every count that is not a list's own. */
export const worldSummaryQuery = (world: string) =>
  controlQuery(worldKeys(world).summary(), "world.summary", { world });

/** Credentials with their keys: in memory only, never stored. Newest first. */
export const credentialsQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).credentials(),
    queryFn: async ({ signal }) => {
      const { items } = await callControl("credentials.list", { world, reveal: hasScope("act") }, { signal });
      // Who may only view reads as an integration without its key.
      return hasScope("act") ? items : items.map((item) => ({ ...item, api_key: "" }));
    },
  });

export const organizationsQuery = (world: string) =>
  itemsQuery(worldKeys(world).organizations(), "organizations.list", { world });

export const clientsQuery = (world: string) =>
  itemsQuery(worldKeys(world).clients(), "clients.list", { reveal: hasScope("act"), world });

/** The switches of the world, with when each was last changed. */
export const switchesQuery = (world: string) => controlQuery(worldKeys(world).policies(), "policies.get", { world });

/** How they stand, alone. */
export const policiesQuery = (world: string) =>
  queryOptions({ ...switchesQuery(world), select: ({ policies }) => policies });

export const clockQuery = (world: string) => controlQuery(worldKeys(world).clock(), "clock.get", { world });

const recent = (world: string, asked: Omit<ControlRequest<"requests.list">, "world">, ...of: readonly string[]) =>
  controlQuery(worldKeys(world).requests("recent", ...of), "requests.list", { ...asked, world });

/** The last exchanges, newest first; the live feed writes new ones in front. */
export const recentRequestsQuery = (world: string) => recent(world, { limit: RECENT_REQUESTS });

/** The last exchanges that changed something, newest first; the live feed writes new ones in front. */
export const recentChangesQuery = (world: string) => recent(world, { changes: true, limit: RECENT_NOTED }, "changes");

/** The last exchanges that were refused or failed, in the same way. */
export const recentRefusalsQuery = (world: string) => recent(world, { refused: true, limit: RECENT_NOTED }, "refusals");
