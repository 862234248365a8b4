import { DEFAULT_WORLD, isWorldName } from "./world-name.ts";

/**
 * The world stands in every address as `?world=`, so that a reload, a link and a second window show the same one; an
 * address without it means the world `default`. Places never see the parameter: the router adds it and takes it out.
 */
const isWorldPart = (part: string): boolean => part === "world" || part.startsWith("world=");

/** The parts of a query, as they stand there. */
export const queryParts = (query: string): string[] => query.replace(/^\?/, "").split("&").filter(Boolean);

const namedIn = (query: string): string | null => new URLSearchParams(query).get("world");

/** The world an address' query names; null when it names none, or no world's name. */
export const worldIn = (query: string): string | null => {
  const name = namedIn(query);
  return name !== null && isWorldName(name) ? name : null;
};

/** The world an address' query leads to. */
export const worldOf = (query: string): string => worldIn(query) ?? DEFAULT_WORLD;

/** What an address' query names as its world although it is no world's name, or null. */
export const badWorldIn = (query: string): string | null => {
  const name = namedIn(query);
  return name === null || isWorldName(name) ? null : name;
};

/** The query without the world, every other byte as it was; begins with `?` or is empty. */
export const withoutWorld = (query: string): string => {
  const rest = queryParts(query).filter((part) => !isWorldPart(part));
  return rest.length === 0 ? "" : `?${rest.join("&")}`;
};

/**
 * An address within the explorer that leads into a world: the one it names itself (`?world=default` too), else `world`.
 * Addresses of elsewhere stay as they are.
 */
export const inWorld = (address: string, world: string): string => {
  if (!address.startsWith("/") || address.startsWith("//")) return address;
  const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(address) ?? [];
  const wanted = worldIn(query) ?? world;
  const rest = queryParts(query).filter((part) => !isWorldPart(part));
  const parts = wanted === DEFAULT_WORLD ? rest : [...rest, `world=${wanted}`];
  return path + (parts.length === 0 ? "" : `?${parts.join("&")}`) + fragment;
};

/** An address within the explorer that names its world, `default` too: as a link it leads there from any other world. */
export const namingWorld = (address: string, world: string): string => {
  const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(address) ?? [];
  if (worldIn(query) !== null) return address;
  return `${path}?${[...queryParts(withoutWorld(query)), `world=${world}`].join("&")}${fragment}`;
};
