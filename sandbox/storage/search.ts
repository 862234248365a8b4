import { type SearchHit, searchMatches } from "../contract/control/search-operations.ts";
import type { Database } from "./database.ts";
import { folded } from "./folded.ts";
import { idRange, indexedPhrase, type List } from "./lists.ts";

/** Which field matched, and how well. */
export type Match = Pick<SearchHit, "matched_field" | "match">;

/** What is searched for: the text without its case, and what identifiers begin with, where it can be the beginning of one. */
export interface Searched {
  readonly typed: string;
  readonly text: string;
  readonly id: readonly [from: string, below: string] | null;
}

/** @param typed without spaces around it */
export const searched = (typed: string): Searched => {
  const [from, below] = idRange(typed);
  return {
    typed,
    text: folded(typed),
    id: from === undefined || below === undefined ? null : [from, below],
  };
};

const rank = ({ match }: Match): number => searchMatches.indexOf(match);

/** The better matches first; equal ones stay in their order. */
export const byMatch = (one: Match, other: Match): number => rank(one) - rank(other);

/** How an identifier matches that is in the range. */
export const idMatch = (field: string, id: string, { id: range }: Searched): Match | null =>
  range === null || !id.startsWith(range[0])
    ? null
    : { matched_field: field, match: id === range[0] ? "exact" : "prefix" };

const textMatch = (field: string, value: string | null, { text }: Searched): Match | null => {
  const at = value === null ? -1 : folded(value).indexOf(text);
  if (at < 0) return null;
  if (at > 0) return { matched_field: field, match: "contains" };
  return { matched_field: field, match: folded(value ?? "") === text ? "exact" : "prefix" };
};

/** The best match of some texts and identifiers by their fields, or null. */
export const bestMatch = (
  texts: Readonly<Record<string, string | null>>,
  ids: Readonly<Record<string, string>>,
  of: Searched,
): Match | null =>
  [
    ...Object.entries(texts).map(([field, value]) => textMatch(field, value, of)),
    ...Object.entries(ids).map(([field, id]) => idMatch(field, id, of)),
  ]
    .filter((match) => match !== null)
    .sort(byMatch)[0] ?? null;

/** A row that matches. */
export interface FoundRow extends Match {
  readonly seq: number;
}

/** So many rows are judged of what begins with the text, of what contains it, and of what no index knows yet. */
const MOST = { beginning: 2_000, containing: 200, unindexed: 2_000, byId: 20 } as const;

/** The newest rows that may match, whichever way they are found. */
const candidates = (db: Database, { name }: List, { text, id }: Searched): number[] => {
  const phrase = indexedPhrase(text);
  const find = (sql: string, ...values: readonly unknown[]) => db.all<{ seq: number }>(sql, ...values);
  const inIndex = `SELECT rowid AS seq FROM ${name}_search WHERE ${name}_search MATCH ? ORDER BY rowid DESC LIMIT ?`;
  return [
    ...(phrase === null
      ? find(`SELECT seq FROM ${name} ORDER BY seq DESC LIMIT ?`, MOST.unindexed)
      : [
          ...find(inIndex, `^ ${phrase}`, MOST.beginning),
          ...find(inIndex, phrase, MOST.containing),
          ...find("SELECT seq FROM unindexed WHERE list = ? ORDER BY seq DESC LIMIT ?", name, MOST.unindexed),
        ]),
    ...(id === null
      ? []
      : find(`SELECT seq FROM ${name} WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?`, ...id, MOST.byId)),
  ].map(({ seq }) => seq);
};

/**
 * The best matches of a searchable list, the newest of equal ones first. However many rows there are, a few thousand at
 * most are judged: where more begin with the text, the newest of them.
 *
 * @param also rows that are judged in any case
 */
export const searchList = (
  db: Database,
  list: List,
  of: Searched,
  limit: number,
  also: readonly number[] = [],
): FoundRow[] => {
  const { name, joins, texts } = list;
  const seqs = [...new Set([...also, ...candidates(db, list, of)])];
  const columns = Object.entries(texts).map(([field, value]) => `${value} AS ${field}`);
  const rows = db.all<{ seq: number; id: string } & Readonly<Record<string, string | null>>>(
    `SELECT r.seq, r.id, ${columns.join(", ")} FROM json_each(?) f CROSS JOIN ${name} r ON r.seq = f.value ${joins}`,
    JSON.stringify(seqs),
  );
  return rows
    .flatMap(({ seq, id, ...values }) => {
      const match = bestMatch(values, { id }, of);
      return match ? [{ seq, ...match }] : [];
    })
    .sort((one, other) => byMatch(one, other) || other.seq - one.seq)
    .slice(0, limit);
};
