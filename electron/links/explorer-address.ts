import { isWorldName } from "../../sandbox/rules/worlds/world-name.ts";

/** First segments of addresses, besides the overview at `/`. A test compares them with the explorer's rail. */
export const placeNames = [
  "install",
  "jobs",
  "procurements",
  "webhooks",
  "requests",
  "console",
  "scenarios",
  "worlds",
  "activity",
  "settings",
] as const;

const mostCharacters = 2000;
const mostParameters = 16;
/** `/place/id/tab`, the router's longest path. */
const maxSegments = 3;
/** Identifiers, tabs and names of operations. None needs encoding, so nothing can be decoded twice. */
const segment = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/;
const parameterName = /^[a-z][a-z_]{0,31}$/;
/** Parameter of the control token, which is valid only in a fragment. */
const secretName = "token";
const controlCharacter = /\p{Cc}/u;

/**
 * Returns the canonical address in the explorer for `text`, such as `/jobs/<id>/basket?world=qa`; null when invalid.
 * Every link or file from outside is checked here before a window opens it. Invalid are other origins, routes of the
 * service, paths with `..`, and fragments with a token.
 */
export function explorerAddress(text: string): string | null {
  if (text.length > mostCharacters || !text.startsWith("/") || text.includes("#") || controlCharacter.test(text)) {
    return null;
  }
  const [path = "", ...rest] = text.split("?");
  const place = isKnownPath(path);
  const query = plainQuery(rest.join("?"));
  if (place === null || query === null) return null;
  return query === "" ? place : `${place}?${query}`;
}

/** Returns the address in a full URL of the explorer's origin, without its fragment. */
export function addressInUrl(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { pathname, search } = new URL(url);
  return explorerAddress(pathname + search);
}

/** Returns an address's world, or null for none. */
export const worldInAddress = (address: string): string | null =>
  new URLSearchParams(address.split("?")[1]).get("world") || null;

/** Adds the world to an address, even `default`, so that the link doesn't depend on a window's current world. */
export function withWorld(address: string, world: string): string {
  if (worldInAddress(address) !== null) return address;
  return `${address}${address.includes("?") ? "&" : "?"}world=${world}`;
}

function isKnownPath(path: string): string | null {
  const segments = path.replace(/\/$/, "").split("/").slice(1);
  if (segments.length > maxSegments || !segments.every((part) => segment.test(part))) return null;
  const [place] = segments;
  if (place !== undefined && !placeNames.some((known) => known === place)) return null;
  return `/${segments.join("/")}`;
}

function plainQuery(query: string): string | null {
  const parameters = [...new URLSearchParams(query)];
  const isPlain = ([name, value]: [string, string]): boolean =>
    parameterName.test(name) &&
    name !== secretName &&
    !controlCharacter.test(value) &&
    (name !== "world" || isWorldName(value));
  if (parameters.length > mostParameters || !parameters.every(isPlain)) return null;
  return new URLSearchParams(parameters).toString();
}
