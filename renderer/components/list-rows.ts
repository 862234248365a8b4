import { type RefObject, useLayoutEffect, useRef } from "react";

export const GROUP_HEIGHT = 28;

type ListRowOf<T> =
  | { readonly kind: "item"; readonly key: string; readonly item: T; readonly index: number }
  | { readonly kind: "group"; readonly key: string; readonly group: string };

/** Returns the items with a head before each new group, and the row of each item. */
export const listRows = <T>(items: readonly T[], keyOf: (item: T) => string, groupOf?: (item: T) => string) => {
  const rows: ListRowOf<T>[] = [];
  const positions = new Map<string, number>();
  let current: string | null = null;
  items.forEach((item, index) => {
    const group = groupOf?.(item);
    if (group !== undefined && group !== current) {
      rows.push({ kind: "group", key: `group:${group}:${index}`, group });
      current = group;
    }
    const key = keyOf(item);
    positions.set(key, rows.length);
    rows.push({ kind: "item", key, item, index });
  });
  return { rows, positions };
};

type Rows = readonly ListRowOf<unknown>[];

const heightOf = (row: Rows[number], rowHeight: number) => (row.kind === "group" ? GROUP_HEIGHT : rowHeight);

/**
 * Returns how many pixels the content above the first visible row grew. Scroll by this amount to keep the row in place.
 * A removed row isn't an anchor; the next remaining one is used.
 */
export const anchorShift = (before: Rows, after: Rows, scrollTop: number, rowHeight: number): number => {
  const tops = new Map<string, number>();
  let top = 0;
  for (const row of after) {
    if (row.kind === "item") tops.set(row.key, top);
    top += heightOf(row, rowHeight);
  }
  top = 0;
  for (const row of before) {
    const now = tops.get(row.key);
    if (row.kind === "item" && top + rowHeight > scrollTop && now !== undefined) return now - top;
    top += heightOf(row, rowHeight);
  }
  return 0;
};

/**
 * Keeps the visible rows in place when rows above them come or go. Another `name` is another list and starts at its
 * top.
 */
export const useScrollAnchor = (
  box: RefObject<HTMLElement | null>,
  rows: Rows,
  rowHeight: number,
  name: string,
): void => {
  const last = useRef({ rows, name });
  useLayoutEffect(() => {
    const element = box.current;
    const before = last.current;
    last.current = { rows, name };
    // At the top, new rows should be visible.
    if (!element || before.rows === rows || element.scrollTop <= 4) return;
    element.scrollTop =
      before.name === name ? element.scrollTop + anchorShift(before.rows, rows, element.scrollTop, rowHeight) : 0;
  }, [box, rows, rowHeight, name]);
};
