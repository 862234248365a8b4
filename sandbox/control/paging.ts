import type { Database } from "../storage/database.ts";
import type { PageEnd } from "../storage/search-query.ts";

/** Where a page ended: the sort key and place of its last row, opaque to callers. */
export const encodeCursor = (key: number, seq: number): string => Buffer.from(`${key}:${seq}`).toString("base64url");

const CURSOR = /^(-?\d+):(\d+)(?:;(.*))?$/s;
const textOf = (cursor: string): string => Buffer.from(cursor, "base64url").toString("utf8");

/** Null when the text is no cursor of ours. */
export const decodeCursor = (cursor: string): { readonly key: number; readonly seq: number } | null => {
  const match = CURSOR.exec(textOf(cursor));
  return match ? { key: Number(match[1]), seq: Number(match[2]) } : null;
};

/** The cursor of a list that can be searched. */
export const encodePageEnd = (end: PageEnd): string => Buffer.from(`0:0;${JSON.stringify(end)}`).toString("base64url");

/** Null when the text is no cursor of a list that is sorted so. */
export const decodePageEnd = (cursor: string, sort: string, descending: boolean): PageEnd | null => {
  const text = CURSOR.exec(textOf(cursor))?.[3];
  const end = text === undefined ? null : pageEndOf(text);
  return end?.in === "order" && (end.sort !== sort || end.descending !== descending) ? null : end;
};

const pageEndOf = (text: string): PageEnd | null => {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  if (read === null || typeof read !== "object") return null;
  const { in: within, sort, descending, key, seq, place } = read as Readonly<Record<string, unknown>>;
  const whole = (value: unknown): value is number => Number.isSafeInteger(value);
  if (within === "newest" && whole(place)) return { in: within, place };
  if (within === "newer" && whole(place) && whole(key) && whole(seq)) return { in: within, place, key, seq };
  if (within !== "order" || typeof sort !== "string" || typeof descending !== "boolean" || !whole(seq)) return null;
  return typeof key === "string" || whole(key) ? { in: within, sort, descending, key, seq } : null;
};

/** The rows of a page out of `limit + 1` that were asked for, and its last one where more follow. */
export const pageOf = <T>(
  rows: readonly T[],
  limit: number,
): { readonly rows: readonly T[]; readonly last: T | undefined } => {
  const page = rows.slice(0, limit);
  return { rows: page, last: rows.length > limit ? page.at(-1) : undefined };
};

/** The conditions of a list, gathered one by one. */
export class Conditions {
  readonly #texts: string[] = [];
  readonly #values: unknown[] = [];

  add(text: string, ...values: unknown[]): this {
    this.#texts.push(text);
    this.#values.push(...values);
    return this;
  }

  get where(): string {
    return this.#texts.length === 0 ? "" : ` WHERE ${this.#texts.join(" AND ")}`;
  }

  get values(): readonly unknown[] {
    return this.#values;
  }

  count(db: Database, from: string): number {
    return db.get<{ n: number }>(`SELECT count(*) AS n FROM ${from}${this.where}`, ...this.#values)?.n ?? 0;
  }
}

/** Adds "older than the cursor" for a list sorted by a key and `seq`, both falling. */
export const olderThan = (conditions: Conditions, cursor: string | undefined, key: string, seq: string): Conditions => {
  const from = cursor === undefined ? null : decodeCursor(cursor);
  return from ? conditions.add(`(${key}, ${seq}) < (?, ?)`, from.key, from.seq) : conditions;
};
