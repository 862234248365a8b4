import type { Database } from "./database.ts";
import { reachesIds } from "./search-grams.ts";
import type { SearchIndex } from "./search-index.ts";
import { containing, type SearchList } from "./search-lists.ts";
import { First, type Found, type Order, type SortKey } from "./search-order.ts";

/** So many rows that match are counted and sorted; when there are more, the newest are shown. */
export const MOST_SORTED = 500;

/** Where a page ended. */
export type PageEnd =
  | {
      readonly in: "order";
      readonly sort: string;
      readonly descending: boolean;
      readonly key: SortKey;
      readonly seq: number;
    }
  /** Among the newest, in what the index did not know when its last place was `place`. */
  | { readonly in: "newer"; readonly place: number; readonly key: number; readonly seq: number }
  /** Among the newest, in the index. */
  | { readonly in: "newest"; readonly place: number };

export interface PageQuery {
  /** Not empty. */
  readonly search?: string | undefined;
  /** By the names of the list's facets. */
  readonly filters: Readonly<Record<string, string>>;
  readonly order: Order;
  readonly after: PageEnd | null;
  readonly limit: number;
}

export interface FoundPage {
  readonly seqs: readonly number[];
  /** Null when nothing follows. */
  readonly end: PageEnd | null;
  readonly total: number;
  /** More than {@link MOST_SORTED} match: they are in the order of their change, newest first. */
  readonly total_is_minimum: boolean;
}

/** The conditions of a query on the rows themselves. */
export const conditionsOf = (
  list: SearchList,
  { filters, search }: PageQuery,
): { readonly texts: readonly string[]; readonly values: readonly unknown[] } => {
  const kinds = Object.entries(list.facets).filter(([name]) => filters[name] !== undefined);
  const text = search === undefined ? null : containing(list, search, reachesIds(search));
  return {
    texts: [...kinds.map(([, expression]) => `${expression} = ?`), ...(text ? [text.text] : [])],
    values: [...kinds.map(([name]) => filters[name]), ...(text?.values ?? [])],
  };
};

/** Rows in order, one more than fits where others follow, as a page. */
export const pageOf = (rows: readonly Found[], { limit, order }: PageQuery, total: number): FoundPage => {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    seqs: page.map(({ seq }) => seq),
    end: last && rows.length > limit ? { in: "order", ...order, key: last.key, seq: last.seq } : null,
    total,
    total_is_minimum: false,
  };
};

/** Where a page that is in order ended. */
export const placeAfter = (end: PageEnd | null): Found | null =>
  end?.in === "order" ? { key: end.key, seq: end.seq } : null;

/** A page of all rows, in the order that their own index has. */
export const naturalPage = (db: Database, index: SearchIndex, query: PageQuery): FoundPage => {
  const { list } = index;
  const { order, limit } = query;
  const after = placeAfter(query.after);
  const key = list.sorts[order.sort] ?? list.changed;
  const [than, way] = order.descending ? ["<", "DESC"] : [">", "ASC"];
  const select = `SELECT r.seq, ${key} AS key FROM ${list.from}`;
  const sorted = `ORDER BY ${key} ${way}, r.seq ${way} LIMIT ?`;
  const rows = after
    ? db.all<Found>(`${select} WHERE (${key}, r.seq) ${than} (?, ?) ${sorted}`, after.key, after.seq, limit + 1)
    : db.all<Found>(`${select} ${sorted}`, limit + 1);
  return pageOf(rows, query, index.total());
};

/** A page of rows that an index of their own makes few. @param condition what makes them few, with one value */
export const findAmong = (
  db: Database,
  list: SearchList,
  condition: string,
  value: string,
  query: PageQuery,
): FoundPage => {
  const { order, limit } = query;
  const others = conditionsOf(list, query);
  const first = new First<Found>(order.descending, placeAfter(query.after), limit + 1);
  first.add(
    db.all<Found>(
      `SELECT r.seq, ${list.sorts[order.sort] ?? list.changed} AS key FROM ${list.from} ${list.joins} WHERE ${[condition, ...others.texts].join(" AND ")}`,
      value,
      ...others.values,
    ),
  );
  return pageOf(first.rows(), query, first.count);
};
