import type { RequestRow, StateChange } from "../../../../sandbox/contract/control/rows.ts";
import { type Difference, differences } from "../../../lib/diff.ts";
import { movedTo } from "../moves.ts";

/** What one mutation did to a procurement that was there before. */
export interface Transition {
  readonly traceId: string;
  readonly request: RequestRow;
  readonly before: unknown;
  readonly after: unknown;
  readonly changes: readonly Difference[];
}

/** The newest exchange that moved the procurement. */
export const lastMove = (touching: readonly RequestRow[]): RequestRow | null =>
  touching.find((request) => movedTo(request) !== null) ?? null;

/** The change of this procurement in a trace; null when the trace did not change it, or made it. */
export const transitionOf = (request: RequestRow, changes: readonly StateChange[], id: string): Transition | null => {
  const change = changes.find((one) => one.entity === "procurement" && one.id === id);
  if (!change || change.before === null) return null;
  const { before, after } = change;
  return { traceId: request.trace_id, request, before, after, changes: differences(before, after) };
};

const isUnder = (path: string, above: string): boolean => path.startsWith(`${above}.`) || path.startsWith(`${above}[`);

/** The change at a path, or at something the path is part of; null when it stayed as it was. */
export const changeAt = (changes: readonly Difference[], path: string): Difference | null =>
  changes.find((change) => change.path === path || isUnder(path, change.path)) ?? null;

/** The changes inside an item or object. */
export const changesUnder = (changes: readonly Difference[], path: string): Difference[] =>
  changes.filter((change) => isUnder(change.path, path));
