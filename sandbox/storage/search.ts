import type { Database } from "./database.ts";
import { folded, spellings } from "./folded.ts";
import { FIRST_SINGLE } from "./migrations/0014-texts-of-blocks.ts";
import type { SlicedRead } from "./slices.ts";

/** What a row must be, of a table of which a row is `r`. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** A table whose text is indexed in `<name>_search`, 64 rows at once. */
export interface Searchable {
  readonly name: string;
  readonly joins: string;
  /** What a search looks at, as the migration that makes the index says it. */
  readonly text: string;
  /** The rows that are indexed; left out: all. */
  readonly indexed?: string;
  /** What else finds a row. */
  readonly also?: (db: Database, typed: string) => SlicedRead<SearchPlan[]>;
}

export const BLOCK = 64;
/** The index knows pieces of three characters; a few dozen of them leave hardly any rows that are not meant. */
const PIECE = 3;
const MOST_PIECES = 32;
/** Identifiers begin with the time, so that nearly all of them begin with any shorter piece. */
const ID_BEGINNING = /^[0-9a-f-]{8,36}$/i;

/** The identifiers that begin with a text, as a range; null when it can be the beginning of none. */
export const idRange = (text: string): readonly [from: string, below: string] | null =>
  ID_BEGINNING.test(text) ? [text.toLowerCase(), `${text.toLowerCase()}g`] : null;

const indexing = ({ name, joins, text, indexed = "1" }: Searchable): string =>
  `INSERT OR REPLACE INTO ${name}_search (rowid, text) SELECT r.seq / ${BLOCK}, group_concat(${text}, char(10)) ` +
  `FROM ${name} r ${joins} WHERE r.seq >= ? AND r.seq < ? AND ${indexed} GROUP BY r.seq / ${BLOCK}`;

/**
 * Indexes the block of a row that was inserted when it is the last of its block. Not by a trigger, for which SQLite would
 * keep a copy of the pages that every insert changes, and take three times as long.
 */
export const indexInserted = (db: Database, list: Searchable, seq: number): void => {
  if (seq % BLOCK === BLOCK - 1) indexBlock(db, list, Math.floor(seq / BLOCK));
};

/** Indexes a block to which no row comes any more. */
export const indexBlock = (db: Database, list: Searchable, block: number): void => {
  db.run(indexing(list), block * BLOCK, (block + 1) * BLOCK);
};

export const lastBlock = (db: Database, { name }: Searchable): number =>
  Math.floor((db.get<{ seq: number | null }>(`SELECT max(seq) AS seq FROM ${name}`)?.seq ?? 0) / BLOCK);

/** Indexes all rows: of a file that was filled otherwise. */
export const indexAll = (db: Database, list: Searchable): void => {
  db.run(indexing(list), 0, lastBlock(db, list) * BLOCK);
};

/** The blocks of the newest rows. */
export const newestBlocks = (db: Database, { name }: Searchable, rows: number): number[] =>
  db
    .all<{ block: number }>(
      `SELECT DISTINCT seq / ${BLOCK} AS block FROM (SELECT seq FROM ${name} ORDER BY seq DESC LIMIT ?) ORDER BY 1 DESC`,
      rows,
    )
    .map(({ block }) => block);

/** As the index is asked: every piece of a text, each as a phrase, so that it is no syntax; null when it has none. */
const piecesOf = (text: string): string | null => {
  const letters = [...text];
  const pieces = letters.slice(PIECE - 1).map((_, at) => letters.slice(at, at + PIECE).join(""));
  const phrases = [...new Set(pieces)].slice(0, MOST_PIECES).map((piece) => `"${piece.replaceAll('"', '""')}"`);
  return phrases.length === 0 ? null : phrases.join(" AND ");
};

/** What a search finds: what its rows are, and the blocks in which they may be. */
export interface SearchPlan {
  readonly condition: Condition;
  /** Null: the text is too short to be looked for in the index. */
  readonly blocks: readonly number[] | null;
}

/** The blocks in which the index has all pieces of a text; null: it is too short. */
const indexedBlocks = (db: Database, { name }: Searchable, text: string): number[] | null => {
  const pieces = piecesOf(text);
  if (pieces === null) return null;
  const block = `iif(rowid < ${FIRST_SINGLE}, rowid, (rowid - ${FIRST_SINGLE}) / ${BLOCK})`;
  const sql = `SELECT ${block} AS block FROM ${name}_search WHERE ${name}_search MATCH ?`;
  return db.all<{ block: number }>(sql, pieces).map(({ block }) => block);
};

/** Looks for the rows that contain a text as it was typed, or as a plate, or whose id begins with it. */
export function* seek(db: Database, list: Searchable, typed: string): SlicedRead<SearchPlan> {
  const range = idRange(typed);
  const ways: SearchPlan[] = range ? [ofIds(db, list, range)] : [];
  for (const text of spellings(typed)) {
    yield;
    const condition = { sql: `instr(folded(${list.text}), ?) > 0`, values: [folded(text)] };
    ways.push({ condition, blocks: indexedBlocks(db, list, text) });
  }
  if (list.also) ways.push(...(yield* list.also(db, typed)));
  const known = ways.every(({ blocks }) => blocks !== null);
  const blocks = new Set([lastBlock(db, list), ...ways.flatMap(({ blocks }) => blocks ?? [])]);
  return {
    condition: {
      sql: `(${ways.map(({ condition }) => condition.sql).join(" OR ")})`,
      values: ways.flatMap(({ condition }) => condition.values),
    },
    blocks: known ? [...blocks].sort((one, other) => other - one) : null,
  };
}

/** A thousand identifiers that begin alike are enough. */
const ofIds = (db: Database, { name }: Searchable, range: readonly string[]): SearchPlan => ({
  condition: { sql: "r.id >= ? AND r.id < ?", values: range },
  blocks: db
    .all<{ block: number }>(`SELECT seq / ${BLOCK} AS block FROM ${name} WHERE id >= ? AND id < ? LIMIT 1000`, ...range)
    .map(({ block }) => block),
});

/** Rows that a search found. */
export interface Found {
  readonly seqs: readonly number[];
  /** They are all there are. */
  readonly complete: boolean;
}

/** The newest rows that a search finds in some blocks, at most so many. */
export function* rowsIn(
  db: Database,
  { name, joins }: Searchable,
  blocks: readonly number[],
  { sql, values }: Condition,
  most: number,
): SlicedRead<Found> {
  const ofBlock = `SELECT r.seq FROM ${name} r ${joins} WHERE r.seq >= ? AND r.seq < ? AND ${sql} ORDER BY r.seq DESC`;
  const seqs: number[] = [];
  for (const block of blocks) {
    for (const { seq } of db.all<{ seq: number }>(ofBlock, block * BLOCK, (block + 1) * BLOCK, ...values))
      seqs.push(seq);
    if (seqs.length > most) return { seqs: seqs.slice(0, most), complete: false };
    yield;
  }
  return { seqs, complete: true };
}
