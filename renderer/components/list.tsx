import { Button, Table } from "@mantine/core";
import { IconChevronUp } from "@tabler/icons-react";
import { elementScroll, useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import {
  type MouseEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Link, useLocation } from "wouter";
import { focusOpenItem } from "../lib/focus.ts";
import { formatCount, formatTotal, type Total } from "../lib/formatting.ts";
import { Icon } from "./icon.tsx";
import styles from "./list.module.css";
import { GROUP_HEIGHT, listRows, useScrollAnchor } from "./list-rows.ts";
import { Read, type Reading } from "./read.tsx";
import type { Column } from "./short-table.tsx";
import { useKeys } from "./use-keys.ts";
import { useRowHeight } from "./window-context.ts";

/** The source of a list's rows. `useLiveList` makes one from a paged, live query. */
export interface ListSource<T> {
  readonly items: readonly T[];
  /** Another name is another list and starts at its top. */
  readonly name: string;
  /** The query behind the list; left out if the rows are already there. */
  readonly read?: Reading<unknown> & { readonly isPlaceholderData?: boolean };
  /** The total, if not all rows are loaded. */
  readonly counted?: Total | undefined;
  /** New rows that wait above while the list is held. */
  readonly waiting?: number;
  /** True if more rows arrived than were counted. */
  readonly gap?: boolean;
  /** Reads the next page; undefined if there is none, or not now. */
  readonly more?: (() => void) | undefined;
  /** Receives whether to hold the list: it is scrolled, or a row is selected. The selected row never waits. */
  readonly hold?: (holding: boolean, selected: string | null) => void;
  /** Shows the waiting rows. */
  readonly renew?: () => void;
}

interface Shared<T> {
  readonly of: ListSource<T>;
  /** Accessible name: "Jobs". */
  readonly label: string;
  /** The content in a loading message: "the jobs". */
  readonly what: string;
  /** Shown for a list without rows. */
  readonly empty: ReactNode;
  readonly keyOf: (item: T) => string;
}

export interface ListProps<T> extends Shared<T> {
  /** The address of the detail, to which a row links; null without one. */
  readonly hrefOf?: (item: T) => string | null;
  /** The action of a row without an address. */
  readonly onChoose?: (item: T) => void;
  /** The content of a row: two lines of two cells (see ListRow), or anything of the row's height. */
  readonly render: (item: T) => ReactNode;
  readonly rowHeight?: number;
  /** The selected row; while there is one, the list is held. */
  readonly selected?: string | null;
  /** The highlighted row, if it differs from the selected one. */
  readonly marked?: string | null;
  /** Consecutive items of the same group get a head. */
  readonly groupOf?: ((item: T) => string) | undefined;
  readonly renderGroup?: (group: string) => ReactNode;
  /** j/k and arrows work from anywhere on the page; turn it off for a place's second list. */
  readonly primary?: boolean;
}

export interface ListColumn<T> extends Column<T> {
  readonly width: number;
  /** The head, if it is more than a text: a button that sorts. */
  readonly sorter?: ReactNode;
  /** The current sort by this column, if it can be sorted. */
  readonly sorted?: "ascending" | "descending" | "none";
}

interface TableListProps<T> extends Shared<T> {
  readonly hrefOf: (item: T) => string;
  /** The cell of the first column is the name of the row, and its link. */
  readonly columns: readonly ListColumn<T>[];
  /** The row to continue from after closing its detail. */
  readonly from: string | null;
}

/** Requests the next page when fewer rows than this remain below. */
const AHEAD = 20;

/**
 * Reports the list's height before paint and after each change. The library's default reads it synchronously, which
 * forces a second layout.
 */
const observeHeight = (
  { scrollElement }: Virtualizer<HTMLDivElement, Element>,
  tell: (size: { width: number; height: number }) => void,
) => {
  if (scrollElement === null) return;
  const observer = new ResizeObserver(() =>
    tell({ width: scrollElement.offsetWidth, height: scrollElement.offsetHeight }),
  );
  observer.observe(scrollElement);
  return () => observer.disconnect();
};

/** Scrolls only when needed. The library scrolls once at the start, which would force a layout. */
const scrollTo: typeof elementScroll<HTMLDivElement> = (offset, how, list) => {
  if (offset + (how.adjustments ?? 0) !== list.scrollOffset) elementScroll(offset, how, list);
};

/** Scroll position of each table by its name, so that the row is visible after going back. */
const leftAt = new Map<string, number>();

interface Walked<T> extends Pick<ListProps<T>, "of" | "keyOf" | "selected" | "groupOf" | "primary"> {
  /** The address of an item; null without one. */
  readonly hrefOf: (item: T) => string | null;
  readonly rowHeight: number;
  readonly from?: string | null;
  /** True if it restores its scroll position and has a header row. */
  readonly isTable?: boolean;
}

/** Virtualises the rows, reports when to hold the list, and binds the keys that move through it. */
const useRows = <T,>({
  of: { items, name, more, hold, renew, waiting = 0, gap = false },
  keyOf,
  hrefOf,
  rowHeight,
  selected = null,
  groupOf,
  primary = true,
  from = selected,
  isTable = false,
}: Walked<T>) => {
  const [, navigate] = useLocation();
  const box = useRef<HTMLDivElement>(null);
  const left = isTable ? (leftAt.get(name) ?? 0) : 0;
  const [scrolled, setScrolled] = useState(left > 4);
  const [active, setActive] = useState(from);
  const [wasSelected, setWasSelected] = useState(selected);
  if (wasSelected !== selected) {
    setWasSelected(selected);
    if (selected !== null) setActive(selected);
  }
  const holding = scrolled || selected !== null;
  const tellHolding = useEffectEvent((isHolding: boolean, on: string | null) => hold?.(isHolding, on));
  // biome-ignore lint/correctness/useExhaustiveDependencies: report the hold again for each list
  useEffect(() => tellHolding(holding, selected), [holding, selected, name]);
  const { rows, positions } = useMemo(() => listRows(items, keyOf, groupOf), [items, keyOf, groupOf]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    overscan: 4,
    // Until the height is known, assume the window's, so that no visible row is missing.
    initialRect: { width: 0, height: window.innerHeight },
    observeElementRect: observeHeight,
    scrollToFn: scrollTo,
    estimateSize: (index) => (rows[index]?.kind === "group" ? GROUP_HEIGHT : rowHeight),
    getItemKey: (index) => rows[index]?.key ?? index,
    initialOffset: left,
    scrollPaddingEnd: isTable ? rowHeight : 0,
  });
  // The library caches measurements, so a new row height must clear them.
  const measuredAs = useRef(rowHeight);
  useLayoutEffect(() => {
    if (measuredAs.current === rowHeight) return;
    measuredAs.current = rowHeight;
    virtual.measure();
  }, [rowHeight, virtual]);
  const visibleRows = virtual.getVirtualItems();
  useScrollAnchor(box, rows, rowHeight, name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: restore the position once for each list
  useLayoutEffect(() => {
    if (box.current && left > 0) box.current.scrollTop = left;
  }, [name]);

  const nearEnd = rows.length > 0 && (visibleRows.at(-1)?.index ?? -1) >= rows.length - AHEAD;
  const canRead = more !== undefined;
  const readMore = useEffectEvent(() => more?.());
  // biome-ignore lint/correctness/useExhaustiveDependencies: one new page may not fill the list
  useEffect(() => {
    if (nearEnd && canRead) readMore();
  }, [nearEnd, canRead, rows.length]);

  /** Scrolls a row into view; includes the group's head if that is above it. */
  const reveal = (index: number) => {
    const top = virtual.measurementsCache[index]?.start ?? 0;
    const headed = rows[index - 1]?.kind === "group" && top < (virtual.scrollOffset ?? 0) + GROUP_HEIGHT;
    virtual.scrollToIndex(headed ? index - 1 : index, { align: "auto" });
  };
  const itemAt = (key: string | null) => {
    const row = rows[(key === null ? undefined : positions.get(key)) ?? -1];
    return row?.kind === "item" ? row : undefined;
  };
  const selectedRow = itemAt(selected);
  const selectedAt = selectedRow && (hrefOf(selectedRow.item) ?? selectedRow.key);
  const revealSelected = useEffectEvent(() => selected !== null && reveal(positions.get(selected) ?? 0));
  const revealed = useRef<string | undefined>(undefined);
  useEffect(() => {
    // Once for each selected row, so that the user can scroll away even if the row moves.
    if (selectedAt === undefined || revealed.current === selectedAt) return;
    revealed.current = selectedAt;
    revealSelected();
  }, [selectedAt]);

  const focusRow = (index: number) => {
    const item = items[Math.min(items.length - 1, Math.max(0, index))];
    if (item === undefined) return;
    const key = keyOf(item);
    setActive(key);
    reveal(positions.get(key) ?? 0);
    const row = () => box.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    const drawnAlready = row();
    if (drawnAlready) drawnAlready.focus();
    else requestAnimationFrame(() => row()?.focus());
  };
  const current = itemAt(active);
  /** Where the active row is, or was before it left the list. */
  const activeAt = useRef(-1);
  const hasFocus = useRef(false);
  const passFocus = useEffectEvent(() => {
    if (current !== undefined) activeAt.current = current.index;
    else if (hasFocus.current && document.activeElement === document.body) focusRow(activeAt.current);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows may lack the active one
  useLayoutEffect(() => passFocus(), [rows, current?.index]);
  const move = (by: number) => focusRow(current === undefined ? 0 : current.index + by);
  // Arrows, Home, End and Enter have their own meaning in most other focusable elements.
  const nowhereElse = ({ target }: KeyboardEvent) =>
    target instanceof Element &&
    (box.current?.contains(target) === true ||
      (primary && (target === document.body || target.matches("#place, [data-acts-in], h1, h2, h3"))));
  useKeys("Lists", [
    { keys: ["j"], label: "Next row", repeats: true, enabled: primary, run: () => move(1) },
    { keys: ["k"], label: "Previous row", repeats: true, enabled: primary, run: () => move(-1) },
    { keys: ["down"], label: "Next row", repeats: true, when: nowhereElse, run: () => move(1) },
    { keys: ["up"], label: "Previous row", repeats: true, when: nowhereElse, run: () => move(-1) },
    { keys: ["home"], label: "First row", when: nowhereElse, run: () => focusRow(0) },
    { keys: ["end"], label: "Last loaded row", when: nowhereElse, run: () => focusRow(items.length - 1) },
    {
      keys: ["enter"],
      label: "Open row",
      // Enter on a button presses the button.
      when: (event) => nowhereElse(event) && !(event.target instanceof Element && event.target.closest("button")),
      run: () => {
        const href = current && hrefOf(current.item);
        // Enter on the open row moves the focus into its detail.
        if (primary && current?.key === selected) document.querySelector<HTMLElement>("[data-acts-in]")?.focus();
        else if (href) navigate(href);
      },
    },
  ]);

  return {
    rows,
    visibleRows,
    height: virtual.getTotalSize(),
    isReachable: (key: string, index: number) => (current === undefined ? index === 0 : key === active),
    setActive,
    scroller: {
      ref: box,
      className: `scroll ${styles.scroll}`,
      onPointerOver: showWhole,
      // React reports no blur of a removed row, so it still counts.
      onFocus: () => {
        hasFocus.current = true;
      },
      onBlur: () => {
        hasFocus.current = false;
      },
      onScroll: () => {
        const top = box.current?.scrollTop ?? 0;
        setScrolled(top > 4);
        if (isTable) leftAt.set(name, top);
      },
    },
    arrived: waiting > 0 && (
      <Arrived
        count={`${formatCount(waiting)}${gap ? "+" : ""}`}
        onShow={() => {
          renew?.();
          virtual.scrollToOffset(0);
          setScrolled(false);
        }}
      />
    ),
  };
};

/** Sets a tooltip with the full text on a cut cell under the pointer. */
const showWhole = ({ target }: PointerEvent) => {
  const cut =
    target instanceof Element ? target.closest<HTMLElement>("[data-truncate], .cut, td, th, .li-detail") : null;
  if (cut === null || cut.scrollWidth <= cut.clientWidth) return;
  if (cut.title === cut.dataset.whole || cut.closest("[title]") === null)
    cut.dataset.whole = cut.title = cut.innerText.replace(/\s+/g, " ");
};

/** A button with the number of new rows above; it shows them. */
export const Arrived = ({ count, onShow }: { count: string; onShow: () => void }) => (
  <Button
    size="xs"
    radius="xl"
    className={styles.arrived}
    rightSection={<Icon of={IconChevronUp} size={12} />}
    onClick={onShow}
  >
    {count} new
  </Button>
);

/** The number of rows: "46", "500+". */
export const Count = ({ of }: { of: Total }) =>
  of.total_is_minimum ? (
    <>
      <span aria-hidden="true">{formatTotal(of)}</span>
      <span className="sr">at least {formatCount(of.total)}</span>
    </>
  ) : (
    formatTotal(of)
  );

/** The rows, or a state instead: loading, failed, empty. */
const Frame = <T,>({
  of,
  what,
  empty,
  children,
}: Pick<Shared<T>, "of" | "what" | "empty"> & { children: ReactNode }) => {
  const body = of.items.length === 0 ? empty : children;
  return (
    <div className={styles.frame} aria-busy={of.read?.isPlaceholderData}>
      {of.read ? (
        <Read of={of.read} what={what} rows={8}>
          {() => body}
        </Read>
      ) : (
        body
      )}
    </div>
  );
};

const sizeOf = ({ items, counted }: ListSource<unknown>): number => {
  if (counted === undefined) return items.length;
  return counted.total_is_minimum ? -1 : counted.total;
};

interface RowProps<T> {
  readonly item: T;
  readonly rowKey: string;
  readonly href: string | null;
  readonly isReachable: boolean;
  /** True if a navigation opened it. */
  readonly isOpen: boolean;
  readonly onFocus: (key: string) => void;
}

const RowBody = <T,>({
  item,
  rowKey,
  href,
  isReachable,
  isOpen,
  isMarked,
  onFocus,
  onChoose,
  render,
}: RowProps<T> & {
  readonly isMarked: boolean;
  readonly onChoose: ((item: T) => void) | undefined;
  readonly render: (item: T) => ReactNode;
}) => {
  const shared = {
    ref: isOpen ? focusOpenItem : undefined,
    className: `li ${styles.open}${isMarked ? " sel" : ""}`,
    "data-key": rowKey,
    tabIndex: isReachable ? 0 : -1,
    "aria-current": isMarked ? ("true" as const) : undefined,
    onFocus: () => onFocus(rowKey),
    children: render(item),
  };
  return href === null ? (
    <button type="button" {...shared} onClick={() => onChoose?.(item)} />
  ) : (
    <Link href={href} {...shared} />
  );
};
const Row = memo(RowBody) as typeof RowBody;

const Rows = <T,>({ of, label, keyOf, render, rowHeight, selected = null, ...more }: ListProps<T>) => {
  const usual = useRowHeight("two");
  const { marked = selected, groupOf, renderGroup, primary = true, onChoose } = more;
  const hrefOf = (item: T) => more.hrefOf?.(item) ?? null;
  const list = useRows({ of, keyOf, hrefOf, rowHeight: rowHeight ?? usual, selected, groupOf, primary });
  const size = sizeOf(of);
  return (
    <>
      {list.arrived}
      <div {...list.scroller}>
        <ul aria-label={label} style={{ height: list.height }}>
          {list.visibleRows.map((at) => {
            const row = list.rows[at.index];
            if (!row) return null;
            const place = { height: at.size, transform: `translateY(${at.start}px)` };
            if (row.kind === "group")
              return (
                <li key={row.key} className={`${styles.row} ${styles.group}`} style={place}>
                  {renderGroup?.(row.group) ?? row.group}
                </li>
              );
            return (
              <li key={row.key} className={styles.row} style={place} aria-setsize={size} aria-posinset={row.index + 1}>
                <Row
                  item={row.item}
                  rowKey={row.key}
                  href={hrefOf(row.item)}
                  isReachable={list.isReachable(row.key, row.index)}
                  isOpen={primary && row.key === selected}
                  isMarked={row.key === marked}
                  onFocus={list.setActive}
                  onChoose={onChoose}
                  render={render}
                />
              </li>
            );
          })}
        </ul>
      </div>
    </>
  );
};

/**
 * A virtualised list of any length. New rows flow in at the top until the user scrolls or selects; then they wait
 * behind a button.
 */
export const List = <T,>(props: ListProps<T>) => (
  <Frame of={props.of} what={props.what} empty={props.empty}>
    <Rows {...props} />
  </Frame>
);

/** A click beside the link opens the row too, but not while selecting text or asking for another window. */
const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 &&
  !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) &&
  !(event.target instanceof Element && event.target.closest("a, button") !== null) &&
  window.getSelection()?.isCollapsed !== false;

const LineBody = <T,>({
  item,
  rowKey,
  index,
  href,
  isReachable,
  isOpen,
  columns: [name, ...columns],
  onFocus,
  onOpen,
}: RowProps<T> & {
  readonly href: string;
  readonly index: number;
  readonly columns: readonly ListColumn<T>[];
  readonly onOpen: (href: string) => void;
}) => (
  <tr aria-rowindex={index + 2} onClick={(event) => isPlainClick(event) && onOpen(href)}>
    <th scope="row">
      <Link
        ref={isOpen ? focusOpenItem : undefined}
        href={href}
        className={styles.name}
        data-key={rowKey}
        tabIndex={isReachable ? 0 : -1}
        onFocus={() => onFocus(rowKey)}
      >
        {name?.cell(item)}
      </Link>
    </th>
    {columns.map(({ head, right, cell }) => (
      <td key={head} className={right ? styles.right : undefined}>
        {cell(item)}
      </td>
    ))}
  </tr>
);
const Line = memo(LineBody) as typeof LineBody;

const Space = ({ height, across }: { height: number; across: number }) =>
  height > 0 ? (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a spacer row can't have focus
    <tr aria-hidden="true">
      <td colSpan={across} className={styles.space} style={{ height }} />
    </tr>
  ) : null;

const Lines = <T,>({ of, label, keyOf, hrefOf, columns, from }: TableListProps<T>) => {
  const [, navigate] = useLocation();
  const list = useRows({ of, keyOf, hrefOf, rowHeight: useRowHeight("table"), from, isTable: true });
  const size = sizeOf(of);
  const { visibleRows } = list;
  return (
    <>
      {list.arrived}
      <div {...list.scroller}>
        <Table
          className={styles.table ?? ""}
          aria-label={label}
          aria-rowcount={size < 0 ? size : size + 1}
          style={{ minWidth: columns.reduce((sum, { width }) => sum + width, 0) }}
        >
          <colgroup>
            {columns.map(({ head, width }) => (
              <col key={head} style={{ width }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map(({ head, right, sorter = head, sorted }) => (
                <th key={head} scope="col" className={right ? styles.right : undefined} aria-sort={sorted}>
                  {sorter}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Space height={visibleRows[0]?.start ?? 0} across={columns.length} />
            {visibleRows.map(({ index }) => {
              const row = list.rows[index];
              return row?.kind === "item" ? (
                <Line
                  key={row.key}
                  item={row.item}
                  rowKey={row.key}
                  index={row.index}
                  href={hrefOf(row.item)}
                  isReachable={list.isReachable(row.key, row.index)}
                  isOpen={row.key === from}
                  columns={columns}
                  onFocus={list.setActive}
                  onOpen={navigate}
                />
              ) : null;
            })}
            <Space height={list.height - (visibleRows.at(-1)?.end ?? 0)} across={columns.length} />
          </tbody>
        </Table>
      </div>
    </>
  );
};

/** A list as a table over a whole place. It restores its scroll position. */
export const TableList = <T,>(props: TableListProps<T>) => (
  <Frame of={props.of} what={props.what} empty={props.empty}>
    <Lines {...props} />
  </Frame>
);
