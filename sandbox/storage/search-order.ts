import type { Database } from "./database.ts";
import type { SearchList } from "./search-lists.ts";

export type SortKey = number | string;

/** A row where it stands in an order. */
export interface Found {
  readonly seq: number;
  readonly key: SortKey;
}

export interface Order {
  readonly sort: string;
  readonly descending: boolean;
}

/** A unit's rank among the units of UTF-16 where the order is that of code points, as it is in the file. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

const compareTexts = (one: string, other: string): number => {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const difference = rank(one.charCodeAt(index)) - rank(other.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
};

const compareKeys = (one: SortKey, other: SortKey): number =>
  typeof one === "string" || typeof other === "string" ? compareTexts(String(one), String(other)) : one - other;

/** Negative when the first stands before the second. */
export const inOrder =
  (descending: boolean) =>
  (one: Found, other: Found): number =>
    (compareKeys(one.key, other.key) || one.seq - other.seq) * (descending ? -1 : 1);

/** The first so many of all that are added, in order, and how many there were. */
export class First<T extends Found> {
  readonly #compare: (one: Found, other: Found) => number;
  readonly #after: Found | null;
  readonly #keep: number;
  #rows: T[] = [];
  count = 0;

  /** @param after rows up to this one are only counted */
  constructor(descending: boolean, after: Found | null, keep: number) {
    this.#compare = inOrder(descending);
    this.#after = after;
    this.#keep = keep;
  }

  add(rows: readonly T[]): void {
    this.count += rows.length;
    const { length } = rows;
    for (let index = 0; index < length; index += 1) {
      const row = rows[index];
      if (row && (this.#after === null || this.#compare(row, this.#after) > 0)) this.#rows.push(row);
    }
    if (this.#rows.length > 4 * this.#keep) this.#rows = this.rows();
  }

  rows(): T[] {
    return this.#rows.toSorted(this.#compare).slice(0, this.#keep);
  }
}

type Read = (after: Found | null, count: number) => Found[];

/** The rows of one facet in their order, read a few at a time. */
class Stream {
  readonly #read: Read;
  #rows: Found[] = [];
  #at = 0;
  #size = 8;
  #ended = false;

  constructor(after: Found | null, read: Read) {
    this.#read = read;
    this.#fill(after);
  }

  get head(): Found | undefined {
    return this.#rows[this.#at];
  }

  #fill(after: Found | null): void {
    this.#rows = this.#read(after, this.#size);
    this.#at = 0;
    this.#ended = this.#rows.length < this.#size;
    this.#size *= 4;
  }

  step(): void {
    const left = this.head;
    this.#at += 1;
    if (left && this.#at === this.#rows.length && !this.#ended) this.#fill(left);
  }
}

/**
 * The rows of some facets as one list in order, from the index alone.
 *
 * @param without rows that are left out
 */
export const orderedRows = (
  db: Database,
  list: SearchList,
  facets: readonly number[],
  order: Order,
  after: Found | null,
  count: number,
  without: ReadonlySet<number>,
): Found[] => {
  const [than, way] = order.descending ? ["<", "DESC"] : [">", "ASC"];
  const select = `SELECT seq, ${order.sort} AS key FROM ${list.name}_places WHERE facet = ?`;
  const sorted = `ORDER BY ${order.sort} ${way}, seq ${way} LIMIT ?`;
  const streams = facets.map(
    (facet) =>
      new Stream(after, (from, many) =>
        from === null
          ? db.all<Found>(`${select} ${sorted}`, facet, many)
          : db.all<Found>(
              `${select} AND (${order.sort}, seq) ${than} (?, ?) ${sorted}`,
              facet,
              from.key,
              from.seq,
              many,
            ),
      ),
  );
  const compare = inOrder(order.descending);
  const rows: Found[] = [];
  while (rows.length < count) {
    let first: Stream | undefined;
    for (const stream of streams) {
      if (stream.head && (!first?.head || compare(stream.head, first.head) < 0)) first = stream;
    }
    if (!first?.head) break;
    if (!without.has(first.head.seq)) rows.push(first.head);
    first.step();
  }
  return rows;
};
