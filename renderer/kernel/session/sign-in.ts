import { create } from "zustand";
import { isWorldToken } from "../../../sandbox/contract/access.ts";
import type { CurrentToken } from "../../../sandbox/contract/control/service-operations.ts";
import { callControl, signInAtProxy } from "../../lib/service-client.ts";
import { ServiceFailure } from "../../lib/service-failure.ts";
import { controlToken, detachToken, subscribeSession, takeToken } from "../../lib/session.ts";
import { setWorldAccess, worldAccess } from "../../lib/world-access.ts";
import { inWorld, worldIn } from "../../lib/world-address.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";

const SIGN_IN_PAGE = "/sign-in";
const SIGN_OUT_PAGE = "/sign-out";
/** How long before its expiry a user's token is renewed, in milliseconds. */
const AHEAD_MS = 600_000;
const CHECK_EVERY_MS = 60_000;

/**
 * The result of the last sign-in. `off`: it gave a token, or the service has no sign-in; `nobody`: nobody is signed in;
 * `failed`: the sign-in doesn't work.
 */
export type SignIn =
  | { readonly is: "off" | "trying" | "nobody" | "failed" }
  /**
   * `refused`: the signed-in user has no access; `unread`: the access of this window's token is unknown for now; both
   * in the service's words.
   */
  | { readonly is: "refused" | "unread"; readonly message: string };

export const useSignIn = create((): SignIn => ({ is: "off" }));
const set = (to: SignIn): void => useSignIn.setState(to, true);

/** Returns the sign-in address, which leads back to the current page. */
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

/** Expiry of the user's token, in milliseconds since 1970; infinite without such a token. */
let expiresAt = Number.POSITIVE_INFINITY;

/** Returns whether the window uses a signed-in user's token. */
export const isSignedIn = (): boolean => Number.isFinite(expiresAt);

/** Leaves the explorer, because the proxy must receive the request. */
export const signOut = (): void => window.location.assign(SIGN_OUT_PAGE);

const endedWith = ({ status, message }: ServiceFailure): SignIn => {
  if (status === 403) return { is: "refused", message };
  return { is: status === 401 ? "nobody" : status >= 500 || status === 429 ? "failed" : "off" };
};

/**
 * @returns null: nobody is signed in, or the user has no access; {@link useSignIn} has the reason if the window has no
 * token
 */
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
/** Renews the user's token. Reloads if its access differs, because the page depends on it. */
const renewToken = async (): Promise<void> => {
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

/** Adds the token's world to an address without one. */
const confineTo = ({ name, world, scope, expires_at }: CurrentToken): void => {
  if (world === null || scope === "operator") return;
  setWorldAccess({ name, world, scope, expires_at });
  const { pathname, search, hash } = window.location;
  if (worldIn(search) === null)
    window.history.replaceState(window.history.state, "", inWorld(pathname + search + hash, world));
};

/**
 * Returns the access of this window's world token; null without a valid one. @throws ServiceFailure if it can't be read
 */
const ownWorld = async (): Promise<CurrentToken | null> => {
  const token = controlToken();
  if (token === null || !isWorldToken(token)) return null;
  try {
    return await callControl("tokens.current", { world: DEFAULT_WORLD });
  } catch (error) {
    // A refused token was already dropped.
    if (error instanceof ServiceFailure && error.status === 401) return null;
    throw error;
  }
};

/**
 * Reads the access of this window's token. A window without one uses the signed-in user's, and so does one whose
 * address names a different world from its token's. Call once, before the first render.
 */
export const openWindow = async (): Promise<void> => {
  const own = await ownWorld().catch((error: unknown) => {
    if (!(error instanceof ServiceFailure)) throw error;
    return error;
  });
  if (own instanceof ServiceFailure) {
    // With unknown access the page would show the operator's view.
    detachToken();
    return set({ is: "unread", message: own.message });
  }
  const asks = own === null ? controlToken() === null : worldIn(window.location.search) !== own.world;
  const signed = asks ? await signIn() : null;
  if (signed) {
    detachToken();
    confineTo(signed);
    takeToken(signed.token);
  } else if (own) confineTo(own);
  subscribeSession(() => {
    if (controlToken() !== null) return;
    set({ is: "trying" });
    void renewToken();
  });
  setInterval(() => expiresAt - Date.now() < AHEAD_MS && void renewToken(), CHECK_EVERY_MS);
  // The user may have signed in in another window.
  window.addEventListener("focus", () => controlToken() === null && void renewToken());
};
