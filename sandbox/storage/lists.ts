import type { Database } from "./database.ts";
import { folded, spellings } from "./folded.ts";
import { wordsIn } from "./words.ts";

/** A list of many rows that can be searched, narrowed and sorted. */
export interface List {
  /** Its table, of which a row is `r`. */
  readonly name: string;
  readonly joins: string;
  /** What a search looks at, by the columns of `<name>_search` where there is an index of its text. */
  readonly texts: Readonly<Record<string, string>>;
  /**
   * How it is indexed: `pieces`: a text is found anywhere; `words`: words are found by how they begin, of rows that never
   * change. Null: its rows are read.
   */
  readonly index: "pieces" | "words" | null;
  /** What it can be sorted by; each has an index, with `seq` as its last column. */
  readonly sorts: Readonly<Record<string, string>>;
}

/** A list that is neither searched nor sorted otherwise than by `seq`. */
export const inOrderOf = (name: string): List => ({
  name,
  joins: "",
  texts: {},
  index: null,
  sorts: { seq: "r.seq" },
});

/** What a row must be; its rows are found by an index. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** Nearly every row meets it: it is looked for in no index. */
  readonly isCommon?: boolean;
}

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
  /** Each finds its rows by an index. */
  readonly conditions: readonly Condition[];
  readonly ids?: readonly string[] | undefined;
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
/** The same where the text of each row is read. */
const MOST_COUNTED_READING = 100;
/** The total of what was counted up to one more than so many. */
const totalOf = (counted: number, most: number): Total => ({
  total: Math.min(counted, most),
  total_is_minimum: counted > most,
});

/** How many rows there are of what follows `FROM`, as far as they are counted. */
export const countUpTo = (db: Database, from: string, ...values: readonly unknown[]): Total => {
  const sql = `SELECT count(*) AS counted FROM (SELECT 1 FROM ${from} LIMIT ${MOST_COUNTED + 1})`;
  return totalOf(db.get<{ counted: number }>(sql, ...values)?.counted ?? 0, MOST_COUNTED);
};

/** Rows that an index finds, and that are then sorted, are at most so many. */
const MOST_SORTED = 5_000;
/** So many rows are looked at in one go; between two of them others are served. */
const MOST_EXAMINED = 10_000;
/** The same where the text of a row is long. */
const MOST_READ = 1_000;
/** The tokenizer of the index knows pieces of three characters. */
const SHORTEST_INDEXED = 3;
/** Identifiers begin with the time, so that nearly all of them begin with any shorter piece. */
const ID_BEGINNING = /^[0-9a-f-]{8,36}$/i;

/** The identifiers that begin with a text, as a range; empty when it can be the beginning of none. */
export const idRange = (text: string): readonly string[] =>
  ID_BEGINNING.test(text) ? [text.toLowerCase(), `${text.toLowerCase()}g`] : [];

/** What a row itself is checked by. No text that is kept holds what its texts are put together with (D9). */
const containing = ({ texts, index }: List, text: string): Condition => {
  const all = Object.values(texts).join(", ");
  const range = idRange(text);
  const byId = range.length > 0 ? " OR r.id >= ? AND r.id < ?" : "";
  return index === "words"
    ? { sql: `(instr(words(${all}), ?) > 0${byId})`, values: [` ${wordsIn(text)}`, ...range] }
    : { sql: `(instr(folded(concat_ws(char(0), ${all})), ?) > 0${byId})`, values: [text, ...range] };
};

/** The rows a statement finds, or null when they are too many. */
const few = (db: Database, sql: string, values: readonly unknown[]): Set<number> | null => {
  const rows = db.all<{ seq: number }>(`${sql} LIMIT ${MOST_SORTED + 1}`, ...values);
  return rows.length > MOST_SORTED ? null : new Set(rows.map(({ seq }) => seq));
};

const fewMeeting = (db: Database, { name }: List, { sql, values }: Condition): Set<number> | null =>
  few(db, `SELECT r.seq FROM ${name} r WHERE ${sql}`, values);

/** Of a list with an index of words, the row up to which all are indexed. */
const indexedThrough = (db: Database, { name }: List): number =>
  db.get<{ seq: number | null }>(`SELECT max(id) AS seq FROM ${name}_search_docsize`)?.seq ?? 0;

const lastOf = (db: Database, { name }: List): number =>
  db.get<{ seq: number | null }>(`SELECT max(seq) AS seq FROM ${name}`)?.seq ?? 0;

/** Of so many of the newest rows so many have what is searched for: reading rows in order fills a page sooner. */
const SAMPLE = { rows: 100, common: 10 };

/** More of them leave hardly fewer rows. */
const MOST_WORDS = 8;

/**
 * The rows that may contain the words of a text, from the index and from what it does not know yet, which is read some
 * rows at a time; null when they are too many, or the text is too short to be looked for in the index.
 */
const fewWithWords = async (db: Database, list: List, text: string): Promise<Set<number> | null> => {
  const words = wordsIn(text).split(" ");
  const beginning = words.pop() ?? "";
  const whole = words.slice(0, MOST_WORDS).map((word) => `"${word}"`);
  if ([...beginning].length >= SHORTEST_INDEXED) whole.push(`"${beginning}"*`);
  if (whole.length === 0) return null;
  const through = indexedThrough(db, list);
  const { name } = list;
  const { sql, values } = containing(list, text);
  const sample = `SELECT count(*) AS n FROM ${name} r WHERE r.seq > ? AND ${sql}`;
  const sampled = db.get<{ n: number }>(sample, lastOf(db, list) - SAMPLE.rows, ...values);
  if ((sampled?.n ?? 0) >= SAMPLE.common) return null;
  const found = few(db, `SELECT rowid AS seq FROM ${name}_search WHERE ${name}_search MATCH ?`, [whole.join(" AND ")]);
  if (!found) return null;
  const range = idRange(text);
  const byId = range.length === 0 ? [] : fewMeeting(db, list, { sql: "r.id >= ? AND r.id < ?", values: range });
  if (!byId) return null;
  for (const seq of byId) found.add(seq);
  for (let from = through; db.handle.open && from < lastOf(db, list); from += MOST_READ) {
    const rows = `SELECT r.seq FROM ${name} r WHERE r.seq > ? AND r.seq <= ? AND ${sql}`;
    for (const { seq } of db.all<{ seq: number }>(rows, from, from + MOST_READ, ...values)) found.add(seq);
    if (found.size > MOST_SORTED) return null;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
};

/** A text as the index is asked for it, or null when it is too short: as a phrase, so that it is no syntax of a query. */
export const indexedPhrase = (text: string): string | null =>
  [...text].length < SHORTEST_INDEXED ? null : `"${text.replaceAll('"', '""')}"`;

/** The rows that contain a text, from the index and from what it does not know yet; null when they are too many. */
const fewContaining = (db: Database, list: List, text: string): Set<number> | null => {
  const { name, joins, index } = list;
  const phrase = index === "pieces" ? indexedPhrase(text) : null;
  if (phrase === null) return null;
  if (db.get("SELECT 1 FROM unindexed WHERE list = ? LIMIT 1 OFFSET ?", name, MOST_EXAMINED)) return null;
  const indexed = few(
    db,
    `SELECT rowid AS seq FROM ${name}_search f WHERE ${name}_search MATCH ? AND NOT EXISTS (SELECT 1 FROM unindexed u WHERE u.list = '${name}' AND u.seq = f.rowid)`,
    [phrase],
  );
  const { sql, values } = containing(list, text);
  const others = few(
    db,
    `SELECT r.seq FROM unindexed u CROSS JOIN ${name} r ON r.seq = u.seq ${joins} WHERE u.list = '${name}' AND ${sql}`,
    values,
  );
  const range = idRange(text);
  const byId = range.length === 0 ? [] : fewMeeting(db, list, { sql: "r.id >= ? AND r.id < ?", values: range });
  return indexed && others && byId && new Set([...indexed, ...others, ...byId]);
};

/** One page of one list: which rows are looked at, and what they are checked by. */
class Finding {
  readonly #db: Database;
  readonly #list: List;
  readonly #key: string;
  readonly #order: Order;
  /** Rows that indexes found, of which there are few; null: all rows, in the order of the index that is sorted by. */
  #found: Set<number> | null = null;
  readonly #checks: Condition[] = [];

  /** @param withWords the rows that may contain the words that are searched for */
  constructor(
    db: Database,
    list: List,
    { search, conditions, ids, order }: PageQuery,
    withWords: ReadonlySet<number> | null,
  ) {
    this.#db = db;
    this.#list = list;
    this.#order = order;
    this.#key = list.sorts[order.sort] ?? "r.seq";
    if (ids) {
      const values = [JSON.stringify(ids.map((id) => id.toLowerCase()))];
      this.#narrow(fewMeeting(db, list, { sql: "r.id IN (SELECT value FROM json_each(?))", values }), null);
    }
    for (const condition of conditions)
      this.#narrow(condition.isCommon ? null : fewMeeting(db, list, condition), condition);
    if (search === undefined) return;
    const texts = (list.index === "words" ? [search] : spellings(search)).map(folded);
    const found = texts.map((text) => fewContaining(db, list, text));
    const all = found.every((few) => few !== null) ? new Set(found.flatMap((few) => [...few])) : null;
    const checks = texts.map((text) => containing(list, text));
    const sql = checks.map((check) => check.sql).join(" OR ");
    this.#narrow(all, { sql: `(${sql})`, values: checks.flatMap(({ values }) => values) });
    if (withWords) this.#narrow(new Set(withWords), null);
  }

  /** Rows are checked by their text, which is long. */
  get reads(): boolean {
    return this.#list.index === "words" && !this.#found && this.#checks.length > 0;
  }

  /** So many rows are looked at in one go. */
  get #most(): number {
    return this.reads ? MOST_READ : MOST_EXAMINED;
  }

  #narrow(found: Set<number> | null, otherwise: Condition | null): void {
    if (found) this.#found = this.#found ? new Set([...this.#found].filter((seq) => found.has(seq))) : found;
    else if (otherwise) this.#checks.push(otherwise);
  }

  /** The rows that are looked at in one go. */
  #examined(after: Position | null): Condition {
    const [than, way] = this.#order.descending ? ["<", "DESC"] : [">", "ASC"];
    const { name } = this.#list;
    const from = this.#found ? `json_each(?) f CROSS JOIN ${name} r ON r.seq = f.value` : `${name} r`;
    const where = after ? `WHERE (${this.#key}, r.seq) ${than} (?, ?)` : "";
    return {
      sql: `SELECT r.seq, ${this.#key} AS key FROM ${from} ${where} ORDER BY ${this.#key} ${way}, r.seq ${way} LIMIT ${this.#most}`,
      values: [...(this.#found ? [JSON.stringify([...this.#found])] : []), ...(after ? [after.key, after.seq] : [])],
    };
  }

  /** Those of the rows that are looked at in one go that are in the list, in order. */
  rows(after: Position | null, most: number): Position[] {
    const { name, joins } = this.#list;
    const examined = this.#examined(after);
    if (this.#checks.length === 0)
      return this.#db.all<Position>(`SELECT * FROM (${examined.sql}) LIMIT ?`, ...examined.values, most);
    return this.#db.all<Position>(
      `SELECT e.seq, e.key FROM (${examined.sql}) e CROSS JOIN ${name} r ON r.seq = e.seq ${joins} ` +
        `WHERE ${this.#checks.map(({ sql }) => sql).join(" AND ")} LIMIT ?`,
      ...examined.values,
      ...this.#checks.flatMap(({ values }) => values),
      most,
    );
  }

  /** Where the next go begins; null when this one looks at all that there are. */
  next(after: Position | null): Position | null {
    if (this.#checks.length === 0 || this.#found) return null;
    const { sql, values } = this.#examined(after);
    return this.#db.get<Position>(`SELECT * FROM (${sql}) LIMIT 1 OFFSET ${this.#most - 1}`, ...values) ?? null;
  }
}

/**
 * One page of a list. What an index finds in small number, by a condition or by a text of at least three characters, is
 * sorted; otherwise rows are looked at in the order asked for until the page is full, some thousand at a time.
 */
export const findPage = async (db: Database, list: List, query: PageQuery): Promise<FoundPage> => {
  const withWords =
    query.search !== undefined && list.index === "words" ? await fewWithWords(db, list, folded(query.search)) : null;
  const finding = new Finding(db, list, query, withWords);
  const most = finding.reads ? Math.max(MOST_COUNTED_READING, query.after === null ? query.limit : 0) : MOST_COUNTED;
  const first = finding.rows(null, most + 1);
  const counted = totalOf(first.length, most);
  const total = { ...counted, total_is_minimum: counted.total_is_minimum || finding.next(null) !== null };
  const rows: Position[] = [];
  for (let from = query.after; ; ) {
    rows.push(...(from === null ? first.slice(0, query.limit + 1) : finding.rows(from, query.limit + 1 - rows.length)));
    const next = rows.length > query.limit ? null : finding.next(from);
    if (next === null) break;
    from = next;
    await new Promise((resolve) => setImmediate(resolve));
    if (!db.handle.open) break;
  }
  const page = rows.slice(0, query.limit);
  // A first page that is the last has them all, however far they were looked for.
  if (query.after === null && rows.length <= query.limit && total.total_is_minimum)
    return { seqs: page.map(({ seq }) => seq), end: null, total: page.length, total_is_minimum: false };
  return { ...total, seqs: page.map(({ seq }) => seq), end: rows.length > query.limit ? (page.at(-1) ?? null) : null };
};

/** Indexes at most so many rows of a list that are new, changed or gone. @returns how many */
export const indexRows = (db: Database, { name, joins, texts }: List, most: number): number => {
  const rows = db.all<{ seq: number }>("SELECT seq FROM unindexed WHERE list = ? ORDER BY seq LIMIT ?", name, most);
  const values = Object.values(texts).map((text) => `folded(${text})`);
  for (const { seq } of rows) {
    db.run(`DELETE FROM ${name}_search WHERE rowid = ?`, seq);
    db.run(
      `INSERT INTO ${name}_search (rowid, ${Object.keys(texts).join(", ")}) SELECT r.seq, ${values.join(", ")} FROM ${name} r ${joins} WHERE r.seq = ?`,
      seq,
    );
    db.run("DELETE FROM unindexed WHERE list = ? AND seq = ?", name, seq);
  }
  return rows.length;
};

/** Of a list with an index of words: its last row, and how many rows are not indexed yet. */
export const waitsForWords = (db: Database, list: List): { last: number; waiting: number } => {
  const last = lastOf(db, list);
  return { last, waiting: Math.max(0, last - indexedThrough(db, list)) };
};

/** Indexes the words of at most so many rows, in their order. @returns how many */
export const indexWords = (db: Database, list: List, most: number): number => {
  const { name, texts } = list;
  return db.run(
    `INSERT INTO ${name}_search (rowid, words) SELECT r.seq, words(${Object.values(texts).join(", ")}) FROM ${name} r WHERE r.seq > ? ORDER BY r.seq LIMIT ?`,
    indexedThrough(db, list),
    most,
  ).changes;
};

/** Indexes all rows of a list: for a file that was filled without triggers. */
export const indexAll = (db: Database, list: List): void => {
  db.run(`INSERT OR IGNORE INTO unindexed SELECT '${list.name}', seq FROM ${list.name}`);
  indexRows(db, list, Number.MAX_SAFE_INTEGER);
};
