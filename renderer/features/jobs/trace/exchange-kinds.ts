import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";

const READ_ONLY = "read only";

/** Whether an exchange changed nothing because it only asked. */
export const isRead = ({ outcome }: Pick<RequestRow, "outcome">): boolean => outcome === READ_ONLY;

export const exchangeKinds = [
  { value: "changes", label: "Changes" },
  { value: "everything", label: "With reads" },
] as const;
export type ExchangeKind = (typeof exchangeKinds)[number]["value"];

/** The exchanges that changed something or tried to, or all of them. */
export const ofKind = (rows: readonly RequestRow[], kind: ExchangeKind): readonly RequestRow[] =>
  kind === "everything" ? rows : rows.filter((row) => !isRead(row));
