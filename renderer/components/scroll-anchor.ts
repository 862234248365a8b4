import { type RefObject, useLayoutEffect, useRef } from "react";
import { GROUP_HEIGHT, type ListRowOf } from "./virtual-rows.ts";

type Rows = readonly ListRowOf<unknown>[];

const heightOf = (row: Rows[number], rowHeight: number) => (row.kind === "group" ? GROUP_HEIGHT : rowHeight);

/**
 * By how many pixels the content above the first row in sight grew: what the scroll position has to follow so that the
 * row stays where it is. A row that is gone is no anchor; the next one that stayed is.
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

/** Rows that come or go above what is in sight do not move it. Another `filter` is another list, seen from its top. */
export const useScrollAnchor = (
  box: RefObject<HTMLElement | null>,
  rows: Rows,
  rowHeight: number,
  filter: string,
): void => {
  const last = useRef({ rows, filter });
  useLayoutEffect(() => {
    const element = box.current;
    const { rows: before, filter: filteredBy } = last.current;
    last.current = { rows, filter };
    // At the very top new rows are to be seen, not pushed out of sight.
    if (!element || before === rows || element.scrollTop <= 4) return;
    element.scrollTop =
      filteredBy === filter ? element.scrollTop + anchorShift(before, rows, element.scrollTop, rowHeight) : 0;
  }, [box, rows, rowHeight, filter]);
};
