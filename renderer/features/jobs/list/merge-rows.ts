import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { JobFilter } from "./address.ts";

/** A page of the list as the service answers it. */
export interface RowPage {
  readonly items: readonly JobRow[];
  readonly next_cursor: string | null;
  readonly total: number;
  readonly total_is_minimum: boolean;
}

/** What is known to have happened: how rows are now, which are no longer in the list, and how many there are. */
export interface RowChanges extends Pick<RowPage, "total" | "total_is_minimum"> {
  readonly rows: readonly JobRow[];
  readonly gone: readonly string[];
}

type Order = Pick<JobFilter, "sort" | "direction">;

const keyOf = (row: JobRow, { sort }: Order): string => {
  if (sort === "job_number") return row.job_number ?? "";
  return sort === "created" ? row.created_at : row.updated_at;
};

const compared = (row: JobRow, other: JobRow, order: Order): number => {
  const [a, b] = [keyOf(row, order), keyOf(other, order)];
  if (a === b) return 0;
  return a < b === (order.direction === "asc") ? -1 : 1;
};

/** Whether a row that came now stands before another one; of equals it is the later one. */
const comesBefore = (row: JobRow, other: JobRow, order: Order): boolean => {
  const sign = compared(row, other, order);
  return sign < 0 || (sign === 0 && order.direction === "desc");
};

/** Two lists in the same order as one. */
const woven = (rows: readonly JobRow[], fresh: readonly JobRow[], order: Order): JobRow[] => {
  const list: JobRow[] = [];
  let next = 0;
  for (const row of rows) {
    for (let one = fresh[next]; one && comesBefore(one, row, order); one = fresh[next]) {
      list.push(one);
      next += 1;
    }
    list.push(row);
  }
  return [...list, ...fresh.slice(next)];
};

/**
 * The loaded rows after changes: changed ones at the place they have now, new ones where they belong, gone ones gone.
 * What belongs behind the last loaded row comes with a later page. All rows are then in the first page.
 */
export const mergedPages = <P extends RowPage>(
  pages: readonly P[],
  { rows, gone, total, total_is_minimum }: RowChanges,
  order: Order,
): readonly P[] => {
  const [first, ...others] = pages;
  const last = pages.at(-1);
  if (!first || !last) return pages;
  const changed = new Set([...rows.map(({ id }) => id), ...gone]);
  const all = pages.flatMap(({ items }) => items);
  const end = all.at(-1);
  const isWhole = last.next_cursor === null;
  const stayed = all.filter(({ id }) => !changed.has(id));
  const belongs = (row: JobRow) => isWhole || end === undefined || row.id === end.id || comesBefore(row, end, order);
  const fresh = rows.filter(belongs).toSorted((a, b) => compared(a, b, order));
  const items = woven(stayed, fresh, order);
  return [{ ...first, items, total, total_is_minimum }, ...others.map((page) => ({ ...page, items: [] }))];
};
