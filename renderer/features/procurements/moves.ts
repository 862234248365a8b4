import type { ProcurementRow, RequestRow, StateChange } from "../../../sandbox/contract/control/rows.ts";
import type { PartnerCall } from "../../../sandbox/contract/operations/partner-calls.ts";
import type { ProcurementStatus } from "../../../sandbox/contract/values.ts";
import { type Difference, differences } from "../../lib/diff.ts";

/** The resulting state of each transition call. */
const resultingStates: ReadonlyMap<string, ProcurementStatus> = new Map<PartnerCall, ProcurementStatus>([
  ["repairer.procurements.place", "order_requested"],
  ["supplier.procurements.confirm", "order_confirmed"],
  ["procurements.cancel", "cancelled"],
]);

/**
 * Returns the state after a call; null when it was refused or changed nothing. A repeated confirmation succeeds without
 * an event (D50); a successful cancellation always changes the state, also without an event (D74).
 */
export const stateAfter = ({ operation, status, events }: RequestRow): ProcurementStatus | null => {
  const to = operation === null ? undefined : resultingStates.get(operation);
  if (to === undefined || status !== 200) return null;
  return events > 0 || to === "cancelled" ? to : null;
};

export const lastMove = (touching: readonly RequestRow[]): RequestRow | null =>
  touching.find((request) => stateAfter(request) !== null) ?? null;

/** Returns a trace's change of this order; null when it has none, or created the order. */
export const findTransition = (request: RequestRow, changes: readonly StateChange[], id: string) => {
  const change = changes.find((one) => one.entity === "procurement" && one.id === id);
  if (!change || change.before === null) return null;
  const { before, after } = change;
  return { request, before, after, changes: differences(before, after) };
};

/** A call's change of an existing order. */
export type Transition = NonNullable<ReturnType<typeof findTransition>>;

const isUnder = (path: string, above: string): boolean => path.startsWith(`${above}.`) || path.startsWith(`${above}[`);

/** Returns the change at a path or at a parent; null when unchanged. */
export const findChange = (changes: readonly Difference[], path: string): Difference | null =>
  changes.find((change) => change.path === path || isUnder(path, change.path)) ?? null;

export const changesUnder = (changes: readonly Difference[], path: string): Difference[] =>
  changes.filter((change) => isUnder(change.path, path));

export interface HistoryEntry {
  /** Null for a state without a recorded call. */
  readonly request: RequestRow | null;
  /** The new state; null for a call that changed nothing. */
  readonly to: ProcurementStatus | null;
  /** By the clock of its source: the record's, or the world's. */
  readonly at: string;
  /** Duration of the previous state in milliseconds of the world's clock; null for the first. */
  readonly after: number | null;
}

/**
 * Returns calls that changed an order or tried to, newest first as given, then states without a recorded call: from the
 * seed, or before the log starts.
 */
export const orderHistory = (
  row: Pick<ProcurementRow, "status" | "created_at" | "updated_at">,
  exchanges: readonly RequestRow[],
): HistoryEntry[] => {
  const stayed = Date.parse(row.updated_at) - Date.parse(row.created_at);
  const after = (to: ProcurementStatus | null) => (to === null || to === "order_requested" ? null : stayed);
  const calls = exchanges.map((request): HistoryEntry => {
    const to = stateAfter(request);
    return { request, to, at: request.at, after: after(to) };
  });
  const isRecorded = (to: ProcurementStatus) => calls.some((entry) => entry.to === to);
  const unrecorded = (to: ProcurementStatus, at: string): HistoryEntry[] =>
    isRecorded(to) ? [] : [{ request: null, to, at, after: after(to) }];
  return [
    ...calls,
    ...(row.status === "order_requested" ? [] : unrecorded(row.status, row.updated_at)),
    ...unrecorded("order_requested", row.created_at),
  ];
};
