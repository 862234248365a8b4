import type { QueryClient } from "@tanstack/react-query";
import { faultsQuery } from "../../domain/fault/faults.ts";
import { placeAt } from "../../kernel/addresses/places.ts";
import { clockQuery, serviceInfoQuery, worldSummaryQuery, worldsQuery } from "../../kernel/queries/world-queries.ts";
import { controlToken, currentWorld } from "../../lib/session.ts";
import { worldAccess } from "../../lib/world-access.ts";
import { placesWithCode } from "./place-code.ts";

/** An answer that takes longer comes into a page that is drawn and says that it waits. */
const SOON_MS = 150;

const soon = (reading: readonly Promise<unknown>[]): Promise<unknown> => {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, SOON_MS);
  return Promise.race([Promise.all(reading).finally(() => clearTimeout(timer)), late]);
};

/**
 * Fetches the code of what the address shows, and what it shows first: a page that is drawn once, with its rows, is of use
 * sooner than one that is drawn empty and again with every answer. What the frame shows is asked for after it. Never
 * fails: what could not be had is asked for again, and said, where it is drawn.
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
