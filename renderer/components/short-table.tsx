import { Table } from "@mantine/core";
import type { ReactNode } from "react";

/** A column of a table: its head, and its cell in each row. */
export interface Column<T> {
  readonly head: string;
  /** In pixels or percent; remaining width is shared. */
  readonly width?: number | string;
  readonly right?: boolean;
  /** True if the head is for screen readers only, as over buttons. */
  readonly isHeadHidden?: boolean;
  /** True if its cells break between lines instead of being cut. */
  readonly wraps?: boolean;
  readonly cell: (row: T) => ReactNode;
  /** The cell's whole text, where it may be cut. */
  readonly title?: (row: T) => string | undefined;
}

interface ShortTableProps<T> {
  /** Accessible name: "Tokens of qa, newest first". */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string | number;
  /** The width below which it scrolls, in pixels. */
  readonly least?: number;
  readonly className?: string | undefined;
  readonly isSelected?: (row: T) => boolean;
  /** Action of a click on a row, beside a button or link in it. */
  readonly onOpen?: (row: T) => void;
}

/** A table with few rows. Long ones are lists: `TableList`. */
export const ShortTable = <T,>({ label, columns, rows, keyOf, least, ...more }: ShortTableProps<T>) => (
  <Table aria-label={label} {...(least && { miw: least })} {...(more.className && { className: more.className })}>
    <Table.Thead>
      <Table.Tr>
        {columns.map(({ head, width, right, isHeadHidden }) => (
          <Table.Th key={head} data-column={head} w={width} ta={right ? "right" : undefined}>
            {isHeadHidden ? <span className="sr">{head}</span> : head}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map((row) => (
        <Table.Tr
          key={keyOf(row)}
          className={more.isSelected?.(row) ? "sel" : ""}
          {...(more.onOpen && { onClick: () => more.onOpen?.(row) })}
        >
          {columns.map(({ head, right, wraps, cell, title }) => (
            <Table.Td
              key={head}
              data-column={head}
              ta={right ? "right" : undefined}
              title={title?.(row)}
              {...(wraps && { style: { whiteSpace: "normal", overflowWrap: "anywhere" } })}
            >
              {cell(row)}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
