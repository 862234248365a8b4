import { type Access, type AccessScope, includesScope, type NeededScope } from "../../contract/access.ts";
import { readField } from "../json/untyped.ts";
import { DEFAULT_WORLD } from "../worlds/world-name.ts";

/** World and scope of a world token. */
export interface WorldAccess {
  readonly world: string;
  readonly scope: AccessScope;
}

/** Reason a world token is refused: the call targets another world, or needs a wider scope. */
type AccessProblem = { readonly is: "world" } | { readonly is: "scope"; readonly needs: NeededScope };

/** Checks whether an optional request field is set and not false. */
export const isRequested = (value: unknown): boolean => value !== undefined && value !== false;

/**
 * Checks a control-plane call against a world token.
 *
 * @param access from the operation's declaration; undefined for operator-only operations
 * @param body unvalidated
 * @returns null if the token permits the call
 */
export const accessProblem = (
  access: Access | undefined,
  { world, scope }: WorldAccess,
  body: unknown,
): AccessProblem | null => {
  if (access === undefined) return { is: "scope", needs: "operator" };
  const { needs, worlds = ["world"], fields = {} } = access;
  if (needs === "anyone") return null;
  const wanted = Object.entries(fields).filter(([name]) => isRequested(readField(body, name)));
  const lacking = [needs, ...wanted.map(([, needed]) => needed)].find((needed) => !includesScope(scope, needed));
  if (lacking !== undefined) return { is: "scope", needs: lacking };
  const isOwn = (name: string): boolean => {
    const named = readField(body, name);
    if (named === undefined) return name !== "world" || world === DEFAULT_WORLD;
    return named === world;
  };
  return worlds.every(isOwn) ? null : { is: "world" };
};
