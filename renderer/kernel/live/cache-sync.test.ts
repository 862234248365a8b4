import { InfiniteQueryObserver, QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import type { LiveEntry } from "../../../sandbox/contract/live.ts";
import { serviceKeys, worldKeys } from "../queries/query-keys.ts";
import { createCacheSync, patchRows, prependRow } from "./cache-sync.ts";

describe("an exchange from the feed during a read of the last ones", () => {
  it("is included even if the response is older", async () => {
    const client = new QueryClient();
    const queryKey = worldKeys("w").requests("recent");
    let answer: (page: unknown) => void = () => undefined;
    const read = client.fetchQuery({ queryKey, queryFn: () => new Promise((resolve) => (answer = resolve)) });
    const row = { id: "new", operation: "repairer.jobs.get", status: 200, outcome: "read only" } as RequestRow;
    createCacheSync(client, "w").take([
      { id: 2, kind: "request", at: "2026-11-22T12:00:00.000Z", trace_id: "new", data: row },
    ]);
    await Promise.resolve();
    answer({ items: [{ id: "old" }], total: 1, total_is_minimum: false });
    await read;
    await vi.waitFor(() =>
      expect(client.getQueryData(queryKey)).toMatchObject({ items: [row, { id: "old" }], total: 2 }),
    );
  });
});

it("changes a listed delivery, job and order in place, and the open order", () => {
  const client = new QueryClient();
  const keys = worldKeys("w");
  const lists = { deliveries: keys.deliveries("all"), jobs: keys.jobs("all"), orders: keys.procurements("all") };
  for (const queryKey of Object.values(lists)) client.setQueryData(queryKey, { items: [{ id: "one" }, { id: "two" }] });
  const [row, other] = [keys.procurements("row", "two"), keys.procurements("row", "one")];
  client.setQueryData(row, { id: "two" });
  client.setQueryData(other, { id: "one" });
  const entries = [
    { id: 1, kind: "delivery", data: { id: "one", status: "delivered" } },
    { id: 2, kind: "state", data: { id: "two", entity: "job", job_id: "two", job: { id: "two", state: "deleted" } } },
    {
      id: 3,
      kind: "state",
      data: { id: "one", entity: "procurement", job_id: null, procurement: { id: "one", state: "confirmed" } },
    },
    { id: 4, kind: "state", data: { id: "two", entity: "procurement", job_id: null, procurement: null } },
  ];
  createCacheSync(client, "w").take(entries as unknown as readonly LiveEntry[]);
  expect(client.getQueryData(lists.deliveries)).toEqual({ items: [{ id: "one", status: "delivered" }, { id: "two" }] });
  expect(client.getQueryData(lists.jobs)).toEqual({ items: [{ id: "one" }, { id: "two", state: "deleted" }] });
  expect(client.getQueryData(lists.orders)).toEqual({ items: [{ id: "one", state: "confirmed" }] });
  expect([row, other].map((key) => client.getQueryData(key))).toEqual([null, { id: "one", state: "confirmed" }]);
});

it("keeps a listed job whose row the feed couldn't read", () => {
  const client = new QueryClient();
  const queryKey = worldKeys("w").jobs("all");
  client.setQueryData(queryKey, { items: [{ id: "one" }] });
  const entry = { kind: "state", data: { id: "one", entity: "job", job_id: "one" } };
  createCacheSync(client, "w").take([entry] as unknown as readonly LiveEntry[]);
  expect(client.getQueryData(queryKey)).toEqual({ items: [{ id: "one" }] });
});

it("adds a call only to recent lists of its kind", () => {
  const client = new QueryClient();
  const keys = worldKeys("w");
  const lists = [["recent"], ["recent", "changes"], ["recent", "refusals"], ["all"]].map((of) => keys.requests(...of));
  for (const queryKey of lists.toReversed()) client.setQueryData(queryKey, { items: [], total: 0 });
  const call = (id: string, status: number, operation: string) => ({
    kind: "request",
    data: { id, status, operation },
  });
  const [get, insert] = ["repairer.jobs.get", "repairer.jobs.insert"];
  const calls = [call("read", 200, get), call("change", 200, insert), call("refusal", 422, insert)];
  createCacheSync(client, "w").take(calls as unknown as readonly LiveEntry[]);
  const shown = lists.map((key) => client.getQueryData<{ items: { id: string }[] }>(key)?.items.map(({ id }) => id));
  expect(shown).toEqual([["refusal", "change", "read"], ["change"], ["refusal"], []]);
});

it("reloads after a change of the world, and everything after a reset", async () => {
  const client = new QueryClient();
  const keys = worldKeys("w");
  const queryKeys = { clock: keys.clock(), jobs: keys.jobs("all"), snapshots: serviceKeys.snapshots };
  const reads: string[] = [];
  const leaves = Object.entries(queryKeys).map(([name, queryKey]) =>
    new QueryObserver(client, { queryKey, queryFn: () => reads.push(name) }).subscribe(() => undefined),
  );
  await vi.waitFor(() => expect(reads).toHaveLength(3));
  const sync = createCacheSync(client, "w");
  const readAfter = async (act: () => void) => {
    reads.length = 0;
    act();
    await new Promise((resolve) => setTimeout(resolve, 20));
    return reads.toSorted();
  };
  const after = (what: string) =>
    readAfter(() => sync.take([{ kind: "world", data: { what } }] as unknown as readonly LiveEntry[]));
  expect([await after("clock"), await after("snapshots"), await readAfter(sync.startOver)]).toEqual([
    ["clock"],
    ["snapshots"],
    ["clock", "jobs"],
  ]);
  for (const leave of leaves) leave();
});

it("reloads only the data of the changed job", async () => {
  const client = new QueryClient();
  const reads: string[] = [];
  const leaves = ["one", "two"].map((job) => {
    const queryFn = () => reads.push(job);
    return new QueryObserver(client, { queryKey: worldKeys("w").ofJob(job), queryFn }).subscribe(() => undefined);
  });
  await vi.waitFor(() => expect(reads).toEqual(["one", "two"]));
  const entry = { kind: "state", data: { id: "p", entity: "procurement", job_id: "two" } };
  createCacheSync(client, "w").take([entry] as unknown as readonly LiveEntry[]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(reads.slice(2)).toEqual(["two"]);
  for (const leave of leaves) leave();
});

it("reloads a held list after a gap, but no hidden one", async () => {
  const client = new QueryClient();
  const read = vi.fn(() => ({ items: [] }));
  const list = { queryFn: read, initialPageParam: 0, getNextPageParam: () => undefined };
  const [held, left] = [worldKeys("w").jobs("held"), worldKeys("w").jobs("left")];
  for (const queryKey of [held, left]) await client.fetchInfiniteQuery({ ...list, queryKey });
  const observer = new InfiniteQueryObserver(client, { ...list, queryKey: held, enabled: false });
  const single = new QueryObserver(client, {
    queryKey: [...held, "one"],
    queryFn: read,
    enabled: false,
    initialData: {},
  });
  const other = { ...list, queryKey: worldKeys("other").jobs("held") };
  await client.fetchInfiniteQuery(other);
  const elsewhere = new InfiniteQueryObserver(client, { ...other, enabled: false });
  const leaves = [observer, single, elsewhere].map((one) => one.subscribe(() => undefined));
  read.mockClear();
  createCacheSync(client, "w").refreshAll();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(read).toHaveBeenCalledTimes(1);
  for (const leave of leaves) leave();
});

describe("after a gap", () => {
  /** A query of the world that is shown. */
  const shown = (client: QueryClient, queryKey: readonly unknown[], queryFn: () => unknown) =>
    new QueryObserver(client, { queryKey, queryFn, retry: false }).subscribe(() => undefined);

  it("a first read under way continues, and is repeated when it has ended", async () => {
    const client = new QueryClient();
    const answers: ((value: unknown) => void)[] = [];
    const queryKey = worldKeys("w").jobs("list");
    const rows = vi.fn(() => "row");
    const leaveRow = shown(client, [...queryKey, "one"], rows);
    await vi.waitFor(() => expect(rows).toHaveBeenCalledTimes(1));
    const leave = shown(client, queryKey, () => new Promise((resolve) => answers.push(resolve)));
    createCacheSync(client, "w").refreshAll();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(answers).toHaveLength(1);
    answers[0]?.("before");
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.("after");
    await vi.waitFor(() => expect(client.getQueryData(queryKey)).toBe("after"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([answers.length, rows.mock.calls.length]).toEqual([2, 2]);
    leave();
    leaveRow();
  });

  it("only what was read before is read again, and the service's own data", async () => {
    const client = new QueryClient();
    const reads: string[] = [];
    const leaves = [shown(client, worldKeys("w").clock(), () => reads.push("clock"))];
    leaves.push(shown(client, serviceKeys.info, () => reads.push("info")));
    await vi.waitFor(() => expect(reads).toHaveLength(2));
    const sync = createCacheSync(client, "w");
    const before = sync.alreadyRead();
    leaves.push(shown(client, worldKeys("w").policies(), () => reads.push("policies")));
    await vi.waitFor(() => expect(reads).toHaveLength(3));
    sync.refreshAll(before);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reads.slice(3).toSorted()).toEqual(["clock", "info"]);
    for (const leave of leaves) leave();
  });

  it("that was replayed, only failed reads are repeated", async () => {
    const client = new QueryClient();
    const reads: string[] = [];
    const failing = vi.fn(() => Promise.reject(new Error("no answer")));
    const leaves = [shown(client, worldKeys("w").clock(), failing)];
    leaves.push(shown(client, worldKeys("w").policies(), () => reads.push("policies")));
    await vi.waitFor(() => expect([failing.mock.calls.length, reads.length]).toEqual([1, 1]));
    await new Promise((resolve) => setTimeout(resolve, 20));
    createCacheSync(client, "w").retryFailed();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([failing.mock.calls.length, reads.length]).toEqual([2, 1]);
    for (const leave of leaves) leave();
  });
});

it("draws a list of calls once for all that came together, and not for those of other lists", async () => {
  const client = new QueryClient();
  const keys = worldKeys("w");
  const lists = { all: keys.requests("recent"), refusals: keys.requests("recent", "refusals"), jobs: keys.jobs("all") };
  for (const queryKey of Object.values(lists)) client.setQueryData(queryKey, { items: [] });
  const drawn: unknown[] = [];
  const leave = client.getQueryCache().subscribe((event) => {
    if (event.type === "updated" && event.action.type === "setState") drawn.push(event.query.queryKey);
  });
  const call = (id: string) => ({ kind: "request", data: { id, status: 200, operation: "repairer.jobs.get" } });
  const unlisted = { kind: "state", data: { id: "j", entity: "job", job_id: "j", job: { id: "j" } } };
  createCacheSync(client, "w").take([call("a"), call("b"), unlisted] as unknown as readonly LiveEntry[]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(drawn.filter((key) => key === lists.all)).toHaveLength(1);
  expect(drawn.filter((key) => key !== lists.all)).toEqual([]);
  leave();
});

describe("data of one window", () => {
  it("survives a gap of the feed and ends with its world", async () => {
    const client = new QueryClient();
    const queryKey = [...worldKeys("w").all, "install"];
    const options = { queryKey, queryFn: () => "nothing", initialData: "a key", staleTime: Number.POSITIVE_INFINITY };
    const observer = new QueryObserver(client, { ...options, meta: { ofWindow: true } });
    const leave = observer.subscribe(() => undefined);
    const sync = createCacheSync(client, "w");
    sync.refreshAll();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(client.getQueryData(queryKey)).toBe("a key");
    sync.startOver();
    await vi.waitFor(() => expect(client.getQueryData(queryKey)).toBe("nothing"));
    leave();
  });
});

describe("the failures of all worlds", () => {
  const read = vi.fn(() => "counts");
  const came = async (...entries: readonly object[]) => {
    read.mockClear();
    const client = new QueryClient();
    const observer = new QueryObserver(client, { queryKey: worldKeys("w").activity("1h"), queryFn: read });
    const leave = observer.subscribe(() => undefined);
    await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(1));
    createCacheSync(client, "w").take(entries as unknown as readonly LiveEntry[]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    leave();
    return read.mock.calls.length - 1;
  };

  it("reload only after a refused call or failed attempt", async () => {
    const call = (status: number) => ({ id: 1, kind: "request", data: { id: "c", operation: null, status } });
    const delivery = (status: string, attempts_made: number) => ({ kind: "delivery", data: { status, attempts_made } });
    expect(await came(call(200), delivery("pending", 0), delivery("delivered", 1))).toBe(0);
    for (const wrong of [call(422), call(503), call(0), delivery("pending", 1), delivery("failed", 5)])
      expect(await came(wrong), JSON.stringify(wrong)).toBe(1);
  });
});

describe("during continuous entries", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const delivery = { id: 1, kind: "delivery", at: "", trace_id: "", data: { id: "unlisted" } } as unknown as LiveEntry;
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  /** A list at its top, ten pages long, from a service that responds with its time, each page after `ms`. */
  const watched = async (ms: number) => {
    const client = new QueryClient();
    const aborted = vi.fn<() => void>();
    const observer = new InfiniteQueryObserver(client, {
      queryKey: worldKeys("w").deliveries("list"),
      queryFn: async ({ signal }) => {
        signal.addEventListener("abort", aborted);
        const at = Date.now();
        await sleep(ms);
        return { items: [{ id: String(at) }], at };
      },
      initialPageParam: 0,
      getNextPageParam: (_page, pages) => pages.length,
      staleTime: Number.POSITIVE_INFINITY,
    });
    observer.subscribe(() => undefined);
    for (let page = 0; page < 10; page += 1) {
      await vi.advanceTimersByTimeAsync(ms);
      if (page < 9) void observer.fetchNextPage();
    }
    expect(observer.getCurrentResult().data?.pages).toHaveLength(10);
    const sync = createCacheSync(client, "w");
    const happenFor = async (seconds: number) => {
      const ages: number[] = [];
      for (let tick = 0; tick < seconds * 100; tick += 1) {
        sync.take([delivery]);
        await vi.advanceTimersByTimeAsync(10);
        ages.push(Date.now() - (observer.getCurrentResult().data?.pages[0]?.at ?? 0));
      }
      return ages;
    };
    return { observer, aborted, happenFor };
  };

  it.each([30, 400])("a list that takes %i ms to read is at most that much and a moment old", async (ms) => {
    const { aborted, happenFor } = await watched(ms);
    const ages = await happenFor(5);
    expect(Math.max(...ages.slice(100))).toBeLessThanOrEqual(250 + 2 * ms + 10);
    expect(aborted).not.toHaveBeenCalled();
  });

  it("the final data is newer than the last entry", async () => {
    const { observer, happenFor } = await watched(400);
    await happenFor(1);
    const last = Date.now() - 10;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(observer.getCurrentResult().data?.pages[0]?.at).toBeGreaterThanOrEqual(last);
    expect(observer.getCurrentResult().isFetching).toBe(false);
  });

  it("a page requested before the entries doesn't count as newer", async () => {
    const { observer, happenFor } = await watched(100);
    void observer.fetchNextPage();
    const asked = Date.now();
    await happenFor(0.01);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(observer.getCurrentResult().data?.pages[0]?.at).toBeGreaterThan(asked);
  });
});

describe("78 calls a second", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const readsWhile = async (keys: readonly (readonly unknown[])[], entry: (id: number) => object) => {
    const client = new QueryClient();
    const reads: number[] = [];
    const queryFn = () => new Promise((resolve) => setTimeout(() => resolve(reads.push(Date.now())), 10));
    const leaves = keys.map((queryKey) => new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined));
    await vi.advanceTimersByTimeAsync(2_000);
    reads.length = 0;
    const sync = createCacheSync(client, "w");
    for (let id = 0; id < 780; id += 1) {
      sync.take([entry(id)] as unknown as readonly LiveEntry[]);
      await vi.advanceTimersByTimeAsync(1_000 / 78);
    }
    for (const leave of leaves) leave();
    return reads.length / 10;
  };
  const keys = worldKeys("w");
  const call = (id: number) => ({ id, kind: "request", data: { id: `c${id}`, operation: "o", status: 200 } });

  it("read the Requests page at most four times a second, even with an open call", async () => {
    const page = [keys.requests("list"), keys.summary(), keys.moments()];
    expect(await readsWhile(page, call)).toBeLessThanOrEqual(4.1);
    const open = [
      ...page,
      keys.requests("list", "newest"),
      keys.requests("one"),
      keys.requests("before"),
      keys.traces("one"),
    ];
    expect(await readsWhile(open, call)).toBeLessThanOrEqual(4.1);
  });
});

describe("a changed row", () => {
  const a = { id: "a", n: 1 };
  const b = { id: "b", n: 1 };
  const changed = { id: "b", n: 2 };
  const now = new Map([["b", changed]]);

  describe("patching rows in cached lists", () => {
    it("replaces a known row, in lists and pages", () => {
      expect(patchRows({ items: [a, b], total: 2 }, now)).toEqual({ items: [a, { id: "b", n: 2 }], total: 2 });
      expect(patchRows({ pages: [{ items: [a] }, { items: [b] }], pageParams: [] }, now)).toEqual({
        pages: [{ items: [a] }, { items: [{ id: "b", n: 2 }] }],
        pageParams: [],
      });
    });
    it("removes a deleted row", () =>
      expect(patchRows({ pages: [{ items: [a, b] }] }, new Map([["a", null]]))).toEqual({ pages: [{ items: [b] }] }));
    it("keeps the identity of lists without the row", () => {
      const list = { items: [a] };
      const pages = { pages: [list] };
      expect(patchRows(list, now)).toBe(list);
      expect(patchRows(pages, now)).toBe(pages);
      expect(patchRows(undefined, now)).toBeUndefined();
      expect(patchRows({ total: 3, nextTry: null }, now)).toEqual({ total: 3, nextTry: null });
    });
  });

  describe("prepended rows", () => {
    it("come first, count, and drop the last", () =>
      expect(prependRow({ items: [a], total: 9 }, b, 1)).toEqual({ items: [b], total: 10 }));
    it("don't count if the total is unknown", () => {
      const some = { items: [a], total: 9, total_is_minimum: true };
      expect(prependRow(some, b, 5)).toEqual({ ...some, items: [b, a] });
      expect(prependRow({ items: [a] }, b, 5)).toEqual({ items: [b, a] });
    });
    it("are not added twice", () =>
      expect(prependRow({ items: [a, b], total: 2 }, changed, 10)).toEqual({ items: [a, changed], total: 2 }));
    it("don't create a list that was not read", () => expect(prependRow(undefined, a, 10)).toBeUndefined());
  });
});
