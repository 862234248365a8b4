import { useSyncExternalStore } from "react";
import { isWorldToken } from "../../../sandbox/contract/access.ts";
import type { CurrentToken } from "../../../sandbox/contract/control/service-operations.ts";
import { callControl, signInAtProxy } from "../../lib/service-client.ts";
import { ServiceFailure } from "../../lib/service-failure.ts";
import { controlToken, setTokenAside, subscribeSession, takeToken } from "../../lib/session.ts";
import { setWorldAccess, worldAccess } from "../../lib/world-access.ts";
import { inWorld, worldIn } from "../../lib/world-address.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";

/** Where a proxy before the service has people sign in. */
const SIGN_IN_PAGE = "/sign-in";
/** Where the proxy ends that. */
const SIGN_OUT_PAGE = "/sign-out";
/** So long before the token of who has signed in expires another one is asked for. */
const AHEAD_MS = 600_000;
const LOOKS_EVERY_MS = 60_000;

/**
 * How signing in ended last. `off`: it gave a token, or nobody signs in here; `nobody`: it is open to whoever asks; `failed`: what
 * people sign in at does not work.
 */
export type SignIn =
  | { readonly is: "off" | "trying" | "nobody" | "failed" }
  /**
   * `refused`: somebody has signed in and may not; `unread`: what this window's token opens can't be learnt for now; both in the
   * service's words.
   */
  | { readonly is: "refused" | "unread"; readonly message: string };

let last: SignIn = { is: "off" };
const listeners = new Set<() => void>();
const set = (to: SignIn): void => {
  last = to;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useSignIn = (): SignIn => useSyncExternalStore(subscribe, () => last);

/** The address to sign in at, which leads back to what this window shows. */
export const signInAddress = (): string => {
  const { pathname, search } = window.location;
  return `${SIGN_IN_PAGE}?to=${encodeURIComponent(pathname + search)}`;
};

/** Returns from the sign-in page to the original page. Call before anything reads the URL. */
export const leaveSignInPage = (): void => {
  const { pathname, search, origin } = window.location;
  if (pathname !== SIGN_IN_PAGE) return;
  const to = new URLSearchParams(search).get("to") ?? "/";
  const isOwn = URL.canParse(to, origin) && new URL(to, origin).origin === origin;
  window.history.replaceState(window.history.state, "", isOwn ? to : "/");
};

/** When the token of who has signed in expires, in milliseconds since 1970; infinite: it is none. */
let expiresAt = Number.POSITIVE_INFINITY;

/** Whether the window goes on with who has signed in. */
export const isSignedIn = (): boolean => Number.isFinite(expiresAt);

/** Not an address of the explorer: the proxy has to see it. */
export const signOut = (): void => window.location.assign(SIGN_OUT_PAGE);

const endedWith = ({ status, message }: ServiceFailure): SignIn => {
  if (status === 403) return { is: "refused", message };
  return { is: status === 401 ? "nobody" : status >= 500 || status === 429 ? "failed" : "off" };
};

/** @returns null: nobody has signed in, or may; {@link useSignIn} says why where the window has no token */
const signIn = async (): Promise<(CurrentToken & { readonly token: string }) | null> => {
  try {
    const signed = await signInAtProxy();
    expiresAt = Date.parse(signed.expires_at ?? "");
    return signed;
  } catch (error) {
    if (!(error instanceof ServiceFailure)) throw error;
    if (controlToken() === null) set(endedWith(error));
    return null;
  }
};

let isTrying = false;
/** Goes on with another token of who has signed in. What the page shows depends on what its token opens. */
const goOn = async (): Promise<void> => {
  if (isTrying) return;
  isTrying = true;
  const signed = await signIn();
  isTrying = false;
  if (signed === null) return;
  const own = worldAccess();
  const isShown = own === null ? signed.world === null : own.world === signed.world && own.scope === signed.scope;
  if (!isShown) window.location.reload();
  else {
    set({ is: "off" });
    takeToken(signed.token);
  }
};

/** An address that names no world leads into the token's own. */
const confineTo = ({ name, world, scope, expires_at }: CurrentToken): void => {
  if (world === null || scope === "operator") return;
  setWorldAccess({ name, world, scope, expires_at });
  const { pathname, search, hash } = window.location;
  if (worldIn(search) === null)
    window.history.replaceState(window.history.state, "", inWorld(pathname + search + hash, world));
};

/** What a world token of this window opens; null: it has none that is valid. @throws ServiceFailure where it can't be learnt */
const ownWorld = async (): Promise<CurrentToken | null> => {
  const token = controlToken();
  if (token === null || !isWorldToken(token)) return null;
  try {
    return await callControl("tokens.current", { world: DEFAULT_WORLD });
  } catch (error) {
    // One that is refused was dropped.
    if (error instanceof ServiceFailure && error.status === 401) return null;
    throw error;
  }
};

/**
 * Finds out what this window's token opens. A window without one takes that of who has signed in, and so does one whose address
 * does not name the world of its token. Call once, before the first render.
 */
export const openWindow = async (): Promise<void> => {
  const own = await ownWorld().catch((error: unknown) => {
    if (!(error instanceof ServiceFailure)) throw error;
    return error;
  });
  if (own instanceof ServiceFailure) {
    // Drawn without knowing, the page would be the operator's.
    setTokenAside();
    return set({ is: "unread", message: own.message });
  }
  const asks = own === null ? controlToken() === null : worldIn(window.location.search) !== own.world;
  const signed = asks ? await signIn() : null;
  if (signed) {
    setTokenAside();
    confineTo(signed);
    takeToken(signed.token);
  } else if (own) confineTo(own);
  subscribeSession(() => {
    if (controlToken() !== null) return;
    set({ is: "trying" });
    void goOn();
  });
  setInterval(() => expiresAt - Date.now() < AHEAD_MS && void goOn(), LOOKS_EVERY_MS);
  // Somebody may have signed in in another window.
  window.addEventListener("focus", () => controlToken() === null && void goOn());
};
