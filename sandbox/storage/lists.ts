import type { Database } from "./database.ts";
import { type Condition, rowsIn, type Searchable, seek } from "./search.ts";
import type { SlicedRead } from "./slices.ts";

/** A list of many rows that is read page by page: a table, of which a row is `r`. */
export interface List {
  readonly name: string;
  /** What it can be sorted by: what is compared, ties by `seq`, and the index that holds it so; null: the table itself. */
  readonly orders: Readonly<Record<string, { readonly key: string; readonly index: string | null }>>;
  /** Left out: it cannot be searched. */
  readonly searchable?: Searchable;
}

/** A list that is neither searched nor sorted otherwise than by `seq`. */
export const inOrderOf = (name: string): List => ({ name, orders: { seq: { key: "r.seq", index: null } } });

/** The condition, where something is asked for. */
export const where = (sql: string, value: string | undefined): Condition[] =>
  value === undefined ? [] : [{ sql, values: [value.toLowerCase()] }];

export interface Order {
  readonly sort: string;
  readonly descending: boolean;
}

/** A row by where it stands in an order. */
export interface Position {
  readonly key: number | string;
  readonly seq: number;
}

export interface PageQuery {
  /** Not empty. */
  readonly search?: string | undefined;
  readonly conditions: readonly Condition[];
  readonly ids?: readonly string[] | undefined;
  /** Rows of one value of an index, which holds them in the order of `seq`: no others are looked at. */
  readonly within?: Condition & { readonly index: string };
  /** No other rows than these are looked at. */
  readonly seqs?: readonly number[] | undefined;
  readonly order: Order;
  readonly after: Position | null;
  readonly limit: number;
}

/** How many there are, as far as they are counted. */
export interface Total {
  readonly total: number;
  /** There are more than {@link MOST_COUNTED}, or so many rows had to be looked at that it is not known. */
  readonly total_is_minimum: boolean;
}

export interface FoundPage extends Total {
  readonly seqs: readonly number[];
  /** Null when nothing follows. */
  readonly end: Position | null;
}

export const MOST_COUNTED = 500;

/** How many rows there are of what follows `FROM`, as far as they are counted. */
export const countUpTo = (db: Database, from: string, ...values: readonly unknown[]): Total => {
  const sql = `SELECT count(*) AS counted FROM (SELECT 1 FROM ${from} LIMIT ${MOST_COUNTED + 1})`;
  const counted = db.get<{ counted: number }>(sql, ...values)?.counted ?? 0;
  return { total: Math.min(counted, MOST_COUNTED), total_is_minimum: counted > MOST_COUNTED };
};

/** What a search finds is sorted when it is at most so much; otherwise rows are read in their order and looked at. */
const MOST_SORTED = 1_000;
const ROWS_A_LOOK = 64;
/** As many rows are looked at before the clock is. */
const LEAST_LOOKED_AT = 256;
/**
 * About one row of 64 is given back whatever it is, so that the clock is looked at: picked by a number that nothing else
 * which rows have in common goes with.
 */
const LOOKED_AT = "(r.seq % 1000003 * 2654435761 >> 16 & 63) = 0";

/** The rows of a list in one order, as one statement that says of each whether it is asked for. */
class Rows {
  readonly #db: Database;
  readonly #select: string;
  readonly #where: readonly string[];
  readonly #values: readonly unknown[];
  readonly #key: string;
  readonly #descending: boolean;

  /**
   * @param few the only rows that are looked at; null: all
   * @param text what rows are looked at for; null: nothing is searched for, or they were found by it
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
    // The narrow index of a table that stands in this order already has no text.
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
    this.#where = [...(within && !few ? [within.sql] : []), ...(isAsked ? [`((${isAsked}) OR ${LOOKED_AT})`] : [])];
    this.#values = [...values, ...(few ? [JSON.stringify(few)] : (within?.values ?? [])), ...values];
  }

  /**
   * The rows after a position that are asked for: at least `needed` of them if there are so many, and at most `most`, as
   * far as they are come by in one slice.
   *
   * @returns `more`: others may follow
   */
  *read(after: Position | null, needed: number, most: number): SlicedRead<{ rows: Position[]; more: boolean }> {
    const [than, way] = this.#descending ? ["<", "DESC"] : [">", "ASC"];
    const isSeq = this.#key === "r.seq";
    const [beyond, order] = isSeq
      ? [`r.seq ${than} ?`, `r.seq ${way}`]
      : [`(${this.#key}, r.seq) ${than} (?, ?)`, `${this.#key} ${way}, r.seq ${way}`];
    const rows: Position[] = [];
    for (let from = after; ; ) {
      const until = yield;
      const position = from === null ? [] : isSeq ? [from.seq] : [from.key, from.seq];
      const clauses = [...this.#where, ...(from === null ? [] : [beyond])].join(" AND ");
      const sql = `${this.#select} ${clauses ? `WHERE ${clauses}` : ""} ORDER BY ${order}`;
      const read = this.#db
        .sql(sql)
        .raw()
        .iterate(...this.#values, ...position);
      let [looked, more] = [0, false];
      for (const [key, seq, fits] of read as Iterable<[number | string, number, number]>) {
        if (fits) rows.push({ key, seq });
        from = { key, seq };
        looked += fits ? 1 : ROWS_A_LOOK;
        // Some progress in each slice, however busy the machine is.
        more = rows.length >= most || (looked >= LEAST_LOOKED_AT && performance.now() > until);
        if (more) break;
      }
      if (!more || rows.length >= needed) return { rows, more };
    }
  }
}

/** The rows of ids, as far as there are such. */
const seqsOf = (db: Database, { name }: List, ids: readonly string[]): number[] =>
  db
    .all<{ seq: number }>(
      `SELECT r.seq FROM json_each(?) f CROSS JOIN ${name} r ON r.id = f.value`,
      JSON.stringify([...new Set(ids.map((id) => id.toLowerCase()))]),
    )
    .map(({ seq }) => seq);

/**
 * One page of a list. Rows are read in the order asked for, from an index that holds it, and looked at until the page is
 * full, a few milliseconds at a time. What a search finds in small number is found in its index, and sorted.
 */
export function* findPage(db: Database, list: List, query: PageQuery): SlicedRead<FoundPage> {
  const { search, ids, seqs, after, limit } = query;
  const { searchable } = list;
  let few = ids ? seqsOf(db, list, ids) : (seqs ?? null);
  let text: Condition | null = null;
  if (search !== undefined && searchable) {
    const { condition, blocks } = yield* seek(db, searchable, search);
    const found = few || !blocks ? null : yield* rowsIn(db, searchable, blocks, condition, MOST_SORTED);
    if (found?.complete) few = [...found.seqs];
    else text = condition;
  }
  const read = new Rows(db, list, query, few, text);
  // Where all are asked for, each row that is looked at counts: it takes no longer to count to the end.
  const least = query.conditions.length === 0 && !query.within && text === null ? MOST_COUNTED + 1 : limit + 1;
  const counted = yield* read.read(null, after === null ? least : 0, MOST_COUNTED + 1);
  const { rows } = after === null ? counted : yield* read.read(after, limit + 1, limit + 1);
  const page = rows.slice(0, limit);
  const total = Math.min(counted.rows.length, MOST_COUNTED);
  return {
    seqs: page.map(({ seq }) => seq),
    end: rows.length > limit ? (page.at(-1) ?? null) : null,
    total: Math.max(total, page.length),
    total_is_minimum: counted.more || counted.rows.length > MOST_COUNTED,
  };
}
