import { useCallback } from "react";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { useCredentials } from "../../kernel/credentials/acting.ts";
import { OperationName } from "./operation.tsx";

type Searched = Pick<
  RequestRow,
  "id" | "method" | "path" | "operation" | "status" | "error_code" | "outcome" | "side" | "label"
>;

/** Shorter text occurs in IDs by chance: "409" means a status. */
const MIN_ID_LENGTH = 8;

/** Returns whether a call contains every typed word: "confirm 403", "supplier refused", "meridian", part of its ID. */
export const matchesExchange = (row: Searched, who: string, typed: string): boolean => {
  const side = row.side === "repairer" ? "buyer repairer" : (row.side ?? "");
  const text = [row.operation, row.method, row.path, row.status, row.error_code, row.outcome, side, row.label, who]
    .join(" ")
    .toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word) || (word.length >= MIN_ID_LENGTH && row.id.includes(word)));
};

/**
 * Returns the name of a call's integration, or of the organization of a counterpart, which needs no key; "no known key"
 * for calls without a key, or with one unknown to this world.
 */
export const useCallerName = (): ((row: Pick<RequestRow, "integration_id" | "origin" | "counterpart">) => string) => {
  const { data } = useCredentials();
  return useCallback(
    ({ integration_id, origin, counterpart = "" }) => {
      // Records of earlier versions lack the name.
      if (origin === "counterpart") return `counterpart ${counterpart}`.trimEnd();
      if (integration_id === null) return "no known key";
      const known = data?.find((credential) => credential.integration_id === integration_id);
      return known?.organization_name ?? "another key";
    },
    [data],
  );
};

export const callName = (row: RequestRow): string => row.operation ?? `${row.method} ${row.path}`;

export const CallName = ({ row }: { row: RequestRow }) => <OperationName name={callName(row)} />;
