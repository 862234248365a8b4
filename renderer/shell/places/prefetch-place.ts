import type { QueryClient } from "@tanstack/react-query";
import { faultsQuery } from "../../domain/fault/faults.ts";
import { placeAt } from "../../kernel/addresses/places.ts";
import { clockQuery, serviceInfoQuery, worldSummaryQuery, worldsQuery } from "../../kernel/queries/world-queries.ts";
import { controlToken, currentWorld } from "../../lib/session.ts";
import { worldAccess } from "../../lib/world-access.ts";
import { placesWithCode } from "./place-code.ts";

/** How long to wait for data, in milliseconds; after that the page renders with loading states. */
const MAX_WAIT_MS = 150;

const soon = (reading: readonly Promise<unknown>[]): Promise<unknown> => {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, MAX_WAIT_MS);
  return Promise.race([Promise.all(reading).finally(() => clearTimeout(timer)), late]);
};

/**
 * Fetches the code and the first data of the current address: one render with rows is usable sooner than an empty one
 * and another for each response. The frame's data follows. Never throws: failed reads are repeated, and reported, by
 * the components.
 */
export const prefetchPlace = async (client: QueryClient): Promise<void> => {
  const { pathname } = window.location;
  const name = placeAt(pathname)?.name;
  const place = placesWithCode.find((one) => one.name === name);
  const [, , id, tab] = pathname.split("/");
  const world = currentWorld();
  const code = place?.preload();
  const own = worldAccess();
  if (controlToken() === null || (own !== null && own.world !== world)) return code;
  await code;
  const reading = place?.prefetch(client, world, { id, tab }) ?? [];
  void client.prefetchQuery(serviceInfoQuery());
  void client.prefetchQuery(worldsQuery());
  void client.prefetchQuery(clockQuery(world));
  void client.prefetchQuery(worldSummaryQuery(world));
  void client.prefetchQuery(faultsQuery(world));
  await soon(reading);
};
