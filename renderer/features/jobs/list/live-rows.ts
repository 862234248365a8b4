import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { useLive } from "../../../app/live/use-live.ts";
import { useWorld } from "../../../app/world.ts";
import { jobKeys } from "../job-keys.ts";
import { fetchCount, fetchThese } from "../queries.ts";
import type { JobFilter } from "./address.ts";
import { mergedPages, type RowChanges, type RowPage } from "./merge-rows.ts";

/** At most this often a second what changed is read. */
const EVERY_MS = 250;
/** So many changed jobs are read at a time: as many as a list takes ids. */
const MOST_READ = 500;

const readChanged = async (world: string, filter: JobFilter, ids: readonly string[]): Promise<RowChanges> => {
  const [count, rows] = await Promise.all([fetchCount(world, filter), fetchThese(world, filter, ids)]);
  const present = new Set(rows.map(({ id }) => id));
  return { rows, gone: ids.filter((id) => !present.has(id)), ...count };
};

/** Keeps the loaded rows as they are in the world, without reading the list again. */
export const useLiveRows = (filter: JobFilter): void => {
  const client = useQueryClient();
  const world = useWorld();
  const latest = useRef({ world, filter });
  latest.current = { world, filter };
  const waiting = useMemo(() => ({ ids: new Set<string>(), timer: 0, reading: false }), []);
  useEffect(() => () => clearTimeout(waiting.timer), [waiting]);

  const read = async () => {
    const { world: of, filter: by } = latest.current;
    const key = jobKeys(of).rows(by);
    // A page that is being loaded goes behind the rows that were there when it was asked for.
    if (client.isFetching({ queryKey: key, exact: true }) > 0) return;
    const ids = [...waiting.ids].slice(0, MOST_READ);
    for (const id of ids) waiting.ids.delete(id);
    const changes = await readChanged(of, by, ids);
    client.setQueryData<InfiniteData<RowPage, string>>(
      key,
      (data) => data && { ...data, pages: [...mergedPages(data.pages, changes, by)] },
    );
  };
  const soon = () => {
    if (waiting.timer !== 0 || waiting.reading) return;
    waiting.timer = window.setTimeout(() => {
      waiting.timer = 0;
      waiting.reading = true;
      void read()
        // A service that is away tells again what changed when it is back.
        .catch(() => undefined)
        .finally(() => {
          waiting.reading = false;
          if (waiting.ids.size > 0) soon();
        });
    }, EVERY_MS);
  };
  useLive("state", (entries) => {
    for (const { data } of entries) if (data.job_id !== null) waiting.ids.add(data.job_id);
    if (waiting.ids.size > 0) soon();
  });
};
