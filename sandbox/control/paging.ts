import type { Static, TSchema } from "typebox";
import { type Refusal, refuse } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import { findPage, type List, type PageQuery, type Position, type Total } from "../storage/lists.ts";
import { LARGEST_SEQ } from "../storage/migrations/0001-initial.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, type ControlContext, control } from "./handler.ts";

/** Where a page ended: the last row by where it stands in the order, and which order that is. */
export interface PageEnd extends Position {
  readonly order: string;
}

const encode = (list: string, { order, key, seq }: PageEnd): string =>
  Buffer.from(JSON.stringify([list, order, key, seq])).toString("base64url");

/** Null when the text is no cursor of this list. */
const decode = (list: string, cursor: string): PageEnd | null => {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return null;
  }
  if (!Array.isArray(read) || read.length !== 4) return null;
  const [of, order, key, seq] = read as readonly unknown[];
  if (of !== list || typeof order !== "string" || !Number.isSafeInteger(seq)) return null;
  if (Number(seq) < 1 || Number(seq) > LARGEST_SEQ) return null;
  // Only job numbers are texts; what else is sorted by is a time or a sequence number.
  if (order.startsWith("job_number ") ? typeof key !== "string" : !Number.isSafeInteger(key)) return null;
  const end = { order, key, seq } as PageEnd;
  // Base64 and JSON can be written in more ways than the one that is handed out.
  return encode(list, end) === cursor ? end : null;
};

/** What is asked of a page beside what the list is narrowed by. */
export interface PageAsked {
  /** Null for the first page. */
  readonly after: PageEnd | null;
  readonly limit: number;
}

/** What was found for a page, with its end where another one follows. */
export interface PageFound<Item> extends Total {
  readonly items: readonly Item[];
  readonly end: PageEnd | null;
}

const LIMIT = 100;

/** The cursor is of no earlier page of this list in this order. */
const foreignCursor = (): Refusal =>
  refuse("bad_request", "/cursor must be the next_cursor of an earlier page of the same list");

/** Whether a page in this order can have ended there; `byNumber`: rows stand in it by their `seq` alone. */
const canEndAt = ({ order, key, seq }: PageEnd, asked: string, byNumber: boolean): boolean =>
  order === asked && (!byNumber || key === seq);

type ItemOf<Response> = Response extends { readonly items: readonly (infer Item)[] } ? Item : never;

/** Binds a list that is read page by page. */
export const pagedControl = <Req extends TSchema, Res extends TSchema>(
  operation: Operation<Req, Res>,
  find: (
    context: ControlContext,
    input: Static<Req>,
    asked: PageAsked,
  ) => PageFound<ItemOf<Static<Res>>> | Refusal | Promise<PageFound<ItemOf<Static<Res>>> | Refusal>,
): BoundControl =>
  control(operation, async (context, input) => {
    const {
      cursor,
      ids,
      limit = ids?.length || LIMIT,
    } = input as {
      readonly cursor?: string;
      readonly ids?: readonly string[];
      readonly limit?: number;
    };
    const after = cursor === undefined ? null : decode(operation.id, cursor);
    if (cursor !== undefined && after === null) return foreignCursor();
    const found = await find(context, input, { after, limit });
    if (!("items" in found)) return found;
    const { end, ...page } = found;
    return { ...page, next_cursor: end && encode(operation.id, end) } as Static<Res>;
  });

/**
 * A page of a list that can be narrowed, searched and sorted.
 *
 * @param itemOf the item of a row, by its `seq`; undefined when it has gone meanwhile
 */
export const pageFrom = async <Item>(
  { db }: World,
  list: List,
  query: Partial<Omit<PageQuery, keyof PageAsked>>,
  { after, limit }: PageAsked,
  itemOf: (seq: number) => Item | undefined,
): Promise<PageFound<Item> | Refusal> => {
  const { conditions = [], order = { sort: "seq", descending: true }, ...narrowed } = query;
  const name = `${order.sort} ${order.descending ? "desc" : "asc"}`;
  if (after && !canEndAt(after, name, list.orders[order.sort]?.key === "r.seq")) return foreignCursor();
  const { seqs, end, ...total } = await findPage(db, list, { ...narrowed, conditions, order, after, limit });
  return { items: seqs.flatMap((seq) => itemOf(seq) ?? []), end: end && { order: name, ...end }, ...total };
};

const NEWEST_FIRST = "seq desc";

/** The same out of rows from the newest `seq` on, one more than asked for where others follow. */
export const pageOf = <Row extends { readonly seq: number }, Item>(
  rows: readonly Row[],
  { after, limit }: PageAsked,
  total: number,
  itemOf: (row: Row) => Item,
): PageFound<Item> | Refusal => {
  if (after && !canEndAt(after, NEWEST_FIRST, true)) return foreignCursor();
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const end = last ? { order: NEWEST_FIRST, key: last.seq, seq: last.seq } : null;
  return { items: page.map(itemOf), end, total, total_is_minimum: false };
};

/** Before which `seq` a page begins that is read newest first. */
export const before = ({ after }: PageAsked): number => after?.seq ?? Number.MAX_SAFE_INTEGER;
