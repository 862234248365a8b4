import { queryOptions } from "@tanstack/react-query";
import { type ControlRequest, controlQuery, itemsQuery } from "../../lib/control-query.ts";
import { callControl } from "../../lib/service-client.ts";
import { hasScope, homeWorld, worldAccess } from "../../lib/world-access.ts";
import { serviceKeys, worldKeys } from "./query-keys.ts";

/** Number of recent exchanges in the wire. */
export const RECENT_REQUESTS = 100;
/** Number of recent changes and of recent refusals, which reads never displace. */
export const RECENT_NOTED = 40;

/** Queries that several places and the frame share; each place has its own in addition. */
export const serviceInfoQuery = () =>
  // Not in the window's world: a call to a deleted world would create it again.
  controlQuery(serviceKeys.info, "service.info", { world: homeWorld() });

/** All worlds of the service. Called in the world default, because a call to a world postpones its idle reset (D82). */
export const worldsQuery = () => itemsQuery(serviceKeys.worlds, "worlds.list", { world: homeWorld() });

/**
 * The snapshots of all worlds, newest first, with the checkpoints of deleted worlds. Doesn't count as a call to any
 * world.
 */
export const snapshotsQuery = () =>
  itemsQuery(serviceKeys.snapshots, "snapshots.list", {
    world: homeWorld(),
    ...(worldAccess() === null ? { everywhere: true } : {}),
  });

/** Counts of the world and its first actions, except totals that lists have. */
export const worldSummaryQuery = (world: string) =>
  controlQuery(worldKeys(world).summary(), "world.summary", { world });

/** Credentials with their keys: in memory only, never stored. Newest first. */
export const credentialsQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).credentials(),
    queryFn: async ({ signal }) => {
      const { items } = await callControl("credentials.list", { world, reveal: hasScope("act") }, { signal });
      // A view-only token reads as an integration without its key.
      return hasScope("act") ? items : items.map((item) => ({ ...item, api_key: "" }));
    },
  });

export const organizationsQuery = (world: string) =>
  itemsQuery(worldKeys(world).organizations(), "organizations.list", { world });

export const clientsQuery = (world: string) =>
  itemsQuery(worldKeys(world).clients(), "clients.list", { reveal: hasScope("act"), world });

/** Number of organizations that act: of rules that are on and not finished. */
export const actingCountQuery = (world: string) =>
  queryOptions({
    ...itemsQuery(worldKeys(world).counterparts("on"), "counterparts.list", { world }),
    select: (rules) => {
      const acting = rules.filter(({ off, finished }) => off === null && !finished);
      return new Set(acting.map(({ organization_id }) => organization_id)).size;
    },
  });

/** The settings of the world, with when each was last changed. */
export const switchesQuery = (world: string) => controlQuery(worldKeys(world).policies(), "policies.get", { world });

/** The values of the settings only. */
export const policiesQuery = (world: string) =>
  queryOptions({ ...switchesQuery(world), select: ({ policies }) => policies });

export const clockQuery = (world: string) => controlQuery(worldKeys(world).clock(), "clock.get", { world });

const recent = (world: string, filter: Omit<ControlRequest<"requests.list">, "world">, ...of: readonly string[]) =>
  controlQuery(worldKeys(world).requests("recent", ...of), "requests.list", { ...filter, world });

/** Recent exchanges, newest first; the live feed adds new ones at the front. */
export const recentRequestsQuery = (world: string) => recent(world, { limit: RECENT_REQUESTS });

/** Recent exchanges that changed something, newest first; the live feed adds new ones at the front. */
export const recentChangesQuery = (world: string) => recent(world, { changes: true, limit: RECENT_NOTED }, "changes");

/** Recent exchanges that were refused or failed, in the same way. */
export const recentRefusalsQuery = (world: string) => recent(world, { refused: true, limit: RECENT_NOTED }, "refusals");
