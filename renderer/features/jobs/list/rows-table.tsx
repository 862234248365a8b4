import { IconChevronUp } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type MouseEvent, memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { useHeldBack } from "../../../components/held-back.ts";
import { Icon } from "../../../components/icon.tsx";
import { useScrollAnchor } from "../../../components/scroll-anchor.ts";
import { listRows } from "../../../components/virtual-rows.ts";
import { formatCount } from "../../../lib/formatting.ts";
import type { JobFilter } from "./address.ts";
import { type JobColumn, numberColumn } from "./columns.tsx";
import { TableHead } from "./table-head.tsx";
import { useRowKeys } from "./use-row-keys.ts";

const ROW = 32;
/** Further pages are asked for when so few rows are left below. */
const AHEAD = 30;

const keyOf = (row: JobRow) => row.id;

interface LineProps {
  readonly row: JobRow;
  readonly index: number;
  readonly columns: readonly JobColumn[];
  readonly href: string;
  readonly isReachable: boolean;
  readonly onFocus: (key: string) => void;
  readonly onOpen: (href: string) => void;
}

/** A click beside the link opens the job too; whoever selects text or wants another window is left alone. */
const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 &&
  !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) &&
  !(event.target instanceof Element && event.target.closest("a, button") !== null) &&
  window.getSelection()?.isCollapsed !== false;

const Line = memo(({ row, index, columns, href, isReachable, onFocus, onOpen }: LineProps) => (
  <tr aria-rowindex={index + 2} onClick={(event) => isPlainClick(event) && onOpen(href)}>
    <th scope="row" className="el">
      <Link
        href={href}
        className="jobs-number"
        data-key={row.id}
        tabIndex={isReachable ? 0 : -1}
        onFocus={() => onFocus(row.id)}
      >
        {row.job_number ?? <span className="t3">no number</span>}
      </Link>
    </th>
    {columns.map(({ name, right, cell }) => (
      <td key={name} className={right ? "r el" : "el"}>
        {cell(row)}
      </td>
    ))}
  </tr>
));

interface RowsTableProps {
  readonly rows: readonly JobRow[];
  readonly columns: readonly JobColumn[];
  /** Another name is another list. */
  readonly listName: string;
  readonly filter: JobFilter;
  /** How many there are in all; undefined when there are too many to count. */
  readonly total: number | undefined;
  readonly hrefOf: (row: JobRow) => string;
  readonly onSort: (change: Pick<JobFilter, "sort" | "direction">) => void;
  /** Whether more came in above than is among the rows. */
  readonly gap: boolean;
  readonly onEndReached: () => void;
  /** Told whether the list is scrolled, and so held still. */
  readonly onHold: (holding: boolean) => void;
}

/** Where each list was left, by its filter: whoever comes back from a job finds the row in sight. */
const leftAt = new Map<string, number>();

const Space = ({ height, across }: { height: number; across: number }) =>
  height > 0 ? (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row that only takes room cannot have the focus
    <tr aria-hidden="true">
      <td colSpan={across} className="jobs-space" style={{ height }} />
    </tr>
  ) : null;

/** Jobs as a table of any length, of which only the rows in sight are drawn. */
export const RowsTable = (props: RowsTableProps) => {
  const { rows, columns, listName: name, filter, total, gap, hrefOf, onSort, onEndReached, onHold } = props;
  const box = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState((leftAt.get(name) ?? 0) > 4);
  const [, navigate] = useLocation();
  const { shown, waiting, release } = useHeldBack(rows, keyOf, scrolled, name, null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is held anew
  useEffect(() => onHold(scrolled), [onHold, scrolled, name]);
  const lines = useMemo(() => listRows(shown, keyOf).rows, [shown]);
  const keys = useMemo(() => shown.map(keyOf), [shown]);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    overscan: 12,
    estimateSize: () => ROW,
    getItemKey: (index) => keys[index] ?? index,
    initialOffset: () => leftAt.get(name) ?? 0,
    // The rows begin below the head, and end a row further down than they would without it.
    scrollPaddingEnd: ROW,
  });
  useScrollAnchor(box, lines, ROW, name);
  useLayoutEffect(() => {
    const element = box.current;
    const left = leftAt.get(name) ?? 0;
    if (element && left > 0) element.scrollTop = left;
  }, [name]);
  const drawn = virtual.getVirtualItems();
  const lastDrawn = drawn.at(-1)?.index ?? -1;
  const nearEnd = shown.length > 0 && lastDrawn >= shown.length - AHEAD;
  useEffect(() => {
    if (nearEnd) onEndReached();
  }, [nearEnd, onEndReached]);
  const { isReachable, setActive } = useRowKeys({
    box,
    keys,
    hrefAt: (index) => (shown[index] ? hrefOf(shown[index]) : null),
    reveal: (index) => virtual.scrollToIndex(index, { align: "auto" }),
  });
  const above = drawn[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0);
  return (
    <div className="vlist">
      {waiting > 0 && (
        <button
          type="button"
          className="newbar jobs-newbar"
          onClick={() => {
            release();
            virtual.scrollToOffset(0);
            setScrolled(false);
          }}
        >
          {formatCount(waiting)}
          {gap && "+"} new <Icon of={IconChevronUp} size={12} />
        </button>
      )}
      <div
        ref={box}
        className="vlist-scroll"
        onScroll={({ currentTarget: { scrollTop } }) => {
          setScrolled(scrollTop > 4);
          leftAt.set(name, scrollTop);
        }}
      >
        <table
          className="tb jobs-table"
          aria-label="Jobs"
          aria-rowcount={total === undefined ? -1 : total + 1}
          style={{ minWidth: columns.reduce<number>((sum, { width }) => sum + width, numberColumn.width) }}
        >
          <colgroup>
            <col style={{ width: numberColumn.width }} />
            {columns.map((column) => (
              <col key={column.name} style={{ width: column.width }} />
            ))}
          </colgroup>
          <TableHead columns={columns} filter={filter} onSort={onSort} />
          <tbody>
            <Space height={above} across={columns.length + 1} />
            {drawn.map(({ index }) => {
              const row = shown[index];
              return row ? (
                <Line
                  key={row.id}
                  row={row}
                  index={index}
                  columns={columns}
                  href={hrefOf(row)}
                  isReachable={isReachable(row.id, index)}
                  onFocus={setActive}
                  onOpen={navigate}
                />
              ) : null;
            })}
            <Space height={below} across={columns.length + 1} />
          </tbody>
        </table>
      </div>
    </div>
  );
};
