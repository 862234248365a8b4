import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef } from "react";
import { useWorld } from "../../../app/world.ts";
import { jobListQuery } from "../queries.ts";
import type { JobFilter } from "./address.ts";
import { useLiveRows } from "./live-rows.ts";

/** The rows the filter leaves, as far as they are loaded, kept as they are in the world. */
export const useJobRows = (filter: JobFilter) => {
  const [search] = useDebouncedValue(filter.search.trim(), 120);
  const asked = useMemo(() => ({ ...filter, search }), [filter, search]);
  const list = useInfiniteQuery(jobListQuery(useWorld(), asked));
  useLiveRows(asked);
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const first = list.data?.pages[0];
  const name = JSON.stringify(asked);
  const shownName = useRef(name);
  if (!list.isPlaceholderData) shownName.current = name;
  return {
    asked,
    list,
    rows,
    /** Of what list the rows are: until another one is read, those of the one before stand. */
    listName: shownName.current,
    more,
    isKnown: first !== undefined,
    total: first?.total ?? 0,
    /** Whether there are more than `total`: too many to count. */
    atLeast: first?.total_is_minimum ?? false,
  };
};

export type JobRows = ReturnType<typeof useJobRows>;
