/** What a token of one world allows; each includes those before it. */
export const accessScopes = ["view", "act", "manage"] as const;
export type AccessScope = (typeof accessScopes)[number];

/** `operator`: with the control token alone. */
export type NeededScope = AccessScope | "operator";

/** Who may call an operation of the control plane beside its operator. An operation that does not say is the operator's. */
export interface Access {
  /** The least scope; `anyone`: no token at all. */
  readonly needs: AccessScope | "anyone";
  /** The fields of the request that name worlds, each of which must be the token's (default: `world`); `with.world`: inside another. */
  readonly worlds?: readonly string[];
  /** Fields that ask for more when they are given and not false, with the scope they need. */
  readonly fields?: Readonly<Record<string, NeededScope>>;
}

/** What world tokens begin with. */
export const WORLD_TOKEN = "sbw_";
export const isWorldToken = (secret: string): boolean => secret.startsWith(WORLD_TOKEN);
/** What whoever has one that is no longer valid can do. */
export const ACCESS_ENDED = "This access has ended. Ask whoever invited you for a new link.";
/** What the tokens of people who have signed in begin with. */
export const PERSON_TOKEN = "sbp_";
/** What whoever has one that is no longer valid can do. */
export const SIGN_IN_ENDED =
  "This sign-in has ended. Sign in again in the explorer; for a program, ask the operator for a world token.";
/** What to say of a token that is no longer valid; null: it is of neither kind. */
export const endedWords = (secret: string): string | null =>
  isWorldToken(secret) ? ACCESS_ENDED : secret.startsWith(PERSON_TOKEN) ? SIGN_IN_ENDED : null;

const ascending: readonly NeededScope[] = [...accessScopes, "operator"];

/** Whether a scope includes another. */
export const includesScope = (has: NeededScope, needed: NeededScope): boolean =>
  ascending.indexOf(has) >= ascending.indexOf(needed);
