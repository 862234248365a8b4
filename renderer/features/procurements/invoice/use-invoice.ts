import { useState } from "react";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import type { BuyerProcurement } from "../../../../sandbox/contract/resources/procurement.ts";
import { useWorld } from "../../../app/world.ts";
import { useDraft } from "../../../lib/draft.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { useReconcile } from "../mutations.ts";
import type { SideSeen } from "../two-sides.tsx";
import {
  emptyLine,
  type InvoiceLine,
  linesOfOrder,
  placeIn,
  type Reconciliation,
  requestOf,
  restoredLines,
} from "./invoice-lines.ts";

/** An invoice that is being written, and what the service last said about it. */
export interface Invoice {
  readonly lines: readonly InvoiceLine[];
  /** Whether somebody wrote in it: until then it follows the order. */
  readonly isWritten: boolean;
  readonly change: (line: InvoiceLine) => void;
  readonly add: (line?: InvoiceLine) => string;
  readonly remove: (key: string) => void;
  /** Back to exactly what was ordered. */
  readonly reset: () => void;
  /** What will be sent; null while a line cannot be. */
  readonly request: ReturnType<typeof requestOf>;
  readonly send: () => void;
  readonly isSending: boolean;
  /** The last answer with the lines it is about; null before the first and after a refusal. */
  readonly answer: { readonly result: Reconciliation; readonly sent: readonly InvoiceLine[] } | null;
  readonly failure: ServiceFailure | null;
  /** The line and field the refusal points to. */
  readonly refusedAt: ReturnType<typeof placeIn>;
}

/** Writes an invoice for a procurement as its buyer; what was written survives a reload of the window. */
export const useInvoice = (row: ProcurementRow, buyer: SideSeen<BuyerProcurement>): Invoice => {
  const { draft: written, change: write } = useDraft<readonly InvoiceLine[] | null>(
    { name: `invoice.${useWorld()}.${row.id}` },
    { initial: () => null, read: restoredLines, isWorth: (lines) => lines !== null },
  );
  const [sent, setSent] = useState<readonly InvoiceLine[]>([]);
  const reconcile = useReconcile();
  const lines = written ?? linesOfOrder(buyer.view?.offered_items ?? []);
  const request = requestOf(row.id, lines);
  const send = () => {
    if (request === null || buyer.credential === null || reconcile.isPending) return;
    setSent(lines);
    reconcile.mutate({ body: request, credential: buyer.credential });
  };
  const { data, error, isPending } = reconcile;
  const failure = data?.failure ?? (error instanceof ServiceFailure ? error : null);
  return {
    lines,
    isWritten: written !== null,
    change: (line) => write(() => lines.map((one) => (one.key === line.key ? line : one))),
    add: (line = emptyLine(crypto.randomUUID())) => {
      write(() => [...lines, line]);
      return line.key;
    },
    remove: (key) => write(() => lines.filter((line) => line.key !== key)),
    reset: () => {
      write(() => null);
      reconcile.reset();
    },
    request,
    send,
    isSending: isPending,
    answer: data?.ok ? { result: data.body as Reconciliation, sent } : null,
    failure: isPending ? null : failure,
    refusedAt: failure && !isPending ? placeIn(failure.message) : null,
  };
};
