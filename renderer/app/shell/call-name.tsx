import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { OperationName } from "../../components/operation.tsx";

/** What an exchange is called: its operation, or its method and path when it has none. */
export const callName = (row: RequestRow): string => row.operation ?? `${row.method} ${row.path}`;

export const CallName = ({ row }: { row: RequestRow }) => <OperationName name={callName(row)} />;
