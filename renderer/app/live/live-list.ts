import { keepPreviousData, type QueryKey, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";

/** A page of a list as the service answers it. */
export interface Page<Row> {
  readonly items: readonly Row[];
  readonly next_cursor: string | null;
  readonly total: number;
  readonly total_is_minimum: boolean;
}

export interface LiveListQuery<Row> {
  readonly queryKey: QueryKey;
  readonly read: (from: { readonly cursor?: string }, signal: AbortSignal) => Promise<Page<Row>>;
  /** Whether a row that changed while it was shown is one of the list still; left out: all are. */
  readonly fits?: (row: Row) => boolean;
}

interface Listed<Row> {
  readonly items: readonly Row[];
  /** Whether more came in above than the rows that are known. */
  readonly gap: boolean;
}

/** The rows that were shown, as far as they are known now, behind those of the `newest` page that were not among them. */
export const withNewest = <Row extends { readonly id: string }>(
  pages: readonly Page<Row>[],
  newest: Page<Row> | undefined,
): Listed<Row> => {
  const shown = new Map(pages.flatMap(({ items }) => items.map((row) => [row.id, row])));
  if (newest === undefined) return { items: [...shown.values()], gap: false };
  const came = newest.items.filter(({ id }) => !shown.has(id));
  for (const row of newest.items) if (shown.has(row.id)) shown.set(row.id, row);
  if (newest.next_cursor === null) {
    // It is all there is: what is not in it is gone.
    const there = new Set(newest.items.map(({ id }) => id));
    for (const id of [...shown.keys()]) if (!there.has(id)) shown.delete(id);
  }
  return {
    items: [...came, ...shown.values()],
    gap: newest.next_cursor !== null && came.length === newest.items.length && shown.size > 0,
  };
};

const anyFits = () => true;
let holds = 0;

/**
 * A list that is read page by page and stays as it is in the world. At its top it is its first page, which is read
 * again with every change of its kind. While somebody `hold`s it, scrolled or with a row selected, its rows stay, are
 * changed in place by the feed, and what comes in is read beside them.
 */
export const useLiveList = <Row extends { readonly id: string }>({
  queryKey,
  read,
  fits = anyFits,
}: LiveListQuery<Row>) => {
  const client = useQueryClient();
  const [heldSince, setHeldSince] = useState<number | null>(null);
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam === null ? {} : { cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    // A thousand pages are not compared with themselves for every one that comes.
    structuralSharing: false,
    enabled: ({ state }) => heldSince === null || state.data === undefined,
  });
  const { data, hasNextPage, isFetching, fetchNextPage, isPlaceholderData } = list;
  const isHeld = heldSince !== null && data !== undefined && !isPlaceholderData;
  const newest = useQuery({
    queryKey: [...queryKey, "newest", heldSince],
    queryFn: ({ signal }) => read({}, signal),
    enabled: isHeld,
    gcTime: 0,
  }).data;
  const latest = useRef({ queryKey, newest, fits });
  latest.current = { queryKey, newest, fits };

  const hold = useCallback(
    (holding: boolean) => {
      const query = client.getQueryCache().find<typeof data>({ queryKey: latest.current.queryKey, exact: true });
      const shown = query?.state.data;
      setHeldSince((since) => (holding ? (since ?? ++holds) : null));
      if (!query || !shown) return;
      if (holding) {
        void query.cancel({ revert: true });
        return;
      }
      const [first = latest.current.newest] = latest.current.newest ? [latest.current.newest] : shown.pages;
      if (first) query.setState({ data: { pages: [first], pageParams: [null] } });
      void query.fetch().catch(() => undefined);
    },
    [client],
  );
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const { items: all, gap } = useMemo(
    () => withNewest(data?.pages ?? [], isHeld ? newest : undefined),
    [data, isHeld, newest],
  );
  const items = useMemo(
    () => (isPlaceholderData ? all : all.filter((row) => latest.current.fits(row))),
    [all, isPlaceholderData],
  );
  const counted = (isHeld ? newest : undefined) ?? data?.pages[0];
  return { list, items, gap, counted, more, hold };
};

export type LiveList<Row extends { readonly id: string }> = ReturnType<typeof useLiveList<Row>>;
