import type { Database } from "./database.ts";
import { gramsOf, markOf } from "./search-grams.ts";
import type { SearchList } from "./search-lists.ts";
import { searchTables } from "./search-tables.ts";

/** Pages of the index that one step of {@link SearchIndex.tidy} writes anew. */
const TIDIED_PAGES = 16;

/** From here on all rows are counted faster in one go than those it does not know one by one. */
const MANY = 20_000;

interface Progress {
  readonly through: number;
  readonly place: number;
}

type Row = Readonly<Record<string, string | number | null>> & { readonly seq: number; readonly id: string };

/**
 * What finds the rows of a list in worlds of any size. Mutations do not pay for it: a row that is new, or that a trigger
 * noted as changed, is looked at itself until {@link advance} has taken it in.
 */
export class SearchIndex {
  readonly list: SearchList;
  readonly #db: Database;
  readonly #rows: string;

  constructor(db: Database, list: SearchList) {
    this.#db = db;
    this.list = list;
    const columns = [
      ...Object.entries({ ...list.facets, ...list.sorts }).map(([name, expression]) => `${expression} AS ${name}`),
      ...list.texts.map((expression, index) => `${expression} AS text_${index}`),
    ];
    this.#rows = `SELECT r.seq, r.id, ${columns.join(", ")} FROM ${list.from} ${list.joins}`;
  }

  /** The last row, by `seq`, up to which it knows all but those that changed; and the last place it gave. */
  progress(): Progress | null {
    const found = this.#db.get<Progress>("SELECT through, place FROM search_progress WHERE list = ?", this.list.name);
    return found ?? null;
  }

  /** The newest row's `seq`, 0 without any. */
  newest(): number {
    return this.#db.get<{ seq: number | null }>(`SELECT max(seq) AS seq FROM ${this.list.name}`)?.seq ?? 0;
  }

  /** The rows that changed since they were taken in. Only where there is an index. */
  changed(): Set<number> {
    const rows = this.#db.all<{ seq: number }>(`SELECT seq FROM ${this.list.name}_changed`);
    return new Set(rows.map(({ seq }) => seq));
  }

  #count(sql: string, ...values: unknown[]): number {
    return this.#db.get<{ n: number | null }>(sql, ...values)?.n ?? 0;
  }

  /** About how many rows it does not know; never less than there are. */
  behind(): number {
    const progress = this.progress();
    if (progress === null) return this.newest();
    const changed = this.#count(`SELECT count(*) AS n FROM ${this.list.name}_changed`);
    return changed + Math.max(0, this.newest() - progress.through);
  }

  /** Takes in at most so many rows. Call inside a write. @returns whether others wait */
  advance(rows: number): boolean {
    const { name } = this.list;
    const known = this.progress();
    if (known === null) this.#db.handle.exec(searchTables(this.list));
    let { through, place } = known ?? { through: 0, place: 0 };
    const changed = this.#db.all<{ seq: number }>(`SELECT seq FROM ${name}_changed ORDER BY seq LIMIT ?`, rows);
    for (const { seq } of changed) {
      this.#forget(seq);
      const row = seq <= through ? this.#db.get<Row>(`${this.#rows} WHERE r.seq = ?`, seq) : undefined;
      if (row) this.#take(row, ++place);
    }
    this.#db.run(`DELETE FROM ${name}_changed WHERE seq <= ?`, changed.at(-1)?.seq ?? 0);
    const room = rows - changed.length;
    const added =
      room > 0 ? this.#db.all<Row>(`${this.#rows} WHERE r.seq > ? ORDER BY r.seq LIMIT ?`, through, room) : [];
    for (const row of added) this.#take(row, ++place);
    through = added.at(-1)?.seq ?? through;
    this.#db.run("UPDATE search_progress SET through = ?, place = ? WHERE list = ?", through, place, name);
    return changed.length + added.length === rows;
  }

  #take(row: Row, place: number): void {
    const { name, facets, sorts, texts } = this.list;
    const kind = Object.keys(facets);
    const keys = Object.keys(sorts);
    const facet = this.#facet(kind.map((one) => row[one]));
    this.#db.run(
      `INSERT INTO ${name}_places (place, seq, facet, ${keys.join(", ")}) VALUES (?, ?, ?, ${keys.map(() => "?").join(", ")})`,
      place,
      row.seq,
      facet,
      ...keys.map((one) => row[one]),
    );
    const known = texts.map((_, index) => row[`text_${index}`] as string | null);
    const marks = kind.map((one) => markOf(one, String(row[one])));
    this.#db.run(`INSERT INTO ${name}_grams (rowid, grams) VALUES (?, ?)`, place, gramsOf(known, row.id, marks));
  }

  /** The facet of these values, with one more row. */
  #facet(values: readonly unknown[]): number {
    const { name, facets } = this.list;
    const kind = Object.keys(facets);
    const known = this.#db.get<{ facet: number }>(
      `SELECT facet FROM ${name}_facets WHERE ${kind.map((one) => `${one} = ?`).join(" AND ")}`,
      ...values,
    );
    if (known === undefined) {
      const columns = `${kind.join(", ")}, n) VALUES (${kind.map(() => "?").join(", ")}, 1)`;
      return this.#db.run(`INSERT INTO ${name}_facets (${columns}`, ...values).rowid;
    }
    this.#db.run(`UPDATE ${name}_facets SET n = n + 1 WHERE facet = ?`, known.facet);
    return known.facet;
  }

  #forget(seq: number): void {
    const { name } = this.list;
    const known = this.#db.get<{ place: number; facet: number }>(
      `SELECT place, facet FROM ${name}_places WHERE seq = ?`,
      seq,
    );
    if (!known) return;
    this.#db.run(`DELETE FROM ${name}_places WHERE place = ?`, known.place);
    this.#db.run(`DELETE FROM ${name}_grams WHERE rowid = ?`, known.place);
    this.#db.run(`UPDATE ${name}_facets SET n = n - 1 WHERE facet = ?`, known.facet);
  }

  /**
   * Brings what was written piece by piece together, a step. Call inside a write.
   *
   * @param wholly begin to make one piece of all there are: for after many rows, because it writes everything anew
   * @returns whether more is to be done
   */
  tidy(wholly = false): boolean {
    const { name } = this.list;
    if (this.progress() === null) return false;
    const pages = wholly ? -TIDIED_PAGES : TIDIED_PAGES;
    const before = this.#count("SELECT total_changes() AS n");
    this.#db.run(`INSERT INTO ${name}_grams (${name}_grams, rank) VALUES ('merge', ${pages})`);
    return this.#count("SELECT total_changes() AS n") - before > 1;
  }

  /** How many rows the list has, without counting them one by one where it knows them. */
  total(): number {
    const { name } = this.list;
    const progress = this.progress();
    if (progress === null || this.newest() - progress.through > MANY)
      return this.#count(`SELECT count(*) AS n FROM ${name}`);
    const { through } = progress;
    const known = this.#count(`SELECT sum(n) AS n FROM ${name}_facets`);
    const stale = this.#count(
      `SELECT count(*) AS n FROM ${name}_changed c CROSS JOIN ${name}_places p ON p.seq = c.seq`,
    );
    const anew = this.#count(
      `SELECT count(*) AS n FROM ${name}_changed c CROSS JOIN ${name} r ON r.seq = c.seq WHERE r.seq <= ?`,
      through,
    );
    const added = this.#count(`SELECT count(*) AS n FROM ${name} WHERE seq > ?`, through);
    return known - stale + anew + added;
  }
}
