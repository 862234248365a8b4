import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { useLive } from "../../../app/live/use-live.ts";
import { useWorld } from "../../../app/world.ts";
import { jobKeys } from "../job-keys.ts";
import { fetchCount, fetchRow, fetchRows } from "../queries.ts";
import type { JobFilter } from "./address.ts";
import { matchesText, mergedPages, type RowChanges, type RowPage } from "./merge-rows.ts";

/** At most this often a second what changed is read. */
const EVERY_MS = 250;
/** So many changed jobs are read one by one at a time; of more the top of the list tells first, the others follow. */
const ONE_BY_ONE = 16;
/** So many may wait for their turn; what changed beyond is found when the list is read anew. */
const MOST_WAITING = 500;

const readEach = async (world: string, filter: JobFilter, ids: readonly string[]): Promise<RowChanges> => {
  const [count, ...found] = await Promise.all([
    fetchCount(world, filter),
    ...ids.map((id) => fetchRow(world, filter, id)),
  ]);
  const isIn = (row: JobRow) => filter.search === "" || matchesText(row, filter.search);
  const rows = found.filter((row) => row !== null).filter(isIn);
  const present = new Set(rows.map(({ id }) => id));
  return { rows, gone: ids.filter((id) => !present.has(id)), ...count };
};

const readTop = async (world: string, filter: JobFilter): Promise<RowChanges> => {
  const { items, total, total_is_minimum } = await fetchRows(world, filter, "");
  return { rows: items, gone: [], total, total_is_minimum };
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
    const ids = [...waiting.ids];
    waiting.ids.clear();
    const show = (changes: RowChanges) =>
      client.setQueryData<InfiniteData<RowPage, string>>(
        key,
        (data) => data && { ...data, pages: [...mergedPages(data.pages, changes, by)] },
      );
    if (ids.length <= ONE_BY_ONE) return void show(await readEach(of, by, ids));
    const top = await readTop(of, by);
    show(top);
    const told = new Set(top.rows.map(({ id }) => id));
    const others = ids.filter((id) => !told.has(id));
    for (const id of others.slice(ONE_BY_ONE, MOST_WAITING)) waiting.ids.add(id);
    if (others.length > 0) show(await readEach(of, by, others.slice(0, ONE_BY_ONE)));
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
