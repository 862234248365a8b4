import type { Database } from "./database.ts";
import { type Condition, findInBlocks, planSearch, type Searchable } from "./search.ts";
import type { SlicedRead } from "./slices.ts";

/** A table that is read page by page. SQL refers to its rows as `r`. */
export interface List {
  readonly name: string;
  /**
   * Sort orders: the compared expression, ties broken by `seq`, and an index with that order; null if the table has it.
   */
  readonly orders: Readonly<Record<string, { readonly key: string; readonly index: string | null }>>;
  /** Absent if the list has no search. */
  readonly searchable?: Searchable;
}

/** A list sorted only by `seq`, without a search. */
export const listBySeq = (name: string): List => ({ name, orders: { seq: { key: "r.seq", index: null } } });

/** A condition for an optional query parameter; none if it's absent. Stored values are lower case. */
export const optionalCondition = (sql: string, value: string | undefined): Condition[] =>
  value === undefined ? [] : [{ sql, values: [value.toLowerCase()] }];

export interface Order {
  readonly sort: string;
  readonly descending: boolean;
}

/** A row's place in a sort order. */
export interface Position {
  readonly key: number | string;
  readonly seq: number;
}

export interface PageQuery {
  /** Not empty. */
  readonly search?: string | undefined;
  readonly conditions: readonly Condition[];
  readonly ids?: readonly string[] | undefined;
  /** Restricts the read to one value of an index, in which its rows have the requested order. */
  readonly within?: Condition & { readonly index: string };
  readonly seqs?: readonly number[] | undefined;
  readonly order: Order;
  readonly after: Position | null;
  readonly limit: number;
}

/** Row count up to {@link MAX_COUNTED}. */
export interface Total {
  readonly total: number;
  /** True if there are more: the limit was reached, or the count took too many rows. */
  readonly total_is_minimum: boolean;
}

export interface FoundPage extends Total {
  readonly seqs: readonly number[];
  /** Null on the last page. */
  readonly end: Position | null;
}

export const MAX_COUNTED = 500;

/** Entries of an index that are counted, or rows that are checked, in a few milliseconds. */
export const MAX_SCANNED = 20_000;

/** Counts up to {@link MAX_SCANNED} entries of an index. `from` follows FROM in the query. */
export const countUpTo = (db: Database, from: string, ...values: readonly unknown[]): Total => {
  const sql = `SELECT count(*) AS counted FROM (SELECT 1 FROM ${from} LIMIT ${MAX_SCANNED + 1})`;
  const counted = db.get<{ counted: number }>(sql, ...values)?.counted ?? 0;
  return { total: Math.min(counted, MAX_SCANNED), total_is_minimum: counted > MAX_SCANNED };
};

/** Largest search result that is sorted. Beyond it, rows are scanned in order. */
const MAX_SORTED = 1_000;
const ROWS_PER_CHECK = 64;
/** Rows scanned before the clock is checked. */
const MIN_SCANNED = 256;
/**
 * Returns about one row in 64 regardless of the conditions, so that the clock can be checked. The hash avoids a pattern
 * that correlates with the data.
 */
const IS_SAMPLED = "(r.seq % 1000003 * 2654435761 >> 16 & 63) = 0";

/** Scans rows in one order with a statement that marks each row as match or not. */
class Rows {
  readonly #db: Database;
  readonly #select: string;
  readonly #where: readonly string[];
  readonly #values: readonly unknown[];
  readonly #key: string;
  readonly #descending: boolean;

  /**
   * @param few the only rows to scan; null for all
   * @param text condition of the search; null if there is none or `few` came from the search index
   */
  constructor(
    db: Database,
    { name, orders, searchable }: List,
    { conditions, within, order }: PageQuery,
    few: readonly number[] | null,
    text: Condition | null,
  ) {
    const { key, index } = orders[order.sort] ?? { key: "r.seq", index: null };
    const fits = text ? [...conditions, text] : conditions;
    const joins = text ? (searchable?.joins ?? "") : "";
    // A narrow index in this order lacks the text columns.
    const isNarrowed = key !== "r.seq" || (conditions.length > 0 && text === null);
    const by = within?.index ?? (isNarrowed ? index : null);
    const from = few
      ? `json_each(?) f CROSS JOIN ${name} r ON r.seq = f.value`
      : `${name} r${by ? ` INDEXED BY ${by}` : ""}`;
    const all = few && within ? [...fits, within] : fits;
    this.#db = db;
    this.#key = key;
    this.#descending = order.descending;
    const isAsked = all.map(({ sql }) => `(${sql})`).join(" AND ");
    const values = all.flatMap((condition) => condition.values);
    this.#select = `SELECT ${key}, r.seq, ${isAsked || "1"} FROM ${from} ${joins}`;
    this.#where = [...(within && !few ? [within.sql] : []), ...(isAsked ? [`((${isAsked}) OR ${IS_SAMPLED})`] : [])];
    this.#values = [...values, ...(few ? [JSON.stringify(few)] : (within?.values ?? [])), ...values];
  }

  /**
   * Reads matches after a position: at least `needed` if they exist, at most `most`. Between the two, stops at the end
   * of the slice.
   *
   * @returns `more`: other matches may follow
   */
  *read(after: Position | null, needed: number, most: number): SlicedRead<{ rows: Position[]; more: boolean }> {
    const [than, way] = this.#descending ? ["<", "DESC"] : [">", "ASC"];
    const isSeq = this.#key === "r.seq";
    const order = isSeq ? `r.seq ${way}` : `${this.#key} ${way}, r.seq ${way}`;
    const rows: Position[] = [];
    // SQLite compares only the key in its index, so rows with the same key as the last one are read by themselves.
    let isTied = !isSeq && after !== null;
    for (let from = after; ; ) {
      const until = yield;
      const [beyond, position] = this.#boundary(from, isTied, than);
      const clauses = [...this.#where, ...beyond].join(" AND ");
      const sql = `${this.#select} ${clauses ? `WHERE ${clauses}` : ""} ORDER BY ${order}`;
      const read = this.#db
        .sql(sql)
        .raw()
        .iterate(...this.#values, ...position);
      let [scanned, more] = [0, false];
      for (const [key, seq, fits] of read as Iterable<[number | string, number, number]>) {
        if (fits) rows.push({ key, seq });
        from = { key, seq };
        scanned += fits ? 1 : ROWS_PER_CHECK;
        // Guarantees some progress in each slice, however busy the machine is.
        more = rows.length >= most || (scanned >= MIN_SCANNED && performance.now() > until);
        if (more) break;
      }
      if (more ? rows.length >= needed : !isTied) return { rows, more };
      isTied = more && !isSeq;
    }
  }

  /** Condition on the rows beyond a position: with the same key, or with another one. */
  #boundary(from: Position | null, isTied: boolean, than: string): [sql: string[], values: (number | string)[]] {
    if (from === null) return [[], []];
    if (this.#key === "r.seq") return [[`r.seq ${than} ?`], [from.seq]];
    return isTied
      ? [
          [`${this.#key} = ?`, `r.seq ${than} ?`],
          [from.key, from.seq],
        ]
      : [[`${this.#key} ${than} ?`], [from.key]];
  }
}

const findSeqs = (db: Database, { name }: List, ids: readonly string[]): number[] =>
  db
    .all<{ seq: number }>(
      `SELECT r.seq FROM json_each(?) f CROSS JOIN ${name} r ON r.id = f.value`,
      JSON.stringify([...new Set(ids.map((id) => id.toLowerCase()))]),
    )
    .map(({ seq }) => seq);

/**
 * Reads one page. Scans rows from an index in the requested order until the page is full, a few milliseconds at a time.
 * Small search results come from the search index and are sorted.
 */
export function* findPage(db: Database, list: List, query: PageQuery): SlicedRead<FoundPage> {
  const { search, ids, seqs, after, limit } = query;
  const { searchable } = list;
  let few = ids ? findSeqs(db, list, ids) : (seqs ?? null);
  let text: Condition | null = null;
  if (search !== undefined && searchable) {
    const { condition, blocks } = yield* planSearch(db, searchable, search);
    const found = few || !blocks ? null : yield* findInBlocks(db, searchable, blocks, condition, MAX_SORTED);
    if (found?.complete) few = [...found.seqs];
    else text = condition;
  }
  const read = new Rows(db, list, query, few, text);
  // Without conditions every scanned row counts, so counting to the limit costs no extra.
  const least = query.conditions.length === 0 && !query.within && text === null ? MAX_COUNTED + 1 : limit + 1;
  const counted = yield* read.read(null, after === null ? least : 0, MAX_COUNTED + 1);
  const { rows } = after === null ? counted : yield* read.read(after, limit + 1, limit + 1);
  const page = rows.slice(0, limit);
  const total = Math.min(counted.rows.length, MAX_COUNTED);
  return {
    seqs: page.map(({ seq }) => seq),
    end: rows.length > limit ? (page.at(-1) ?? null) : null,
    total: Math.max(total, page.length),
    total_is_minimum: counted.more || counted.rows.length > MAX_COUNTED,
  };
}
