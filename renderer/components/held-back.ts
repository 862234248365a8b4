import { useReducer, useRef } from "react";

export interface HeldBack<T> {
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

interface Asked {
  readonly items: readonly unknown[];
  readonly still: boolean;
  readonly filter: string;
  readonly selected: string | null;
}

const isSame = (one: Asked, other: Asked): boolean =>
  one.items === other.items &&
  one.still === other.still &&
  one.filter === other.filter &&
  one.selected === other.selected;

/**
 * Holds new rows back while `holding`; `release` shows them. `filter` names what the list shows: another filter is
 * another list. A row that is `selected` is never held back.
 */
export const useHeldBack = <T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  holding: boolean,
  filter: string,
  selected: string | null,
) => {
  const keys = useRef<{ filter: string; shown: readonly string[] }>({ filter, shown: [] });
  const [, render] = useReducer((count: number) => count + 1, 0);
  const still = holding && keys.current.filter === filter && keys.current.shown.length > 0;
  const asked = { items, still, filter, selected };
  // A list is drawn with every step of scrolling; what is shown changes only with what it is made of.
  const last = useRef<(typeof asked & { readonly held: HeldBack<T> }) | null>(null);
  if (!last.current || !isSame(last.current, asked)) {
    const held = still ? holdBack(keys.current.shown, items, keyOf, selected) : { shown: items, waiting: 0 };
    last.current = { ...asked, held };
    keys.current = { filter, shown: held.shown.map(keyOf) };
  }
  const release = () => {
    keys.current = { filter, shown: [] };
    render();
  };
  return { ...last.current.held, release };
};
