import { Table as LibraryTable } from "@mantine/core";
import type { ReactNode } from "react";

export interface Column<T> {
  readonly key: string;
  readonly head: ReactNode;
  readonly cell: (row: T) => ReactNode;
  /** Any CSS width; columns without one share what is left. */
  readonly width?: string;
  readonly right?: boolean;
}

interface TableProps<T> {
  /** What the table is, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  readonly selected?: string | null;
  readonly onOpen?: (row: T) => void;
}

/** A short table (for long lists use TableList). Rows that open keep a real link or button in one of their cells. */
export const Table = <T,>({ caption, columns, rows, rowKey, selected = null, onOpen }: TableProps<T>) => (
  <LibraryTable>
    <caption className="sr">{caption}</caption>
    <colgroup>
      {columns.map(({ key, width }) => (
        <col key={key} style={width ? { width } : undefined} />
      ))}
    </colgroup>
    <LibraryTable.Thead>
      <LibraryTable.Tr>
        {columns.map(({ key, head, right }) => (
          <LibraryTable.Th key={key} scope="col" ta={right ? "right" : "left"}>
            {head}
          </LibraryTable.Th>
        ))}
      </LibraryTable.Tr>
    </LibraryTable.Thead>
    <LibraryTable.Tbody>
      {rows.map((row) => (
        <LibraryTable.Tr
          key={rowKey(row)}
          className={selected === rowKey(row) ? "sel" : ""}
          onClick={() => onOpen?.(row)}
        >
          {columns.map(({ key, cell, right }) => (
            <LibraryTable.Td key={key} ta={right ? "right" : "left"} className="cut">
              {cell(row)}
            </LibraryTable.Td>
          ))}
        </LibraryTable.Tr>
      ))}
    </LibraryTable.Tbody>
  </LibraryTable>
);
