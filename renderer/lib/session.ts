/**
 * This window's access to the control plane: the token, which arrives in the address's fragment (no server sees it), and
 * the world, which is in the address. The token is kept for reloads (session storage) and for windows opened later
 * (local storage).
 */
import { create } from "zustand";
import { isWorldToken, PERSON_TOKEN } from "../../sandbox/contract/access.ts";
import { keep, keysIn, recall } from "./storage.ts";
import { inWorld, worldIn, worldInQuery } from "./world-address.ts";
import { isWorldName } from "./world-name.ts";

const TOKEN = "explorer.control-token";
const ENDED = "explorer.access-ended";
const LAST_WORLD = "explorer.world";

const storages = ["window", "browser"] as const;
/** Storage name of a world's token, beside those of other worlds. */
const tokenOf = (world: string): string => `${TOKEN}.${world}`;
/** The value of this window, otherwise the one that another window left. */
const recalled = (key: string): string | null => recall("window", key) || recall("browser", key) || null;

/** The control token, or null without a working one. */
export const useControlToken = create((): string | null => null);
export const controlToken = useControlToken.getState;
export const subscribeSession = useControlToken.subscribe;
const setToken = (token: string | null): void => useControlToken.setState(token, true);
let isOpen = false;

/** Returns the token in a fragment such as `#token=abc`, or null. */
export const tokenInFragment = (fragment: string): string | null =>
  new URLSearchParams(fragment.replace(/^#/, "")).get("token") || null;

/** Stores a token for reloads and other windows, except that of a signed-in user, which each page requests itself. */
const keepToken = (given: string): void => {
  if (given.startsWith(PERSON_TOKEN)) return;
  const own = tokenOf(currentWorld());
  const hasControl = storages.some((storage) => !isWorldToken(recall(storage, TOKEN) ?? given));
  // A link to one world must not replace a control token, except in this window's view of that world.
  if (!isWorldToken(given) || !hasControl) for (const storage of storages) keep(storage, TOKEN, given);
  // A world token is stored under its world, so a link to another world keeps it.
  if (isWorldToken(given)) for (const storage of storages) keep(storage, own, given);
  else keep("window", own, null);
};

export const listWorldsWithToken = (): readonly string[] =>
  keysIn("browser")
    .filter((key) => key.startsWith(tokenOf("")))
    .map((key) => key.slice(tokenOf("").length));

/** Replaces the token: the service restarted, and its new link was opened in this or another window. */
export const takeToken = (given: string): void => {
  keepToken(given);
  keep("window", ENDED, null);
  const before = controlToken();
  if (given === before) return;
  // The page depends on the access of its token.
  if (isOpen && [before ?? "", given].some(isWorldToken)) window.location.reload();
  setToken(given);
};

/** Removes a token from the address, so that it isn't copied with a link. */
const takeFromAddress = (): string | null => {
  const given = tokenInFragment(window.location.hash);
  if (given === null) return null;
  takeToken(given);
  const { pathname, search } = window.location;
  window.history.replaceState(window.history.state, "", pathname + search);
  return given;
};

/** Call once, before the first render. */
export const openSession = (): void => {
  const own = tokenOf(currentWorld());
  const token = recall("window", own) || recalled(TOKEN);
  setToken(token === null || isWorldToken(token) ? recalled(own) || token : token);
  const given = takeFromAddress();
  isOpen = true;
  const { pathname, search } = window.location;
  // The address that a start prints names no world: reopen the last one.
  const last = recalled(LAST_WORLD);
  if (
    given !== null &&
    !isWorldToken(given) &&
    pathname === "/" &&
    worldIn(search) === null &&
    last !== null &&
    isWorldName(last)
  )
    window.history.replaceState(window.history.state, "", inWorld(pathname + search, last));
  window.addEventListener("hashchange", takeFromAddress);
  // Another window opened a fresh link.
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === TOKEN && newValue && controlToken() === null) takeToken(newValue);
  });
};

/** Returns whether the last token of this window was of one world and has ended; survives a reload. */
export const hasAccessEnded = (): boolean => recall("window", ENDED) !== null;

/** Continues without this window's token, which stays stored for the windows of its world. */
export const detachToken = (): void => setToken(null);

/** Drops a refused token, so that the page asks for a fresh link. */
export const dropToken = (refused: string | null): void => {
  const token = controlToken();
  if (refused !== token || token === null) return;
  if (isWorldToken(token)) keep("window", ENDED, currentWorld());
  const own = tokenOf(currentWorld());
  for (const storage of storages)
    for (const key of [own, TOKEN]) if (recall(storage, key) === refused) keep(storage, key, null);
  // A user's token is requested again at the proxy, even if a link to one world was opened.
  setToken(token.startsWith(PERSON_TOKEN) ? null : recalled(TOKEN));
};

export const currentWorld = (): string => worldInQuery(window.location.search);

/** Remembers the world for the next start. */
export const rememberWorld = (world: string): void => keep("browser", LAST_WORLD, world);
