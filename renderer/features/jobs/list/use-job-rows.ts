import { useDebouncedValue } from "@mantine/hooks";
import { useMemo, useRef } from "react";
import { useLiveList } from "../../../app/live/live-list.ts";
import { useWorld } from "../../../app/world.ts";
import { jobList } from "../queries.ts";
import type { JobFilter } from "./address.ts";

/** The rows the filter leaves, as far as they are loaded, kept as they are in the world. */
export const useJobRows = (filter: JobFilter) => {
  const [search] = useDebouncedValue(filter.search.trim(), 120);
  const asked = useMemo(() => ({ ...filter, search }), [filter, search]);
  const { items: rows, counted, ...jobs } = useLiveList(jobList(useWorld(), asked));
  const name = JSON.stringify(asked);
  const shownName = useRef(name);
  if (!jobs.list.isPlaceholderData) shownName.current = name;
  return {
    ...jobs,
    asked,
    rows,
    /** Of what list the rows are: until another one is read, those of the one before stand. */
    listName: shownName.current,
    isKnown: counted !== undefined,
    total: counted?.total ?? 0,
    /** Whether there are more than `total`: too many to count. */
    atLeast: counted?.total_is_minimum ?? false,
  };
};

export type JobRows = ReturnType<typeof useJobRows>;
