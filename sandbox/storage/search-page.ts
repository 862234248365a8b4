import type { Database } from "./database.ts";
import { gramQuery, markOf, reachesIds } from "./search-grams.ts";
import type { SearchIndex } from "./search-index.ts";
import { containing } from "./search-lists.ts";
import { First, type Found, orderedRows } from "./search-order.ts";
import {
  conditionsOf,
  type FoundPage,
  MOST_SORTED,
  naturalPage,
  type PageEnd,
  type PageQuery,
  pageOf,
  placeAfter,
} from "./search-query.ts";

/** So many rows that might match are looked at for one page. */
const MOST_EXAMINED = 4_000;
/** Rows the index does not know yet are looked at so many at a time; between two times others have their turn. */
const CHUNK = 2_000;

interface Candidate extends Found {
  readonly place: number;
  readonly changed: number;
  readonly matches: number;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Looks for one page of a list, in the index and in the rows it does not know yet. */
class Finding {
  readonly #db: Database;
  readonly #index: SearchIndex;
  readonly #query: PageQuery;
  /** Whether there is an index. */
  readonly #known: boolean;
  readonly #changed: ReadonlySet<number>;
  readonly #through: number;
  readonly #place: number;
  /** The newest of those that were too many. */
  #many: readonly Candidate[] = [];

  constructor(db: Database, index: SearchIndex, query: PageQuery) {
    this.#db = db;
    this.#index = index;
    this.#query = query;
    const progress = index.progress();
    this.#known = progress !== null;
    this.#through = progress?.through ?? 0;
    this.#place = progress?.place ?? 0;
    this.#changed = progress === null ? new Set() : index.changed();
  }

  get #kinds(): (readonly [string, string, string])[] {
    return Object.entries(this.#index.list.facets).flatMap(([name, expression]) => {
      const value = this.#query.filters[name];
      return value === undefined ? [] : [[name, expression, value] as const];
    });
  }

  #sortExpression(): string {
    return this.#index.list.sorts[this.#query.order.sort] ?? this.#index.list.changed;
  }

  /** Rows the index does not know, or not as they are. */
  async #tail(first: First<Found>, key: string): Promise<void> {
    const { list } = this.#index;
    const { texts, values } = conditionsOf(list, this.#query);
    const where = texts.map((condition) => ` AND ${condition}`).join("");
    const select = `SELECT r.seq, ${key} AS key FROM ${list.from} ${list.joins} WHERE`;
    if (this.#changed.size > 0) {
      const changed = `r.seq IN (SELECT seq FROM ${list.name}_changed) AND r.seq <= ?`;
      first.add(this.#db.all<Found>(`${select} ${changed}${where}`, this.#through, ...values));
    }
    for (let from = this.#through; ; ) {
      const newest = this.#index.newest();
      const to = Math.min(from + CHUNK, newest);
      if (to > from) first.add(this.#db.all<Found>(`${select} r.seq > ? AND r.seq <= ?${where}`, from, to, ...values));
      if (to >= newest) return;
      from = to;
      await turn();
      if (!this.#db.handle.open) return;
    }
  }

  /** Rows the index finds by their grams, newest first. */
  #candidates(search: string, thorough: boolean, below: number, count: number): Candidate[] {
    if (!this.#known) return [];
    const { list } = this.#index;
    const { name } = list;
    const text = containing(list, search, reachesIds(search));
    const marks = this.#kinds.map(([kind, , value]) => markOf(kind, value));
    return this.#db.all<Candidate>(
      `SELECT f.place, r.seq, ${this.#sortExpression()} AS key, ${list.changed} AS changed, ${text.text} AS matches ` +
        `FROM (SELECT rowid AS place FROM ${name}_grams WHERE ${name}_grams MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?) f ` +
        `CROSS JOIN ${name}_places p ON p.place = f.place LEFT JOIN ${list.from} ON r.seq = p.seq ${list.joins}`,
      ...text.values,
      gramQuery(search, marks, thorough),
      // As a whole number, or the index would not begin there.
      BigInt(below),
      count,
    );
  }

  #matching(candidates: readonly Candidate[]): Candidate[] {
    return candidates.filter(({ seq, matches }) => matches === 1 && !this.#changed.has(seq));
  }

  /** Everything the index finds, or null when that is more than `most`. */
  #few(search: string, most: number): Candidate[] | null {
    const enough = most + 1 + Math.min(this.#changed.size, MOST_EXAMINED);
    for (const [thorough, count] of [
      [false, enough],
      [true, enough],
      // Many of them only look like it: how many there are is told by all of them.
      [true, MOST_EXAMINED],
    ] as const) {
      const candidates = this.#candidates(search, thorough, Number.MAX_SAFE_INTEGER, count);
      const matching = this.#matching(candidates);
      if (matching.length > most) {
        this.#many = candidates;
        return null;
      }
      if (candidates.length < count) return matching;
    }
    return null;
  }

  /** What the index has in this order, without those that changed, and how many there are. */
  #indexed(after: Found | null): { readonly rows: Found[]; readonly count: number } {
    if (!this.#known) return { rows: [], count: 0 };
    const { limit, order } = this.#query;
    const { list } = this.#index;
    const { name } = list;
    const kinds = this.#kinds;
    const facets = this.#db.all<{ facet: number; n: number }>(
      `SELECT facet, n FROM ${name}_facets WHERE n > 0${kinds.map(([kind]) => ` AND ${kind} = ?`).join("")}`,
      ...kinds.map(([, , value]) => value),
    );
    const wanted = new Set(facets.map(({ facet }) => facet));
    const changed = this.#db.all<{ facet: number; n: number }>(
      `SELECT p.facet, count(*) AS n FROM ${name}_changed c CROSS JOIN ${name}_places p ON p.seq = c.seq GROUP BY p.facet`,
    );
    const sum = (counts: typeof facets) =>
      counts.reduce((total, { facet, n }) => total + (wanted.has(facet) ? n : 0), 0);
    return {
      rows: orderedRows(this.#db, list, [...wanted], order, after, limit + 1, this.#changed),
      count: sum(facets) - sum(changed),
    };
  }

  /** Without a search: what the index has, and what it does not know. */
  async ordered(after: Found | null): Promise<FoundPage> {
    const { limit, order } = this.#query;
    const indexed = this.#indexed(after);
    const first = new First<Found>(order.descending, after, limit + 1);
    await this.#tail(first, this.#sortExpression());
    const total = indexed.count + first.count;
    first.add(indexed.rows);
    return pageOf(first.rows(), this.#query, total);
  }

  /** With a search that few rows meet: all of them, sorted. Null when there are too many. */
  async sorted(search: string, after: Found | null): Promise<FoundPage | null> {
    const { limit, order } = this.#query;
    // Rows that came to match while somebody turned the pages do not change how they are turned.
    const few = this.#few(search, after ? 10 * MOST_SORTED : MOST_SORTED);
    if (few === null) return null;
    const first = new First<Found>(order.descending, after, limit + 1);
    first.add(few);
    await this.#tail(first, this.#sortExpression());
    return pageOf(first.rows(), this.#query, first.count);
  }

  /** With a search that too many rows meet to sort them: the newest, from where the last page ended. */
  async newest(search: string, after: PageEnd | null): Promise<FoundPage> {
    const { limit } = this.#query;
    const known = after?.in === "newer" ? after.place : this.#place;
    const seqs: number[] = [];
    const page = (end: PageEnd | null): FoundPage => ({ seqs, end, total: MOST_SORTED, total_is_minimum: true });
    if (after?.in !== "newest") {
      const first = new First<Found>(true, after?.in === "newer" ? after : null, limit + 1);
      await this.#tail(first, this.#index.list.changed);
      first.add(this.#sinceThen(search, known));
      const rows = first.rows();
      for (const { seq } of rows.slice(0, limit)) seqs.push(seq);
      const last = rows[limit - 1];
      if (last) return page({ in: "newer", place: known, key: Number(last.key), seq: last.seq });
    }
    let below = after?.in === "newest" ? after.place : known + 1;
    for (let examined = 0; examined < MOST_EXAMINED; ) {
      const many = after === null && examined === 0 ? this.#many : [];
      const candidates = many.length > 0 ? many : this.#candidates(search, true, below, limit + 1);
      for (const candidate of this.#matching(candidates)) {
        if (seqs.length === limit) return page({ in: "newest", place: below });
        seqs.push(candidate.seq);
        below = candidate.place;
      }
      if (candidates.length <= limit) return page(null);
      below = candidates.at(-1)?.place ?? 0;
      examined += candidates.length;
    }
    return page({ in: "newest", place: below });
  }

  /** What the index took in since its last place was `place`. */
  #sinceThen(search: string, place: number): Found[] {
    if (place >= this.#place) return [];
    const candidates = this.#candidates(search, true, Number.MAX_SAFE_INTEGER, MOST_EXAMINED);
    return this.#matching(candidates)
      .filter((candidate) => candidate.place > place)
      .map(({ seq, changed }) => ({ seq, key: changed }));
  }
}

/**
 * One page of a list. It costs what the page costs, however many rows there are; only rows that the index has not taken
 * in yet are looked at one by one, and between many of them others have their turn.
 */
export const findPage = async (db: Database, index: SearchIndex, query: PageQuery): Promise<FoundPage> => {
  const { search, order, after } = query;
  if (search === undefined && Object.keys(query.filters).length === 0 && order.sort === index.list.natural)
    return naturalPage(db, index, query);
  const finding = new Finding(db, index, query);
  if (search === undefined) return finding.ordered(placeAfter(after));
  const sorted = after === null || after.in === "order" ? await finding.sorted(search, placeAfter(after)) : null;
  return sorted ?? finding.newest(search, after?.in === "order" ? null : after);
};
