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
import { opensAt } from "../lib/focus.ts";
import { formatCount, formatTotal, type Total } from "../lib/formatting.ts";
import { Icon } from "./icon.tsx";
import styles from "./list.module.css";
import { GROUP_HEIGHT, listRows, useScrollAnchor } from "./list-rows.ts";
import { Read, type Reading } from "./read.tsx";
import { useKeys } from "./use-keys.ts";
import { useRowHeight } from "./window-context.ts";

/** Where the rows of a list come from. What is read page by page and stays up to date is made by `useLiveList`. */
export interface ListSource<T> {
  readonly items: readonly T[];
  /** Another name is another list, seen from its top. */
  readonly name: string;
  /** The query behind it; left out where the rows are there already. */
  readonly read?: Reading<unknown> & { readonly isPlaceholderData?: boolean };
  /** How many there are in all, where not all are loaded. */
  readonly counted?: Total | undefined;
  /** How many rows came in above since it is held still, and wait. */
  readonly waiting?: number;
  /** Whether more came in than is known of. */
  readonly gap?: boolean;
  /** Reads the next page; undefined where there is none, or not now. */
  readonly more?: (() => void) | undefined;
  /** Told whether it is to be held still: it is scrolled, or one of its rows is selected, which never waits. */
  readonly hold?: (holding: boolean, selected: string | null) => void;
  /** Shows what waits. */
  readonly renew?: () => void;
}

interface Shared<T> {
  readonly of: ListSource<T>;
  /** What the list holds, for screen readers: "Jobs". */
  readonly label: string;
  /** The same to whoever waits for it: "the jobs". */
  readonly what: string;
  /** In the place of a list without rows. */
  readonly empty: ReactNode;
  readonly keyOf: (item: T) => string;
}

export interface ListProps<T> extends Shared<T> {
  /** The address of the detail, to which a row is a link; null: it leads to none. */
  readonly hrefOf?: (item: T) => string | null;
  /** What a row does where it leads to no address of its own. */
  readonly onChoose?: (item: T) => void;
  /** The inside of a row: two lines of two cells (see ListRow), or anything of the row's height. */
  readonly render: (item: T) => ReactNode;
  readonly rowHeight?: number;
  /** The row that was chosen; while there is one, the list is held still. */
  readonly selected?: string | null;
  /** The row that is marked, where that is not the selected one alone. */
  readonly marked?: string | null;
  /** Items that follow each other with the same group get a head. */
  readonly groupOf?: ((item: T) => string) | undefined;
  readonly renderGroup?: (group: string) => ReactNode;
  /** j/k and arrows work from anywhere on the page; off where a place has a second list. */
  readonly primary?: boolean;
}

export interface ListColumn<T> {
  readonly name: string;
  readonly head: ReactNode;
  /** In pixels; what is left over is shared. */
  readonly width: number;
  readonly right?: boolean;
  /** How the list is sorted by it, where it can be. */
  readonly sorted?: "ascending" | "descending" | "none";
  /** That of the first column is the name of the row, and its link. */
  readonly cell: (item: T) => ReactNode;
}

interface TableListProps<T> extends Shared<T> {
  readonly hrefOf: (item: T) => string;
  readonly columns: readonly ListColumn<T>[];
  /** The row one comes back from: keys go on from it. */
  readonly from: string | null;
}

/** Further pages are asked for when so few rows are left below. */
const AHEAD = 20;

/**
 * Tells how high the list is, before it is painted and after each change. The library's own way asks at once, for which
 * the browser has to lay the page out twice.
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

/** Scrolls where it is not already; the library does so when it begins, for which the page would be laid out at once. */
const scrollTo: typeof elementScroll<HTMLDivElement> = (offset, how, list) => {
  if (offset + (how.adjustments ?? 0) !== list.scrollOffset) elementScroll(offset, how, list);
};

/** Where each table was left, by its name: whoever comes back from a row finds it in sight. */
const leftAt = new Map<string, number>();

interface Walked<T> extends Pick<ListProps<T>, "of" | "keyOf" | "selected" | "groupOf" | "primary"> {
  /** Where an item is opened; null where that is nowhere else. */
  readonly hrefOf: (item: T) => string | null;
  readonly rowHeight: number;
  readonly from?: string | null;
  /** Whether it is seen from where it was left, and has a line of heads above. */
  readonly isTable?: boolean;
}

/** Draws the rows in sight of a list of any length, says when they are to be held still, and walks through them. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is held anew
  useEffect(() => tellHolding(holding, selected), [holding, selected, name]);
  const { rows, positions } = useMemo(() => listRows(items, keyOf, groupOf), [items, keyOf, groupOf]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    overscan: 4,
    // Until it is known how high the list is, no row that may be in sight is missing.
    initialRect: { width: 0, height: window.innerHeight },
    observeElementRect: observeHeight,
    scrollToFn: scrollTo,
    estimateSize: (index) => (rows[index]?.kind === "group" ? GROUP_HEIGHT : rowHeight),
    getItemKey: (index) => rows[index]?.key ?? index,
    initialOffset: left,
    scrollPaddingEnd: isTable ? rowHeight : 0,
  });
  // What it measured it keeps, whatever rows are to be now.
  const measuredAs = useRef(rowHeight);
  useLayoutEffect(() => {
    if (measuredAs.current === rowHeight) return;
    measuredAs.current = rowHeight;
    virtual.measure();
  }, [rowHeight, virtual]);
  const drawn = virtual.getVirtualItems();
  useScrollAnchor(box, rows, rowHeight, name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it was left is asked once for each list
  useLayoutEffect(() => {
    if (box.current && left > 0) box.current.scrollTop = left;
  }, [name]);

  const nearEnd = rows.length > 0 && (drawn.at(-1)?.index ?? -1) >= rows.length - AHEAD;
  const canRead = more !== undefined;
  const readMore = useEffectEvent(() => more?.());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that came in may not be enough
  useEffect(() => {
    if (nearEnd && canRead) readMore();
  }, [nearEnd, canRead, rows.length]);

  /** Brings a row into sight; the first of a group with its head when that is above. */
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
    // Once for each: scrolling away stays possible, also when the row goes somewhere else in the list.
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
  const move = (by: number) => focusRow(current === undefined ? 0 : current.index + by);
  // Arrows, Home, End and Enter mean something else in most other things that can have the focus.
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
      // A button does what it says.
      when: (event) => nowhereElse(event) && !(event.target instanceof Element && event.target.closest("button")),
      run: () => {
        const href = current && hrefOf(current.item);
        // Again on what is open already, it leads into that.
        if (primary && current?.key === selected) document.querySelector<HTMLElement>("[data-acts-in]")?.focus();
        else if (href) navigate(href);
      },
    },
  ]);

  return {
    rows,
    drawn,
    height: virtual.getTotalSize(),
    isReachable: (key: string, index: number) => (current === undefined ? index === 0 : key === active),
    setActive,
    scroller: {
      ref: box,
      className: `scroll ${styles.scroll}`,
      onPointerOver: showWhole,
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

/** What is cut for want of room shows the whole of itself under the pointer. */
const showWhole = ({ target }: PointerEvent) => {
  const cut =
    target instanceof Element ? target.closest<HTMLElement>("[data-truncate], .cut, td, th, .li-detail") : null;
  if (cut === null || cut.scrollWidth <= cut.clientWidth) return;
  if (cut.title === cut.dataset.whole || cut.closest("[title]") === null)
    cut.dataset.whole = cut.title = cut.innerText.replace(/\s+/g, " ");
};

/** How many rows came in above what is being read; pressed, it shows them. */
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

/** How many rows there are: "46", "500+". */
export const Count = ({ of }: { of: Total }) =>
  of.total_is_minimum ? (
    <>
      <span aria-hidden="true">{formatTotal(of)}</span>
      <span className="sr">at least {formatCount(of.total)}</span>
    </>
  ) : (
    formatTotal(of)
  );

/** The rows, or what stands in their place: loading, failing, none. */
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
  /** Whether a step led to it. */
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
    ref: isOpen ? opensAt : undefined,
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
          {list.drawn.map((at) => {
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
 * A list of any length of which only the rows in sight are drawn. New rows flow in at the top until the person scrolls
 * or selects; then they wait behind a button.
 */
export const List = <T,>(props: ListProps<T>) => (
  <Frame of={props.of} what={props.what} empty={props.empty}>
    <Rows {...props} />
  </Frame>
);

/** A click beside the link opens the row too; whoever selects text or wants another window is left alone. */
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
        ref={isOpen ? opensAt : undefined}
        href={href}
        className={styles.name}
        data-key={rowKey}
        tabIndex={isReachable ? 0 : -1}
        onFocus={() => onFocus(rowKey)}
      >
        {name?.cell(item)}
      </Link>
    </th>
    {columns.map(({ name, right, cell }) => (
      <td key={name} className={right ? styles.right : undefined}>
        {cell(item)}
      </td>
    ))}
  </tr>
);
const Line = memo(LineBody) as typeof LineBody;

const Space = ({ height, across }: { height: number; across: number }) =>
  height > 0 ? (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row that only takes room cannot have the focus
    <tr aria-hidden="true">
      <td colSpan={across} className={styles.space} style={{ height }} />
    </tr>
  ) : null;

const Lines = <T,>({ of, label, keyOf, hrefOf, columns, from }: TableListProps<T>) => {
  const [, navigate] = useLocation();
  const list = useRows({ of, keyOf, hrefOf, rowHeight: useRowHeight("table"), from, isTable: true });
  const size = sizeOf(of);
  const { drawn } = list;
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
            {columns.map(({ name, width }) => (
              <col key={name} style={{ width }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map(({ name, head, right, sorted }) => (
                <th key={name} scope="col" className={right ? styles.right : undefined} aria-sort={sorted}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Space height={drawn[0]?.start ?? 0} across={columns.length} />
            {drawn.map(({ index }) => {
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
            <Space height={list.height - (drawn.at(-1)?.end ?? 0)} across={columns.length} />
          </tbody>
        </Table>
      </div>
    </>
  );
};

/** The same as a table over a whole place. It is seen from where it was left. */
export const TableList = <T,>(props: TableListProps<T>) => (
  <Frame of={props.of} what={props.what} empty={props.empty}>
    <Lines {...props} />
  </Frame>
);
