import { isWorldName } from "../../sandbox/rules/worlds/world-name.ts";

/** The places an address can name after the overview at `/`. A test holds them equal to those of the explorer's rail. */
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
/** `/place/id/tab`: what the explorer's router knows. */
const mostSegments = 3;
/** Identifiers, tabs and names of operations; nothing that has to be encoded, so nothing that could be decoded twice. */
const segment = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/;
const parameterName = /^[a-z][a-z_]{0,31}$/;
/** The control token has this name in a link, but only ever in its fragment. */
const secretName = "token";
const controlCharacter = /\p{Cc}/u;

/**
 * The address in the explorer that `text` stands for, such as `/jobs/<id>/basket?world=qa`, in one canonical form; null
 * for anything else. What comes from outside (a link, a file) goes through here before a window opens it: another
 * origin, a route of the service, a path that climbs, a fragment with a token are no addresses.
 */
export function explorerAddress(text: string): string | null {
  if (text.length > mostCharacters || !text.startsWith("/") || text.includes("#") || controlCharacter.test(text)) {
    return null;
  }
  const [path = "", ...rest] = text.split("?");
  const place = knownPath(path);
  const query = plainQuery(rest.join("?"));
  if (place === null || query === null) return null;
  return query === "" ? place : `${place}?${query}`;
}

/** The address in the explorer that a full URL of its origin shows; a fragment says nothing about the place. */
export function addressOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { pathname, search } = new URL(url);
  return explorerAddress(pathname + search);
}

/** The world an address names, or null when it leaves that open. */
export const worldNamedIn = (address: string): string | null =>
  new URLSearchParams(address.split("?")[1]).get("world") || null;

/** The same address with its world named, `default` too: as a link it leads there whatever a window showed before. */
export function namingWorld(address: string, world: string): string {
  if (worldNamedIn(address) !== null) return address;
  return `${address}${address.includes("?") ? "&" : "?"}world=${world}`;
}

function knownPath(path: string): string | null {
  const segments = path.replace(/\/$/, "").split("/").slice(1);
  if (segments.length > mostSegments || !segments.every((part) => segment.test(part))) return null;
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
