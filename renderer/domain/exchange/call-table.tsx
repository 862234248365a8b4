import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import styles from "./call-table.module.css";
import { callColumns } from "./fields.tsx";

interface CallTableProps {
  readonly label: string;
  readonly rows: readonly RequestRow[];
  /** The row's link. */
  readonly name: (row: RequestRow) => ReactNode;
  readonly onOpen: (row: RequestRow) => void;
}

/** A short table of calls from the declared fields. */
export const CallTable = ({ label, rows, name, onOpen }: CallTableProps) => {
  const [at, ...others] = callColumns;
  const columns = [...(at ? [at] : []), { words: "Operation", width: 256, cell: name }, ...others];
  return (
    <div className={styles.calls}>
      <Table aria-label={label} miw={560}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ words, width }) => (
              <Table.Th key={words} data-column={words} {...(width === undefined ? {} : { w: width })}>
                {words}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id} onClick={() => onOpen(row)}>
              {columns.map(({ words, cell, width }) => (
                <Table.Td
                  key={words}
                  data-column={words}
                  {...(width === undefined ? { style: { whiteSpace: "normal", overflowWrap: "anywhere" } } : {})}
                >
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
};
