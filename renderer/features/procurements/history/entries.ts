import type { ProcurementRow, RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import type { ProcurementStatus } from "../../../../sandbox/contract/values.ts";
import { movedTo } from "../moves.ts";

/** One line of a procurement's history. */
export type HistoryEntry =
  | {
      readonly kind: "call";
      readonly request: RequestRow;
      /** The state it moved the procurement into; null for a call that moved nothing. */
      readonly to: ProcurementStatus | null;
      /** How long it had been in the state before, in milliseconds of the world's clock; null when it was the first. */
      readonly after: number | null;
    }
  | {
      /** A state it came into without a call that is on record. */
      readonly kind: "unrecorded";
      readonly to: ProcurementStatus;
      readonly at: string;
      readonly after: number | null;
    };

type Row = Pick<ProcurementRow, "status" | "created_at" | "updated_at">;

/**
 * The exchanges that touched a procurement, newest first as they are given, and behind them the states it came into
 * without one that is kept: with the world it was made in, or before the log begins.
 */
export const historyOf = (row: Row, exchanges: readonly RequestRow[]): HistoryEntry[] => {
  const stayed = Date.parse(row.updated_at) - Date.parse(row.created_at);
  const after = (to: ProcurementStatus | null) => (to === null || to === "order_requested" ? null : stayed);
  const calls = exchanges.map((request): HistoryEntry => {
    const to = movedTo(request);
    return { kind: "call", request, to, after: after(to) };
  });
  const isRecorded = (to: ProcurementStatus) => calls.some((entry) => entry.to === to);
  const unrecorded = (to: ProcurementStatus, at: string): HistoryEntry[] =>
    isRecorded(to) ? [] : [{ kind: "unrecorded", to, at, after: after(to) }];
  return [
    ...calls,
    ...(row.status === "order_requested" ? [] : unrecorded(row.status, row.updated_at)),
    ...unrecorded("order_requested", row.created_at),
  ];
};

/** The newest exchanges, with older moves that lie beyond them. */
export const withMoves = (newest: readonly RequestRow[], moves: readonly RequestRow[]): RequestRow[] => [
  ...newest,
  ...moves.filter((move) => !newest.some((row) => row.id === move.id)),
];
