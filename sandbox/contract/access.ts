/** Scopes of a world token, in ascending order: each includes those before it. */
export const accessScopes = ["view", "act", "manage"] as const;
export type AccessScope = (typeof accessScopes)[number];

/** `operator`: only the control token. */
export type NeededScope = AccessScope | "operator";

/** Callers of a control operation besides the operator. An operation without this takes the control token only. */
export interface Access {
  /** The lowest scope; `anyone`: no token needed. */
  readonly needs: AccessScope | "anyone";
  /** Request fields that name worlds; each must be the token's world (default: `world`). `with.world` is nested. */
  readonly worlds?: readonly string[];
  /** Fields that need a higher scope when present and not false. */
  readonly fields?: Readonly<Record<string, NeededScope>>;
}

/** Prefix of world tokens. */
export const WORLD_TOKEN = "sbw_";
export const isWorldToken = (secret: string): boolean => secret.startsWith(WORLD_TOKEN);
/** Message for a caller whose world token is no longer valid. */
export const ACCESS_ENDED = "This access has ended. Ask whoever invited you for a new link.";
/** Prefix of the tokens of signed-in people. */
export const PERSON_TOKEN = "sbp_";
/** Message for a person whose sign-in is no longer valid. */
export const SIGN_IN_ENDED =
  "This sign-in has ended. Sign in again in the explorer; for a program, ask the operator for a world token.";
/** Returns the message for a token that is no longer valid; null for a string that is not a token. */
export const expiredTokenMessage = (secret: string): string | null =>
  isWorldToken(secret) ? ACCESS_ENDED : secret.startsWith(PERSON_TOKEN) ? SIGN_IN_ENDED : null;

const ascending: readonly NeededScope[] = [...accessScopes, "operator"];

export const includesScope = (has: NeededScope, needed: NeededScope): boolean =>
  ascending.indexOf(has) >= ascending.indexOf(needed);
