import { IconChevronUp } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { formatCount } from "../lib/formatting.ts";
import { useHeldBack } from "./held-back.ts";
import { Icon } from "./icon.tsx";
import { useScrollAnchor } from "./scroll-anchor.ts";
import { useKeys } from "./use-keys.ts";
import { GROUP_HEIGHT, listRows } from "./virtual-rows.ts";

interface VirtualListProps<T> {
  /** What the list holds, for screen readers: "Jobs". */
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** The detail's address; a row is a link to it. */
  readonly hrefOf: (item: T) => string;
  /** The inside of a row: two lines of two cells (see ListRow), or anything of the row's height. */
  readonly render: (item: T) => ReactNode;
  readonly selected?: string | null;
  /** What the list is filtered by; another text is another list, and nothing is held back across. */
  readonly filter?: string;
  readonly rowHeight?: number;
  /** How many there are in all, when not all are loaded. */
  readonly total?: number;
  readonly onEndReached?: () => void;
  /** Told whether the list is held still: it is scrolled, or one of its rows is selected. */
  readonly onHold?: ((holding: boolean) => void) | undefined;
  /** Whether more came in above than is among the items. */
  readonly gap?: boolean;
  /** Items that follow each other with the same group get a head. */
  readonly groupOf?: (item: T) => string;
  readonly renderGroup?: (group: string) => ReactNode;
  /** j/k and arrows work from anywhere on the page; off when a place has a second list. */
  readonly primary?: boolean;
}

/**
 * A list of any length of which only the rows in sight are drawn. New rows flow in at the top until the person
 * scrolls or selects; then they wait behind a pill.
 */
export const VirtualList = <T,>(props: VirtualListProps<T>) => {
  const {
    label,
    items,
    keyOf,
    hrefOf,
    render,
    selected = null,
    filter = "",
    rowHeight = 48,
    total,
    onEndReached,
    onHold,
    gap = false,
    groupOf,
    renderGroup,
    primary = true,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState(false);
  const [active, setActive] = useState<string | null>(selected);
  const [, navigate] = useLocation();
  const holding = scrolled || selected !== null;
  const { shown, waiting, release } = useHeldBack(items, keyOf, holding, filter, selected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another list, which is held anew
  useEffect(() => onHold?.(holding), [onHold, holding, filter]);
  const { rows, positions } = useMemo(() => listRows(shown, keyOf, groupOf), [shown, keyOf, groupOf]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    overscan: 8,
    estimateSize: (index) => (rows[index]?.kind === "group" ? GROUP_HEIGHT : rowHeight),
    getItemKey: (index) => rows[index]?.key ?? index,
  });
  const drawn = virtual.getVirtualItems();
  /** Brings a row into sight; the first of a group with its head when that is above. */
  const reveal = (index: number) => {
    const top = virtual.measurementsCache[index]?.start ?? 0;
    const headed = rows[index - 1]?.kind === "group" && top < (virtual.scrollOffset ?? 0) + GROUP_HEIGHT;
    virtual.scrollToIndex(headed ? index - 1 : index, { align: "auto" });
  };
  useScrollAnchor(box, rows, rowHeight, filter);

  const lastDrawn = drawn.at(-1)?.index ?? -1;
  const nearEnd = rows.length > 0 && lastDrawn >= rows.length - 10;
  useEffect(() => {
    if (nearEnd && onEndReached && (total === undefined || total > items.length)) onEndReached();
  }, [nearEnd, onEndReached, total, items.length]);
  useEffect(() => setActive(selected), [selected]);
  const selectedRow = selected === null ? undefined : positions.get(selected);
  const selectedItem = rows[selectedRow ?? -1];
  const selectedHref = selectedItem?.kind === "item" ? hrefOf(selectedItem.item) : null;
  const shownSelected = useRef<string | null>(null);
  const latestReveal = useRef(reveal);
  latestReveal.current = reveal;
  useEffect(() => {
    // An address that is opened, or a selection made elsewhere: once for each, so that scrolling away stays possible,
    // also when the row goes somewhere else in the list.
    if (selectedRow === undefined || shownSelected.current === selectedHref) return;
    shownSelected.current = selectedHref;
    latestReveal.current(selectedRow);
  }, [selectedRow, selectedHref]);

  const focusRow = (index: number) => {
    const item = shown[index];
    if (item === undefined) return;
    const key = keyOf(item);
    setActive(key);
    reveal(positions.get(key) ?? 0);
    const rowElement = () => box.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    const drawnAlready = rowElement();
    if (drawnAlready) drawnAlready.focus();
    else requestAnimationFrame(() => rowElement()?.focus());
  };
  const activeIndex = active === null ? -1 : shown.findIndex((item) => keyOf(item) === active);
  const move = (by: number) =>
    focusRow(Math.min(shown.length - 1, Math.max(0, activeIndex < 0 ? 0 : activeIndex + by)));
  // Arrows, Home, End and Enter mean something else in most other things that can have the focus.
  const nowhereElse = ({ target }: KeyboardEvent) =>
    target instanceof Node &&
    (box.current?.contains(target) === true ||
      (primary && (target === document.body || (target instanceof Element && target.matches("#place, h1, h2, h3")))));
  const open = () => {
    const item = shown[activeIndex];
    if (item !== undefined) navigate(hrefOf(item));
  };
  useKeys("Lists", [
    { keys: ["j"], label: "Next row", enabled: primary, run: () => move(1) },
    { keys: ["k"], label: "Previous row", enabled: primary, run: () => move(-1) },
    { keys: ["down"], label: "Next row", when: nowhereElse, run: () => move(1) },
    { keys: ["up"], label: "Previous row", when: nowhereElse, run: () => move(-1) },
    { keys: ["home"], label: "First row", when: nowhereElse, run: () => focusRow(0) },
    { keys: ["end"], label: "Last loaded row", when: nowhereElse, run: () => focusRow(shown.length - 1) },
    { keys: ["enter"], label: "Open the row", when: nowhereElse, run: open },
  ]);

  return (
    <div className="vlist">
      {waiting > 0 && (
        <button
          type="button"
          className="newbar"
          onClick={() => {
            release();
            onHold?.(false);
            onHold?.(selected !== null);
            virtual.scrollToOffset(0);
            setScrolled(false);
          }}
        >
          {formatCount(waiting)}
          {gap && "+"} new <Icon of={IconChevronUp} size={12} />
        </button>
      )}
      <div ref={box} className="vlist-scroll" onScroll={(event) => setScrolled(event.currentTarget.scrollTop > 4)}>
        <ul aria-label={label} style={{ height: virtual.getTotalSize() }}>
          {drawn.map(({ index, start, size }) => {
            const row = rows[index];
            if (!row) return null;
            const place = { height: size, transform: `translateY(${start}px)` };
            if (row.kind === "group")
              return (
                <li key={row.key} className="vrow grp" style={place}>
                  {renderGroup?.(row.group) ?? row.group}
                </li>
              );
            const isSelected = row.key === selected;
            const reachable = active === null || activeIndex < 0 ? row.index === 0 : row.key === active;
            return (
              <li
                key={row.key}
                className="vrow"
                style={place}
                aria-setsize={total ?? shown.length}
                aria-posinset={row.index + 1}
              >
                <Link
                  href={hrefOf(row.item)}
                  className={`li${isSelected ? " sel" : ""}`}
                  data-key={row.key}
                  tabIndex={reachable ? 0 : -1}
                  aria-current={isSelected ? "true" : undefined}
                  onFocus={() => setActive(row.key)}
                >
                  {render(row.item)}
                </Link>
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
};
