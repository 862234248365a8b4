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

/** A short table (for long lists use VirtualList). Rows that open keep a real link or button in one of their cells. */
export const Table = <T,>({ caption, columns, rows, rowKey, selected = null, onOpen }: TableProps<T>) => (
  <table className="tb fixed">
    <caption className="sr">{caption}</caption>
    <colgroup>
      {columns.map((column) => (
        <col key={column.key} style={column.width ? { width: column.width } : undefined} />
      ))}
    </colgroup>
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.key} scope="col" className={column.right ? "r" : undefined}>
            {column.head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr
          key={rowKey(row)}
          className={selected === rowKey(row) ? "sel" : undefined}
          onClick={onOpen ? () => onOpen(row) : undefined}
        >
          {columns.map((column) => (
            <td key={column.key} className={column.right ? "r el" : "el"}>
              {column.cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
