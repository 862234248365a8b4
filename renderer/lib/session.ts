/**
 * What this window needs to reach the control plane: the token, which comes in the address' fragment (no server sees
 * it), and the world it looks at. Kept for reloads (session) and for windows opened beside it (local).
 */
const TOKEN = "explorer.control-token";
const WORLD = "explorer.world";

type Listener = () => void;
const listeners = new Set<Listener>();
const changed = () => {
  for (const listener of listeners) listener();
};

const storages = (): Storage[] => {
  try {
    return [window.sessionStorage, window.localStorage];
  } catch {
    return [];
  }
};
const recall = (key: string): string | null => {
  for (const storage of storages()) {
    const value = storage.getItem(key);
    if (value) return value;
  }
  return null;
};

let token: string | null = null;
let world = "default";

/** The token in a fragment such as `#token=abc`, or null. */
export const tokenInFragment = (fragment: string): string | null =>
  new URLSearchParams(fragment.replace(/^#/, "")).get("token") || null;

/** Takes the token out of the address, where it would be copied along with a link. Call once, before the first render. */
export const openSession = (): void => {
  const given = tokenInFragment(window.location.hash);
  if (given) {
    for (const storage of storages()) storage.setItem(TOKEN, given);
    window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
  }
  token = given ?? recall(TOKEN);
  world = new URLSearchParams(window.location.search).get("world") ?? window.sessionStorage.getItem(WORLD) ?? "default";
  window.sessionStorage.setItem(WORLD, world);
  // A running window that is sent to a fresh link (the service was started anew) takes over its token.
  window.addEventListener("hashchange", () => {
    const next = tokenInFragment(window.location.hash);
    if (!next) return;
    for (const storage of storages()) storage.setItem(TOKEN, next);
    window.location.replace(window.location.pathname + window.location.search);
  });
};

export const controlToken = (): string | null => token;

/** Forgets a token the service refused, so that the page asks for a fresh link. */
export const dropToken = (refused: string | null): void => {
  if (refused !== token || token === null) return;
  for (const storage of storages()) if (storage.getItem(TOKEN) === refused) storage.removeItem(TOKEN);
  token = recall(TOKEN);
  changed();
};

export const currentWorld = (): string => world;

export const subscribeSession = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
