import { type RefObject, useLayoutEffect, useRef, useState } from "react";

export const GROUP_HEIGHT = 28;

export type ListRowOf<T> =
  | { readonly kind: "item"; readonly key: string; readonly item: T; readonly index: number }
  | { readonly kind: "group"; readonly key: string; readonly group: string };

/** Items with a head in front of each new group, and where each item's row is. */
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

interface HeldBack<T> {
  readonly shown: readonly T[];
  /** How many rows came in above and wait. */
  readonly waiting: number;
}

/**
 * Keeps a list still while someone reads it: rows already shown keep their order, rows that vanish vanish, rows that
 * come in between or above wait, and rows appended at the end (a further page) are shown. The `selected` row is shown
 * wherever it came in, behind the row it follows.
 */
export const holdBack = <T>(
  shownKeys: readonly string[],
  items: readonly T[],
  keyOf: (item: T) => string,
  selected: string | null = null,
): HeldBack<T> => {
  const known = new Set(shownKeys);
  const present = new Map(items.map((item) => [keyOf(item), item]));
  const lastKnown = items.findLastIndex((item) => known.has(keyOf(item)));
  if (lastKnown < 0) return { shown: items, waiting: 0 };
  const kept = shownKeys.flatMap((key) => {
    const item = present.get(key);
    return item === undefined ? [] : [item];
  });
  const appended = items.slice(lastKnown + 1).filter((item) => !known.has(keyOf(item)));
  const unknown = items.slice(0, lastKnown).filter((item) => !known.has(keyOf(item)));
  const shown = [...kept, ...appended];
  const followed = unknown.findIndex((item) => keyOf(item) === selected);
  const item = unknown[followed];
  if (item === undefined) return { shown, waiting: unknown.length };
  const before = items.slice(0, items.indexOf(item)).findLast((other) => known.has(keyOf(other)));
  shown.splice(before === undefined ? 0 : shown.indexOf(before) + 1, 0, item);
  return { shown, waiting: unknown.length - 1 };
};

interface Held<T> extends HeldBack<T> {
  readonly of: readonly T[];
  readonly name: string;
  readonly holding: boolean;
  readonly selected: string | null;
}

/**
 * Holds new rows back while `holding`; `release` shows them. Another `name` is another list. A row that is `selected` is
 * never held back.
 */
export const useHeldBack = <T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  name: string,
  holding: boolean,
  selected: string | null,
) => {
  const all = { of: items, name, holding, selected, shown: items, waiting: 0 };
  const [last, setLast] = useState<Held<T>>(all);
  let held = last;
  // A list is drawn with every step of scrolling; what is shown changes only with what it is made of.
  if (last.of !== items || last.name !== name || last.holding !== holding || last.selected !== selected) {
    const isStill = holding && last.name === name && last.shown.length > 0;
    held = isStill ? { ...all, ...holdBack(last.shown.map(keyOf), items, keyOf, selected) } : all;
    setLast(held);
  }
  return { shown: held.shown, waiting: held.waiting, release: () => setLast(all) };
};

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

/** Rows that come or go above what is in sight do not move it. Another `name` is another list, seen from its top. */
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
    // At the very top new rows are to be seen, not pushed out of sight.
    if (!element || before.rows === rows || element.scrollTop <= 4) return;
    element.scrollTop =
      before.name === name ? element.scrollTop + anchorShift(before.rows, rows, element.scrollTop, rowHeight) : 0;
  }, [box, rows, rowHeight, name]);
};
