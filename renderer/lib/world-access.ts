import { type AccessScope, includesScope } from "../../sandbox/contract/access.ts";
import { DEFAULT_WORLD } from "./world-name.ts";

/** What a world token opens. */
export interface WorldAccess {
  /** Whose it is. */
  readonly name: string;
  readonly world: string;
  readonly scope: AccessScope;
  /** RFC 3339; null: it does not expire. */
  readonly expires_at: string | null;
}

let access: WorldAccess | null = null;

/** Said once, before the first render; another token loads the page anew. */
export const setWorldAccess = (to: WorldAccess): void => {
  access = to;
};

/** What this window's token opens; null: every world, with the control token. */
export const worldAccess = (): WorldAccess | null => access;

/** The world that is asked for what is of no world. */
export const homeWorld = (): string => access?.world ?? DEFAULT_WORLD;

export const hasScope = (needed: AccessScope): boolean => access === null || includesScope(access.scope, needed);

/** Why this window may not do something; undefined: it may. */
export const missingScopeMessage = (needed: AccessScope): string | undefined => {
  if (access === null || hasScope(needed)) return undefined;
  return access.scope === "view"
    ? "Your token is view only. Ask the operator for another."
    : `This needs a token with the scope ${needed}. Ask the operator for one.`;
};
