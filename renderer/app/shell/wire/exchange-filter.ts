import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";

/** Which of the last exchanges are listed. */
export type WireOnly = "all" | "refused";

type Searched = Pick<
  RequestRow,
  "id" | "method" | "path" | "operation" | "status" | "error_code" | "outcome" | "side" | "label"
>;

/** Shorter pieces are in identifiers by chance: "409" is meant as a status. */
const SHORTEST_OF_ID = 8;

/** Whether an exchange has every typed word somewhere: "confirm 403", "supplier refused", "meridian", part of its id. */
export const matchesExchange = (row: Searched, who: string, typed: string): boolean => {
  const side = row.side === "repairer" ? "buyer repairer" : (row.side ?? "");
  const text = [row.operation, row.method, row.path, row.status, row.error_code, row.outcome, side, row.label, who]
    .join(" ")
    .toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word) || (word.length >= SHORTEST_OF_ID && row.id.includes(word)));
};
