/**
 * What this window needs to reach the control plane: the token, which comes in the address' fragment (no server sees
 * it), and the world it looks at, which stands in its address. The token is kept for reloads (session) and for windows
 * opened beside it (local).
 */
import { isWorldToken, PERSON_TOKEN } from "../../sandbox/contract/access.ts";
import { keep, keysIn, recall } from "./storage.ts";
import { inWorld, worldIn, worldInQuery } from "./world-address.ts";
import { isWorldName } from "./world-name.ts";

const TOKEN = "explorer.control-token";
const ENDED = "explorer.access-ended";
const LAST_WORLD = "explorer.world";

type Listener = () => void;
const listeners = new Set<Listener>();
const changed = () => {
  for (const listener of listeners) listener();
};

const storages = ["window", "browser"] as const;
/** Where the token of one world is kept beside those of others. */
const tokenOf = (world: string): string => `${TOKEN}.${world}`;
/** What this window had, else what another left for it. */
const recalled = (key: string): string | null => recall("window", key) || recall("browser", key) || null;

let token: string | null = null;
let isOpen = false;

/** The token in a fragment such as `#token=abc`, or null. */
export const tokenInFragment = (fragment: string): string | null =>
  new URLSearchParams(fragment.replace(/^#/, "")).get("token") || null;

/** Keeps a token for reloads and for other windows; that of who has signed in each page asks for itself. */
const keepToken = (given: string): void => {
  if (given.startsWith(PERSON_TOKEN)) return;
  const own = tokenOf(currentWorld());
  const hasControl = storages.some((storage) => !isWorldToken(recall(storage, TOKEN) ?? given));
  // Whoever opens every world still does after a link to one of them, everywhere but in this window's view of it.
  if (!isWorldToken(given) || !hasControl) for (const storage of storages) keep(storage, TOKEN, given);
  // Its link names its world. A link to another does not take this one away.
  if (isWorldToken(given)) for (const storage of storages) keep(storage, own, given);
  else keep("window", own, null);
};

/** The worlds this browser keeps a token of. */
export const worldsKept = (): readonly string[] =>
  keysIn("browser")
    .filter((key) => key.startsWith(tokenOf("")))
    .map((key) => key.slice(tokenOf("").length));

/** Takes over another token: the service was started anew, and its link was opened in this window or beside it. */
export const takeToken = (given: string): void => {
  keepToken(given);
  keep("window", ENDED, null);
  if (given === token) return;
  const before = token;
  token = given;
  // What the page shows depends on what its token opens.
  if (isOpen && [before ?? "", given].some(isWorldToken)) window.location.reload();
  changed();
};

/** Takes a token out of the address, where it would be copied along with a link. */
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
  token = recall("window", own) || recalled(TOKEN);
  if (token === null || isWorldToken(token)) token = recalled(own) || token;
  const given = takeFromAddress();
  isOpen = true;
  const { pathname, search } = window.location;
  // The address a start prints names no world: the explorer goes on in the one it was left in.
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
  // A window beside this one was given a fresh link.
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === TOKEN && newValue && token === null) takeToken(newValue);
  });
};

/** Whether the last token of this window was of one world, and is no longer valid; a reload knows it too. */
export const hasAccessEnded = (): boolean => recall("window", ENDED) !== null;

export const controlToken = (): string | null => token;

/** Goes on without this window's token. It stays kept for the windows of its world. */
export const setTokenAside = (): void => {
  token = null;
};

/** Forgets a token the service refused, so that the page asks for a fresh link. */
export const dropToken = (refused: string | null): void => {
  if (refused !== token || token === null) return;
  if (isWorldToken(token)) keep("window", ENDED, currentWorld());
  const own = tokenOf(currentWorld());
  for (const storage of storages)
    for (const key of [own, TOKEN]) if (recall(storage, key) === refused) keep(storage, key, null);
  // Who has signed in is asked again, also where a link to one world was opened.
  token = token.startsWith(PERSON_TOKEN) ? null : recalled(TOKEN);
  changed();
};

/** The world of the address. */
export const currentWorld = (): string => worldInQuery(window.location.search);

/** Remembers the world for the next start. */
export const rememberWorld = (world: string): void => keep("browser", LAST_WORLD, world);

export const subscribeSession = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
