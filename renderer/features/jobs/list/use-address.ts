import { useCallback, useEffect, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../../app/places.ts";
import { useJobs } from "../jobs-store.ts";
import { filterIn, type JobFilter, namesFilter, unfiltered, withFilter } from "./address.ts";

export interface Address {
  readonly filter: JobFilter;
  /** Changes the filter where it stands: going back does not walk through every letter that was typed. */
  readonly narrow: (change: Partial<JobFilter>) => void;
  /** Leaves all jobs in sight, in the order they are in. */
  readonly clear: () => void;
  /** A job's address that keeps the filter beside it. */
  readonly hrefOf: (job: Pick<JobRow, "id">) => string;
}

/**
 * Which jobs are listed, read from the address and written into it. Links to a job or to one of its tabs name no
 * filter: the list then keeps what it had, and the address is made to say so.
 */
export const useAddress = (): Address => {
  const [path, navigate] = useLocation();
  const query = useSearch();
  const kept = useJobs((state) => state.filter);
  const keep = useJobs((state) => state.keepFilter);
  const named = namesFilter(query);
  const filter = useMemo(() => filterIn(named ? query : kept), [named, query, kept]);
  useEffect(() => {
    if (named) keep(withFilter("", filter));
    else if (kept !== "") navigate(path + withFilter(query, filter), { replace: true });
  }, [named, filter, kept, keep, navigate, path, query]);
  const narrow = useCallback(
    (change: Partial<JobFilter>) => {
      const next = { ...filter, ...change };
      // Both at once: with one behind the other, what is cleared would be put back.
      keep(withFilter("", next));
      navigate(path + withFilter(query, next), { replace: true });
    },
    [filter, keep, navigate, path, query],
  );
  const clear = useCallback(() => narrow(unfiltered), [narrow]);
  const hrefOf = useCallback(({ id }: Pick<JobRow, "id">) => hrefs.job(id) + withFilter("", filter), [filter]);
  return { filter, narrow, clear, hrefOf };
};
