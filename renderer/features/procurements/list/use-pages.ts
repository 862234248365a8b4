import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useWorld } from "../../../app/world.ts";
import type { ProcurementFilter } from "../address.ts";
import { procurementPagesQuery } from "../list-queries.ts";

/** The filter as it is asked for: what is typed a moment after the last letter, everything else at once. */
export const useAsked = (filter: ProcurementFilter): ProcurementFilter => {
  const [search] = useDebouncedValue(filter.search.trim(), 120);
  return useMemo(() => ({ ...filter, search }), [filter, search]);
};

/** The procurements a filter leaves, as far as they were read, and what reads on. */
export const usePages = (filter: ProcurementFilter) => {
  const pages = useInfiniteQuery(procurementPagesQuery(useWorld(), filter));
  const items = useMemo(() => pages.data?.pages.flatMap((page) => page.items) ?? [], [pages.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { pages, items, more };
};
