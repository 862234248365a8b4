import type { Database } from "./database.ts";
import { foldCase, searchVariants } from "./folded.ts";
import { FIRST_SINGLE_ROW } from "./migrations/0014-texts-of-blocks.ts";
import type { SlicedRead } from "./slices.ts";

/** SQL condition on a row, named `r`. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** A table whose text is indexed in `<name>_search`, 64 rows per entry. */
export interface Searchable {
  readonly name: string;
  readonly joins: string;
  /** Searched text; the same expression as in the migration that creates the index. */
  readonly text: string;
  /** Condition of the indexed rows; all by default. */
  readonly indexed?: string;
  /** Additional ways to find a row. */
  readonly also?: (db: Database, typed: string) => SlicedRead<SearchPlan[]>;
}

export const BLOCK_ROWS = 64;
/** Trigram index: a few dozen pieces leave hardly any false matches. */
const PIECE_CHARS = 3;
const MAX_PIECES = 32;
/** IDs begin with the time, so shorter prefixes would match nearly all of them. */
const ID_PREFIX = /^[0-9a-f-]{8,36}$/i;

/** Range of the IDs with a prefix; null if it can't be one. */
export const idRange = (text: string): readonly [from: string, below: string] | null =>
  ID_PREFIX.test(text) ? [text.toLowerCase(), `${text.toLowerCase()}g`] : null;

const indexing = ({ name, joins, text, indexed = "1" }: Searchable): string =>
  `INSERT OR REPLACE INTO ${name}_search (rowid, text) SELECT r.seq / ${BLOCK_ROWS}, group_concat(${text}, char(10)) ` +
  `FROM ${name} r ${joins} WHERE r.seq >= ? AND r.seq < ? AND ${indexed} GROUP BY r.seq / ${BLOCK_ROWS}`;

/**
 * Indexes a block when its last row is inserted. A trigger would make SQLite copy the pages each insert changes, and
 * take three times as long.
 */
export const indexInserted = (db: Database, list: Searchable, seq: number): void => {
  if (seq % BLOCK_ROWS === BLOCK_ROWS - 1) indexBlock(db, list, Math.floor(seq / BLOCK_ROWS));
};

/** Indexes a block that is complete. */
export const indexBlock = (db: Database, list: Searchable, block: number): void => {
  db.run(indexing(list), block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS);
};

export const lastBlock = (db: Database, { name }: Searchable): number =>
  Math.floor((db.get<{ seq: number | null }>(`SELECT max(seq) AS seq FROM ${name}`)?.seq ?? 0) / BLOCK_ROWS);

/** Indexes all rows, for a file filled without {@link indexInserted}. */
export const indexAll = (db: Database, list: Searchable): void => {
  db.run(indexing(list), 0, lastBlock(db, list) * BLOCK_ROWS);
};

export const newestBlocks = (db: Database, { name }: Searchable, rows: number): number[] =>
  db
    .all<{ block: number }>(
      `SELECT DISTINCT seq / ${BLOCK_ROWS} AS block FROM (SELECT seq FROM ${name} ORDER BY seq DESC LIMIT ?) ORDER BY 1 DESC`,
      rows,
    )
    .map(({ block }) => block);

/** FTS5 query: every trigram of a text, quoted so that none is read as syntax; null if the text is too short. */
const trigramQuery = (text: string): string | null => {
  const letters = [...text];
  const pieces = letters.slice(PIECE_CHARS - 1).map((_, at) => letters.slice(at, at + PIECE_CHARS).join(""));
  const phrases = [...new Set(pieces)].slice(0, MAX_PIECES).map((piece) => `"${piece.replaceAll('"', '""')}"`);
  return phrases.length === 0 ? null : phrases.join(" AND ");
};

/** A search's exact condition and its candidate blocks. */
interface SearchPlan {
  readonly condition: Condition;
  /** Null if the text is too short for the index. */
  readonly blocks: readonly number[] | null;
}

/** Blocks that contain all trigrams of a text; null if it is too short. */
const indexedBlocks = (db: Database, { name }: Searchable, text: string): number[] | null => {
  const pieces = trigramQuery(text);
  if (pieces === null) return null;
  const block = `iif(rowid < ${FIRST_SINGLE_ROW}, rowid, (rowid - ${FIRST_SINGLE_ROW}) / ${BLOCK_ROWS})`;
  const sql = `SELECT ${block} AS block FROM ${name}_search WHERE ${name}_search MATCH ?`;
  return db.all<{ block: number }>(sql, pieces).map(({ block }) => block);
};

/** Plans a search for rows that contain the typed text or plate, or whose ID starts with it. */
export function* planSearch(db: Database, list: Searchable, typed: string): SlicedRead<SearchPlan> {
  const range = idRange(typed);
  const plans: SearchPlan[] = range ? [planIdSearch(db, list, range)] : [];
  for (const text of searchVariants(typed)) {
    yield;
    const condition = { sql: `instr(folded(${list.text}), ?) > 0`, values: [foldCase(text)] };
    plans.push({ condition, blocks: indexedBlocks(db, list, text) });
  }
  if (list.also) plans.push(...(yield* list.also(db, typed)));
  const isIndexed = plans.every(({ blocks }) => blocks !== null);
  const blocks = new Set([lastBlock(db, list), ...plans.flatMap(({ blocks }) => blocks ?? [])]);
  return {
    condition: {
      sql: `(${plans.map(({ condition }) => condition.sql).join(" OR ")})`,
      values: plans.flatMap(({ condition }) => condition.values),
    },
    blocks: isIndexed ? [...blocks].sort((one, other) => other - one) : null,
  };
}

/** Considers at most 1,000 IDs with the same prefix. */
const planIdSearch = (db: Database, { name }: Searchable, range: readonly string[]): SearchPlan => ({
  condition: { sql: "r.id >= ? AND r.id < ?", values: range },
  blocks: db
    .all<{ block: number }>(
      `SELECT seq / ${BLOCK_ROWS} AS block FROM ${name} WHERE id >= ? AND id < ? LIMIT 1000`,
      ...range,
    )
    .map(({ block }) => block),
});

interface FoundRows {
  readonly seqs: readonly number[];
  /** True if these are all matches. */
  readonly complete: boolean;
}

/** Newest matches in the given blocks. */
export function* findInBlocks(
  db: Database,
  { name, joins }: Searchable,
  blocks: readonly number[],
  { sql, values }: Condition,
  most: number,
): SlicedRead<FoundRows> {
  const ofBlock = `SELECT r.seq FROM ${name} r ${joins} WHERE r.seq >= ? AND r.seq < ? AND ${sql} ORDER BY r.seq DESC`;
  const seqs: number[] = [];
  for (const block of blocks) {
    for (const { seq } of db.all<{ seq: number }>(ofBlock, block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS, ...values))
      seqs.push(seq);
    if (seqs.length > most) return { seqs: seqs.slice(0, most), complete: false };
    yield;
  }
  return { seqs, complete: true };
}
