import { searchParams, textThat, withQuery } from "./search-params.ts";
import { DEFAULT_WORLD, isWorldName } from "./world-name.ts";

/**
 * The world stands in every address as `?world=`, so that a reload, a link and a second window show the same one; an
 * address without it means the world `default`. Places never see the parameter: the router adds it and takes it out.
 */
const worldParams = searchParams({ world: textThat(isWorldName) });

/** The world an address' query names; null when it names none, or no world's name. */
export const worldIn = (query: string): string | null => worldParams.parse(query).world;

/** The world an address' query leads to. */
export const worldInQuery = (query: string): string => worldIn(query) ?? DEFAULT_WORLD;

/** What an address' query names as its world although it is no world's name, or null. */
export const badWorldIn = (query: string): string | null =>
  worldIn(query) === null ? new URLSearchParams(query).get("world") : null;

/** The query without the world, every other byte as it was; begins with `?` or is empty. */
export const withoutWorld = (query: string): string => worldParams.format(query, { world: null });

/**
 * An address within the explorer that leads into a world: the one it names itself (`?world=default` too), else `world`.
 * Addresses of elsewhere stay as they are.
 */
export const inWorld = (address: string, world: string): string => {
  if (!address.startsWith("/") || address.startsWith("//")) return address;
  return withQuery(address, (query) => {
    const wanted = worldIn(query) ?? world;
    return worldParams.format(query, { world: wanted === DEFAULT_WORLD ? null : wanted });
  });
};

/** An address within the explorer that names its world, `default` too: as a link it leads there from any other world. */
export const namingWorld = (address: string, world: string): string =>
  withQuery(address, (query) => worldParams.format(query, { world: worldIn(query) ?? world }));
