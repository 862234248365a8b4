import { searchParams, textThat, withQuery } from "./search-params.ts";
import { DEFAULT_WORLD, isWorldName } from "./world-name.ts";

/**
 * Every address names its world as `?world=`, so that a reload, a link and a second window show the same one; an
 * address without it means `default`. Places never see the parameter: the router adds and removes it.
 */
const worldParams = searchParams({ world: textThat(isWorldName) });

/** The world in an address's query; null without one, or for an invalid name. */
export const worldIn = (query: string): string | null => worldParams.parse(query).world;

/** The world that an address's query opens. */
export const worldInQuery = (query: string): string => worldIn(query) ?? DEFAULT_WORLD;

/** An invalid world name in an address's query, or null. */
export const badWorldIn = (query: string): string | null =>
  worldIn(query) === null ? new URLSearchParams(query).get("world") : null;

/** The query without the world, every other byte kept; begins with `?` or is empty. */
export const withoutWorld = (query: string): string => worldParams.format(query, { world: null });

/**
 * Adds `world` to an address within the explorer, unless it already names one (`?world=default` too). Other addresses
 * are returned unchanged.
 */
export const inWorld = (address: string, world: string): string => {
  if (!address.startsWith("/") || address.startsWith("//")) return address;
  return withQuery(address, (query) => {
    const wanted = worldIn(query) ?? world;
    return worldParams.format(query, { world: wanted === DEFAULT_WORLD ? null : wanted });
  });
};

/** Like inWorld, but names `default` too: as a link it opens that world from any other. */
export const namingWorld = (address: string, world: string): string =>
  withQuery(address, (query) => worldParams.format(query, { world: worldIn(query) ?? world }));
