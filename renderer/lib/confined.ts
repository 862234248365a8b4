import { type AccessScope, includesScope } from "../../sandbox/contract/access.ts";
import { DEFAULT_WORLD } from "./world-name.ts";

/** What a world token opens. */
export interface Confined {
  /** Whose it is. */
  readonly name: string;
  readonly world: string;
  readonly scope: AccessScope;
  /** RFC 3339; null: it does not expire. */
  readonly expires_at: string | null;
}

let confined: Confined | null = null;

/** Said once, before the first render; another token loads the page anew. */
export const confine = (to: Confined): void => {
  confined = to;
};

/** What this window's token opens; null: every world, with the control token. */
export const confinedTo = (): Confined | null => confined;

/** The world that is asked for what is of no world. */
export const homeWorld = (): string => confined?.world ?? DEFAULT_WORLD;

export const mayDo = (needed: AccessScope): boolean => confined === null || includesScope(confined.scope, needed);

/** Why this window may not do something; undefined: it may. */
export const whyNot = (needed: AccessScope): string | undefined => {
  if (confined === null || mayDo(needed)) return undefined;
  return confined.scope === "view"
    ? "Your token is view only. Ask the operator for another."
    : `This needs a token with the scope ${needed}. Ask the operator for one.`;
};
