import {
  focusManager,
  hashKey,
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { ListSource } from "../../components/list.tsx";

/** A page of a list as the service returns it. */
interface Page<Row> {
  readonly items: readonly Row[];
  readonly next_cursor: string | null;
  readonly total: number;
  readonly total_is_minimum: boolean;
}

export interface LiveListQuery<Row> {
  readonly queryKey: QueryKey;
  readonly read: (from: { readonly cursor?: string }, signal: AbortSignal) => Promise<Page<Row>>;
  /** Returns whether a changed row still matches the filter; left out: all do. */
  readonly fits?: (row: Row) => boolean;
}

interface Listed<Row> {
  readonly items: readonly Row[];
  /** How many rows of the newest page are not among the items. */
  readonly waiting: number;
  /** True if more rows wait than the page holds. */
  readonly gap: boolean;
}

/**
 * Keeps the shown rows in place with their latest content. New rows of the `newest` page wait, except opened ones,
 * which are put on top.
 */
export const withNewest = <Row extends { readonly id: string }>(
  pages: readonly Page<Row>[],
  newest: Page<Row> | undefined,
  opened: readonly string[] = [],
): Listed<Row> => {
  const shown = new Map(pages.flatMap(({ items }) => items.map((row) => [row.id, row])));
  if (newest === undefined) return { items: [...shown.values()], waiting: 0, gap: false };
  const came = newest.items.filter(({ id }) => !shown.has(id));
  for (const row of newest.items) if (shown.has(row.id)) shown.set(row.id, row);
  if (newest.next_cursor === null) {
    // The page is complete: rows missing from it were deleted.
    const there = new Set(newest.items.map(({ id }) => id));
    for (const id of [...shown.keys()]) if (!there.has(id)) shown.delete(id);
  }
  if (shown.size === 0) return { items: came, waiting: 0, gap: false };
  const chosen = came.filter(({ id }) => opened.includes(id));
  return {
    items: [...chosen, ...shown.values()],
    waiting: came.length - chosen.length,
    gap: came.length === newest.items.length,
  };
};

const anyFits = () => true;
const noneOpened: readonly string[] = [];
let holds = 0;

/** A page with the name of its list: rows of the previous list are shown until the new one is read. */
type Named<Row> = Page<Row> & { readonly name: string };

export const pagesOf = <Row>({ queryKey, read }: LiveListQuery<Row>) => {
  const name = hashKey(queryKey);
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal }): Promise<Named<Row>> => ({
      ...(await read(pageParam === null ? {} : { cursor: pageParam }, signal)),
      name,
    }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
};

/**
 * A paged list that follows its world. At its top it is the first page, read again with every change of its kind. While
 * it is held (scrolled, or with a row selected), its rows stay, the feed updates them in place, and new rows are read
 * separately and wait.
 */
export const useLiveList = <Row extends { readonly id: string }>(query: LiveListQuery<Row>) => {
  const { queryKey, read, fits = anyFits } = query;
  const client = useQueryClient();
  const [heldSince, setHeldSince] = useState<number | null>(null);
  /** Rows selected while the list is held; they stay visible. */
  const [opened, setOpened] = useState(noneOpened);
  const listName = hashKey(queryKey);
  const list = useInfiniteQuery({
    ...pagesOf(query),
    placeholderData: keepPreviousData,
    // Comparing a thousand pages for each new one would be slow.
    structuralSharing: false,
    enabled: ({ state }) => heldSince === null || state.data === undefined,
  });
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, isPlaceholderData } = list;
  const isHeld = heldSince !== null && data !== undefined && !isPlaceholderData;
  const cachedList = () => client.getQueryCache().find<InfiniteData<Named<Row>>>({ queryKey, exact: true });
  const newest = useQuery({
    queryKey: [...queryKey, "newest", heldSince],
    queryFn: async ({ signal }): Promise<Named<Row>> => ({ ...(await read({}, signal)), name: listName }),
    enabled: isHeld,
    gcTime: 0,
    // Start from the first page held; read again only if it is stale.
    initialData: () => {
      const state = isHeld ? cachedList()?.state : undefined;
      return state?.isInvalidated ? undefined : state?.data?.pages[0];
    },
  }).data;

  const renew = (heldFromStart: number | null = ++holds) => {
    const query = cachedList();
    const first = newest ?? query?.state.data?.pages[0];
    setHeldSince(heldFromStart);
    if (!query || !first) return;
    query.setState({ data: { pages: [first], pageParams: [null] } });
    // A hidden window reads no lists; what the feed changed is read when it is visible.
    if (heldFromStart === null && focusManager.isFocused()) void query.fetch().catch(() => undefined);
  };
  const hold = (holding: boolean, on: string | null) => {
    if (!holding) setOpened(noneOpened);
    else if (on !== null) setOpened((before) => (before.includes(on) ? before : [...before, on]));
    if (holding === (heldSince !== null)) return;
    if (!holding) return renew(null);
    setHeldSince(++holds);
    const query = cachedList();
    // The response would replace the rows with fewer.
    if (query?.state.data) void query.cancel({ revert: true });
  };

  const {
    items: all,
    waiting,
    gap,
  } = useMemo(() => withNewest(data?.pages ?? [], isHeld ? newest : undefined, opened), [data, isHeld, newest, opened]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query key identifies `fits`
  const items = useMemo(() => (isPlaceholderData ? all : all.filter(fits)), [all, isPlaceholderData, listName]);
  return {
    read: list,
    items,
    name: data?.pages[0]?.name ?? listName,
    counted: (isHeld ? newest : undefined) ?? data?.pages[0],
    waiting,
    gap,
    more: hasNextPage && !isFetching && !isFetchNextPageError ? () => void fetchNextPage() : undefined,
    hold,
    renew: () => renew(),
  } satisfies ListSource<Row>;
};

export type LiveList<Row extends { readonly id: string }> = ReturnType<typeof useLiveList<Row>>;
