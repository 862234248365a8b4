import { focusManager, type Query, type QueryClient } from "@tanstack/react-query";
import { changedSomething, isRefused } from "../../../sandbox/contract/control/exchange-kinds.ts";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import type { LiveEntry, WorldChange } from "../../../sandbox/contract/live.ts";
import { type Entity, isInfinite, ofKind, readAgain, staleBy } from "../queries/changes.ts";
import { serviceKeys, worldKeys } from "../queries/query-keys.ts";
import { RECENT_NOTED, RECENT_REQUESTS } from "../queries/world-queries.ts";

/** Cached lists have the shape `{items, total}` or are pages of those; other data is left alone. */
interface Row {
  readonly id: string;
}
interface Page {
  readonly items: readonly Row[];
  readonly total?: number;
  readonly total_is_minimum?: boolean;
}

/** Current rows by ID; null for a deleted one. */
type Changed = ReadonlyMap<string, Row | null>;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isPage = (value: unknown): value is Page => isRecord(value) && Array.isArray(value.items);

const patchPage = (page: Page, changed: Changed): Page => {
  if (!page.items.some(({ id }) => changed.has(id))) return page;
  return {
    ...page,
    items: page.items.flatMap((item) => {
      const now = changed.get(item.id);
      return now === null ? [] : (now ?? item);
    }),
  };
};

/** Replaces changed rows in a cached list. A list without any of them stays the same object. */
export const patchRows = (data: unknown, changed: Changed): unknown => {
  if (isPage(data)) return patchPage(data, changed);
  if (!isInfinite(data)) return data;
  const pages = data.pages.map((page) => (isPage(page) ? patchPage(page, changed) : page));
  return pages.some((page, index) => page !== data.pages[index]) ? { ...data, pages } : data;
};

/** Replaces a cached row that was read alone, under a key with `row`; null for a deleted one. */
const patchRow = (data: unknown, changed: Changed): unknown => {
  const now = isRecord(data) && typeof data.id === "string" ? changed.get(data.id) : undefined;
  return now === undefined ? data : now;
};

/** Adds a row at the front of a cached page of at most `most` rows; replaces a row that is already there. */
export const prependRow = (data: unknown, row: Row, most: number): unknown => {
  if (!isPage(data)) return data;
  if (data.items.some((item) => item.id === row.id)) return patchPage(data, new Map([[row.id, row]]));
  return {
    ...data,
    items: [row, ...data.items].slice(0, most),
    ...(data.total === undefined || data.total_is_minimum ? {} : { total: data.total + 1 }),
  };
};

/** Reads per second that one throttle allows. */
const MAX_READS_PER_SECOND = 4;
const SECOND_MS = 1_000;

/**
 * Runs `work` for a key immediately, then at most every `everyMs` and never concurrently. Calls in between cause one
 * more run at the end, so that the last change is never missed. At most four reads a second over all keys; none in a
 * hidden window until it is visible.
 *
 * @param readsOf how many reads the work for a key makes; work without reads never waits for other keys
 */
export const createThrottle = (
  everyMs: number,
  work: (key: string) => Promise<unknown>,
  readsOf: (key: string) => number = () => 1,
): ((key: string) => void) => {
  const waiting = new Set<string>();
  const underWay = new Set<string>();
  /** Times of recent reads; those of a work with more than four reads count towards the following seconds. */
  let startTimes: readonly number[] = [];
  let later: ReturnType<typeof setTimeout> | undefined;
  let stopWaiting: (() => void) | undefined;

  const run = async (key: string): Promise<void> => {
    waiting.delete(key);
    underWay.add(key);
    await Promise.allSettled([work(key), new Promise((resolve) => setTimeout(resolve, everyMs))]);
    underWay.delete(key);
    next();
  };
  const next = (): void => {
    clearTimeout(later);
    if (!focusManager.isFocused()) {
      stopWaiting ??= focusManager.subscribe(resume);
      return;
    }
    const now = Date.now();
    startTimes = startTimes.filter((at) => now - at < SECOND_MS);
    let isFull = false;
    for (const key of [...waiting].filter((one) => !underWay.has(one))) {
      const reads = readsOf(key);
      // A key that doesn't fit is not overtaken by others with fewer reads.
      isFull ||= startTimes.length > 0 && startTimes.length + reads > MAX_READS_PER_SECOND;
      if (reads > 0 && isFull) continue;
      const seconds = Array.from({ length: reads }, (_, nth) => Math.floor(nth / MAX_READS_PER_SECOND));
      startTimes = [...startTimes, ...seconds.map((second) => now + second * SECOND_MS)];
      void run(key);
    }
    const [first] = startTimes;
    if (isFull && first !== undefined) later = setTimeout(next, SECOND_MS - (now - first));
  };
  const resume = (): void => {
    if (!focusManager.isFocused()) return;
    stopWaiting?.();
    stopWaiting = undefined;
    next();
  };
  return (key) => {
    waiting.add(key);
    next();
  };
};

/** Returns whether an entry is a failure that the counts over all worlds include. */
const isFailure = ({ kind, data }: LiveEntry): boolean => {
  if (kind === "request") return isRefused(data) || data.status === 0;
  return kind === "delivery" && data.status !== "delivered" && data.attempts_made > 0;
};

/** Maps a change of the world itself to its name in the table of stale queries. */
const entityOf = {
  clock: "clock",
  policies: "policies",
  retention: "retention",
  subscriptions: "subscription",
  credentials: "credential",
  receivers: "receiver",
  faults: "fault",
  counterparts: "counterparts",
  requests: "annotation",
} as const satisfies Record<Exclude<WorldChange["what"], "snapshots">, Entity>;

type Patched = "jobs" | "procurements" | "deliveries";

/**
 * Applies the feed to the query cache. Complete rows are patched in place; everything else is marked stale and read
 * again, at most four reads a second. Reads never make anything stale, so the explorer's own calls don't trigger each
 * other.
 */
export const createCacheSync = (client: QueryClient, world: string) => {
  const keys = worldKeys(world);
  const cache = client.getQueryCache();
  const stale = createThrottle(
    250,
    (kind) => readAgain(client, world, kind),
    (kind) => cache.findAll({ ...ofKind(world, kind), type: "active" }).length,
  );

  /** Adds new calls to a list of recent calls in one update, because each update renders. */
  const prepend = (came: readonly RequestRow[], most: number, ...which: readonly string[]) => {
    const query = cache.find({ queryKey: keys.requests("recent", ...which), exact: true });
    if (!query || came.length === 0) return;
    const put = () => {
      const before: unknown = query.state.data;
      const data = came.reduce((rows: unknown, row) => prependRow(rows, row, most), before);
      if (data !== before) query.setState({ data });
    };
    put();
    // A response under way may predate these calls, so they are added to it too.
    if (query.state.fetchStatus === "fetching")
      void query.promise?.then(
        () => setTimeout(put),
        () => undefined,
      );
  };
  /** Patches listed rows without changing the time of the read, so that stale lists stay stale. */
  const patch = (kind: Patched, rows: Changed) => {
    if (rows.size === 0) return;
    for (const query of cache.findAll({ queryKey: ["world", world, kind] })) {
      const patched = query.queryKey[3] === "row" ? patchRow : patchRows;
      const data = patched(query.state.data, rows);
      if (data !== query.state.data) query.setState({ data });
    }
  };

  const newestOf = ({ queryKey }: Query) => cache.findAll({ queryKey: [...queryKey, "newest"] });
  /** Reads a held list with its newest page; a change in the meantime reads that page anyway. */
  const readHeld = async (query: Query) => {
    const startedAt = Date.now();
    const data: unknown = await query.fetch().catch(() => null);
    for (const newest of newestOf(query)) {
      if (newest.state.fetchStatus === "fetching" || newest.state.dataUpdatedAt > startedAt) continue;
      if (isInfinite(data)) newest.setData(data.pages[0]);
      else void client.invalidateQueries({ queryKey: newest.queryKey, exact: true });
    }
  };

  const alreadyRead = (): ReadonlySet<Query> => new Set(cache.findAll({ queryKey: keys.all }));

  const startOver = () => {
    void client.resetQueries({ queryKey: keys.all });
  };

  const take = (entries: readonly LiveEntry[]) => {
    const rows = { jobs: new Map(), procurements: new Map(), deliveries: new Map() } satisfies Record<Patched, Changed>;
    const jobs = new Set<string>();
    const changed = new Set<Entity>();
    const calls: RequestRow[] = [];
    for (const entry of entries) {
      const { kind, data } = entry;
      if (kind === "world") {
        if (data.what === "snapshots") void client.invalidateQueries({ queryKey: serviceKeys.snapshots });
        else changed.add(entityOf[data.what]);
        continue;
      }
      changed.add(kind === "state" ? data.entity : kind === "request" ? "call" : kind);
      if (isFailure(entry)) changed.add("failure");
      if (kind === "request") calls.push(data);
      else if (kind === "delivery") rows.deliveries.set(data.id, data);
      else if (kind === "state") {
        if (data.job !== undefined && data.job_id !== null) rows.jobs.set(data.job_id, data.job);
        if (data.procurement !== undefined) rows.procurements.set(data.id, data.procurement);
        if (data.job_id !== null) jobs.add(data.job_id);
      }
    }
    for (const kind of ["jobs", "procurements", "deliveries"] as const) patch(kind, rows[kind]);
    prepend(calls, RECENT_REQUESTS);
    prepend(calls.filter(changedSomething), RECENT_NOTED, "changes");
    prepend(calls.filter(isRefused), RECENT_NOTED, "refusals");
    // Queries of a single job are stale only if that job changed and is cached.
    const known = new Set(
      jobs.size === 0 ? [] : cache.findAll({ queryKey: keys.anyJob }).map(({ queryKey }) => queryKey[3]),
    );
    for (const kind of staleBy(
      [...changed],
      [...jobs].filter((job) => known.has(job)),
    ))
      stale(kind);
  };

  return {
    take,
    /** The world was replaced under the same name: its cached data must not be shown. */
    startOver,
    /** After a gap that the feed replayed: only failed reads are missing. */
    retryFailed: () => {
      void client.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
    },
    alreadyRead,
    /**
     * After a gap of unknown length, or before the first connection: reads everything visible again.
     *
     * @param those queries that were read or being read when the gap ended; left out: it ends now
     */
    refreshAll: (those: ReadonlySet<Query> = alreadyRead()) => {
      // Held lists are inactive, so invalidation doesn't read them. The newest page of each is the first of its read.
      const held = cache
        .findAll({ queryKey: keys.all, type: "inactive" })
        .filter((query) => query.getObserversCount() > 0 && isInfinite(query.state.data));
      const newest = new Set(held.flatMap(newestOf));
      const unread = [...those].filter(({ state }) => state.fetchStatus === "fetching" && state.data === undefined);
      void client.invalidateQueries({
        queryKey: keys.all,
        predicate: (query) => those.has(query) && !query.meta?.ofWindow && !newest.has(query),
      });
      void client.invalidateQueries({ queryKey: serviceKeys.info });
      // A first read continues instead of restarting, and its response may predate the end of the gap.
      for (const { promise, queryKey } of unread)
        void Promise.allSettled([promise]).then(() => client.invalidateQueries({ queryKey, exact: true }));
      for (const query of held) void readHeld(query);
    },
  };
};
