import type { ControlOperations } from "../contract/control/all-operations.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import type { RequestOf, ResponseOf } from "../contract/operation.ts";
import { findPage, type List, type PageQuery, type Position, type Total } from "../storage/lists.ts";
import { mapSliced } from "../storage/slices.ts";
import { type BoundControl, type ControlContext, control } from "./handler.ts";

/** Last row of a page, and the page's sort order. */
interface PageEnd extends Position {
  readonly order: string;
}

const encode = (list: string, { order, key, seq }: PageEnd): string =>
  Buffer.from(JSON.stringify([list, order, key, seq])).toString("base64url");

/** Null if the text isn't a cursor of this list. */
const decode = (list: string, cursor: string): PageEnd | null => {
  try {
    const read = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")) as readonly unknown[];
    const [of, order, key, seq] = read;
    const isKey = typeof key === "string" || typeof key === "number";
    const isEnd = of === list && typeof order === "string" && isKey && Number.isSafeInteger(seq);
    return isEnd ? ({ order, key, seq } as PageEnd) : null;
  } catch {
    return null;
  }
};

interface PageRequest {
  /** Null for the first page. */
  readonly after: PageEnd | null;
  readonly limit: number;
}

/** Items of a page, with its end if another page follows. */
export interface PageFound<Item> extends Total {
  readonly items: readonly Item[];
  readonly end: PageEnd | null;
}

const LIMIT = 100;

/** Refusal for a cursor of another list or order. */
const refuseForeignCursor = (): Refusal =>
  refuse("bad_request", "/cursor must be the next_cursor of an earlier page of the same list");

interface ListParameters {
  readonly cursor?: string;
  readonly ids?: readonly string[];
  readonly limit?: number;
}

type ItemOf<Response> = Response extends { readonly items: readonly (infer Item)[] } ? Item : never;
type FoundPage<Id extends keyof ControlOperations> = PageFound<ItemOf<ResponseOf<ControlOperations[Id]>>> | Refusal;

export const pagedControl = <Id extends keyof ControlOperations>(
  id: Id,
  find: (
    context: ControlContext,
    input: RequestOf<ControlOperations[Id]>,
    page: PageRequest,
  ) => FoundPage<Id> | Promise<FoundPage<Id>>,
): BoundControl =>
  control(id, async (context, input) => {
    const { cursor, ids, limit = ids?.length || LIMIT } = input as ListParameters;
    const after = cursor === undefined ? null : decode(id, cursor);
    if (cursor !== undefined && after === null) return refuseForeignCursor();
    const found = await find(context, input, { after, limit });
    if (!("items" in found)) return found;
    const { end, ...page } = found;
    return { ...page, next_cursor: end && encode(id, end) } as ResponseOf<ControlOperations[Id]>;
  });

/**
 * Reads a page of a list with filters, search and sorting.
 *
 * @param itemOf maps a `seq` to its item; undefined if the row was deleted meanwhile
 */
export const readPage = async <Item>(
  { world: { db }, inSlices }: Pick<ControlContext, "world" | "inSlices">,
  list: List,
  query: Partial<Omit<PageQuery, keyof PageRequest>>,
  { after, limit }: PageRequest,
  itemOf: (seq: number) => Item | undefined,
): Promise<PageFound<Item> | Refusal> => {
  const { conditions = [], order = { sort: "seq", descending: true }, ...narrowed } = query;
  const name = `${order.sort} ${order.descending ? "desc" : "asc"}`;
  if (after && after.order !== name) return refuseForeignCursor();
  return inSlices(function* () {
    const { seqs, end, ...total } = yield* findPage(db, list, { ...narrowed, conditions, order, after, limit });
    return { items: yield* mapSliced(seqs, itemOf), end: end && { order: name, ...end }, ...total };
  });
};

const NEWEST_FIRST = "seq desc";

/** Builds a page from rows in descending `seq`. Expects one more than requested if another page follows. */
export const toPage = <Row extends { readonly seq: number }, Item>(
  rows: readonly Row[],
  { after, limit }: PageRequest,
  total: number,
  itemOf: (row: Row) => Item,
): PageFound<Item> | Refusal => {
  if (after && after.order !== NEWEST_FIRST) return refuseForeignCursor();
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const end = last ? { order: NEWEST_FIRST, key: last.seq, seq: last.seq } : null;
  return { items: page.map(itemOf), end, total, total_is_minimum: false };
};

/** Upper bound of `seq` for a page in descending order. */
export const upperBound = ({ after }: PageRequest): number => after?.seq ?? Number.MAX_SAFE_INTEGER;
