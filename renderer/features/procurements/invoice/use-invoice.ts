import { useState } from "react";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import { useWorld } from "../../../app/world.ts";
import { useDraft } from "../../../lib/draft.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { useReconcile } from "../mutations.ts";
import type { SideSeen } from "../two-sides.tsx";
import {
  emptyLine,
  type InvoiceLine,
  linesOfOrder,
  type Reconciliation,
  refusedIn,
  requestOf,
  restoredLines,
} from "./invoice-lines.ts";

/** Writes an invoice for a procurement as its buyer; what was written survives a reload of the window. */
export const useInvoice = (row: ProcurementRow, buyer: SideSeen) => {
  const { draft: written, change: write } = useDraft<readonly InvoiceLine[] | null>(
    { name: `invoice.${useWorld()}.${row.id}` },
    { initial: () => null, read: restoredLines, isWorth: (lines) => lines !== null },
  );
  const [sent, setSent] = useState<readonly InvoiceLine[]>([]);
  const reconcile = useReconcile();
  const ordered = linesOfOrder(buyer.view?.offered_items ?? []);
  const lines = written ?? ordered;
  const request = requestOf(row.id, lines);
  const send = () => {
    if (request === null || buyer.credential === null || reconcile.isPending) return;
    setSent(lines);
    reconcile.mutate({ body: request, credential: buyer.credential });
  };
  const { data, error, isPending } = reconcile;
  const failure = isPending ? null : (data?.failure ?? (error instanceof ServiceFailure ? error : null));
  return {
    ordered,
    lines,
    /** Whether somebody wrote in it: until then it follows the order. */
    isWritten: written !== null,
    change: (line: InvoiceLine) => write(() => lines.map((one) => (one.key === line.key ? line : one))),
    add: (line = emptyLine(crypto.randomUUID())): string => {
      write(() => [...lines, line]);
      return line.key;
    },
    remove: (key: string) => write(() => lines.filter((line) => line.key !== key)),
    /** Back to exactly what was ordered. */
    reset: () => {
      write(() => null);
      reconcile.reset();
    },
    /** What will be sent; null while a line cannot be. */
    request,
    send,
    isSending: isPending,
    /** The last answer with the lines it is about; null before the first and after a refusal. */
    answer: data?.ok ? { result: data.body as Reconciliation, sent } : null,
    failure,
    /** The line and field it points to. */
    refused: failure && refusedIn(failure.message),
  };
};

/** An invoice that is being written, and what the service last said about it. */
export type Invoice = ReturnType<typeof useInvoice>;
