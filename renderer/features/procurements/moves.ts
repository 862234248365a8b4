import type { ProcurementRow, RequestRow, StateChange } from "../../../sandbox/contract/control/rows.ts";
import type { PartnerCall } from "../../../sandbox/contract/operations/partner-calls.ts";
import type { ProcurementStatus } from "../../../sandbox/contract/values.ts";
import { type Difference, differences } from "../../lib/diff.ts";

/** The state a call leads to, where it moves a procurement. */
const leadsTo: ReadonlyMap<string, ProcurementStatus> = new Map<PartnerCall, ProcurementStatus>([
  ["repairer.procurements.place", "order_requested"],
  ["supplier.procurements.confirm", "order_confirmed"],
  ["procurements.cancel", "cancelled"],
]);

/**
 * The state a call moved the procurement into; null for one that was refused or changed nothing. Confirming again
 * succeeds and tells nobody (D50); a cancel that succeeds always moves, though no event tells of it (D74).
 */
export const movedTo = ({ operation, status, events }: RequestRow): ProcurementStatus | null => {
  const to = operation === null ? undefined : leadsTo.get(operation);
  if (to === undefined || status !== 200) return null;
  return events > 0 || to === "cancelled" ? to : null;
};

export const lastMove = (touching: readonly RequestRow[]): RequestRow | null =>
  touching.find((request) => movedTo(request) !== null) ?? null;

/** The change of this procurement in a trace; null when the trace did not change it, or made it. */
export const findTransition = (request: RequestRow, changes: readonly StateChange[], id: string) => {
  const change = changes.find((one) => one.entity === "procurement" && one.id === id);
  if (!change || change.before === null) return null;
  const { before, after } = change;
  return { request, before, after, changes: differences(before, after) };
};

/** What one mutation did to a procurement that was there before. */
export type Transition = NonNullable<ReturnType<typeof findTransition>>;

const isUnder = (path: string, above: string): boolean => path.startsWith(`${above}.`) || path.startsWith(`${above}[`);

/** The change at a path, or at something the path is part of; null when it stayed as it was. */
export const changeAt = (changes: readonly Difference[], path: string): Difference | null =>
  changes.find((change) => change.path === path || isUnder(path, change.path)) ?? null;

export const changesUnder = (changes: readonly Difference[], path: string): Difference[] =>
  changes.filter((change) => isUnder(change.path, path));

export interface HistoryEntry {
  /** Null for a state it came into without a call that is on record. */
  readonly request: RequestRow | null;
  /** The state it came into; null for a call that moved nothing. */
  readonly to: ProcurementStatus | null;
  /** By the clock of what is known of it: the record's, or the world's. */
  readonly at: string;
  /** How long it had been in the state before, in milliseconds of the world's clock; null when it was the first. */
  readonly after: number | null;
}

/**
 * The exchanges that moved a procurement or tried to, newest first as they are given, and behind them the states it came into
 * without one that is kept: with the world it was made in, or before the log begins.
 */
export const orderHistory = (
  row: Pick<ProcurementRow, "status" | "created_at" | "updated_at">,
  exchanges: readonly RequestRow[],
): HistoryEntry[] => {
  const stayed = Date.parse(row.updated_at) - Date.parse(row.created_at);
  const after = (to: ProcurementStatus | null) => (to === null || to === "order_requested" ? null : stayed);
  const calls = exchanges.map((request): HistoryEntry => {
    const to = movedTo(request);
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
