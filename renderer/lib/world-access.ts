import { type AccessScope, includesScope } from "../../sandbox/contract/access.ts";
import { DEFAULT_WORLD } from "./world-name.ts";

/** The access of a world token. */
export interface WorldAccess {
  /** The holder's name. */
  readonly name: string;
  readonly world: string;
  readonly scope: AccessScope;
  /** RFC 3339; null without an expiry. */
  readonly expires_at: string | null;
}

let access: WorldAccess | null = null;

/** Call once, before the first render; another token reloads the page. */
export const setWorldAccess = (to: WorldAccess): void => {
  access = to;
};

/** Returns the access of this window's token; null for the control token, which opens every world. */
export const worldAccess = (): WorldAccess | null => access;

/** Returns the world to use for calls that belong to no world. */
export const homeWorld = (): string => access?.world ?? DEFAULT_WORLD;

export const hasScope = (needed: AccessScope): boolean => access === null || includesScope(access.scope, needed);

/** Returns why this window lacks a scope; undefined if it has it. */
export const missingScopeMessage = (needed: AccessScope): string | undefined => {
  if (access === null || hasScope(needed)) return undefined;
  return access.scope === "view"
    ? "Your token is view only. Ask the operator for another."
    : `This needs a token with the scope ${needed}. Ask the operator for one.`;
};
