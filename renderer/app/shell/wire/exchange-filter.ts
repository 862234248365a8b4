import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";

/** Which of the last exchanges are listed. */
export type WireOnly = "all" | "refused";

export const isRefused = ({ status }: Pick<RequestRow, "status">): boolean => status >= 400;

type Searched = Pick<RequestRow, "method" | "path" | "operation" | "status" | "error_code" | "outcome" | "side">;

/** Whether an exchange has every typed word somewhere: "confirm 403", "supplier refused", "meridian". */
export const matchesExchange = (row: Searched, who: string, typed: string): boolean => {
  const side = row.side === "repairer" ? "buyer repairer" : (row.side ?? "");
  const text = [row.operation, row.method, row.path, row.status, row.error_code, row.outcome, side, who]
    .join(" ")
    .toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
