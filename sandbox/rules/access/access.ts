import { type Access, type AccessScope, includesScope, type NeededScope } from "../../contract/access.ts";
import { readField } from "../json/untyped.ts";
import { DEFAULT_WORLD } from "../worlds/world-name.ts";

/** What a world token opens. */
export interface WorldAccess {
  readonly world: string;
  readonly scope: AccessScope;
}

/** Why a world token is refused: the call is for another world, or needs more than the token's scope. */
export type AccessProblem = { readonly is: "world" } | { readonly is: "scope"; readonly needs: NeededScope };

/** Whether a field that asks for something is given, and not false. */
export const isAsked = (value: unknown): boolean => value !== undefined && value !== false;

/**
 * Whether a world token opens a call of the control plane.
 *
 * @param access what the operation's declaration says; undefined: it is the operator's
 * @param body as it was sent, of whatever shape
 * @returns null: it does
 */
export const accessProblem = (
  access: Access | undefined,
  { world, scope }: WorldAccess,
  body: unknown,
): AccessProblem | null => {
  if (access === undefined) return { is: "scope", needs: "operator" };
  const { needs, worlds = ["world"], fields = {} } = access;
  if (needs === "anyone") return null;
  const wanted = Object.entries(fields).filter(([name]) => isAsked(readField(body, name)));
  const lacking = [needs, ...wanted.map(([, needed]) => needed)].find((needed) => !includesScope(scope, needed));
  if (lacking !== undefined) return { is: "scope", needs: lacking };
  const isOwn = (name: string): boolean => {
    const named = readField(body, name);
    if (named === undefined) return name !== "world" || world === DEFAULT_WORLD;
    return named === world;
  };
  return worlds.every(isOwn) ? null : { is: "world" };
};
