import { useDebouncedValue } from "@mantine/hooks";
import { useMemo } from "react";
import { useLiveList } from "../../../app/live/live-list.ts";
import { useWorld } from "../../../app/world.ts";
import { jobList } from "../queries.ts";
import type { JobFilter } from "./address.ts";

/** The rows the filter leaves, as far as they are loaded, kept as they are in the world. */
export const useJobRows = (filter: JobFilter) => {
  const [search] = useDebouncedValue(filter.search.trim(), 120);
  const asked = useMemo(() => ({ ...filter, search }), [filter, search]);
  return { ...useLiveList(jobList(useWorld(), asked)), asked };
};

export type JobRows = ReturnType<typeof useJobRows>;
