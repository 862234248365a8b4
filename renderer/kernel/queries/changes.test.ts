import { InfiniteQueryObserver, QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import { isInfinite, ofKind, readAgain, staleBy } from "./changes.ts";
import { worldKeys } from "./query-keys.ts";

it("makes the lists of each change stale, the queries of its jobs, and every count", () => {
  expect([...staleBy(["job", "fault"], ["ABC"])].toSorted()).toEqual([
    ...["faults", "jobs", "moments", "of-job abc", "procurements", "requests recent explain", "summary", "traces"],
  ]);
  expect([...staleBy([])].toSorted()).toEqual(["moments", "summary"]);
});

it("reads the open order and its calls before lists, and lists before counts", () => {
  const kinds = [...staleBy(["procurement", "event", "call"], ["abc"])];
  expect(kinds.slice(0, 3)).toEqual(["of-job abc", "requests", "procurements"]);
  expect(kinds.slice(-4)).toEqual(["readiness", "counterparts", "summary", "moments"]);
});

it("leaves recent exchanges to the feed, unless they are named", () => {
  const keys = worldKeys("w");
  const isStale = (kind: string, queryKey: readonly unknown[]) => ofKind("w", kind).predicate({ queryKey });
  expect([isStale("requests", keys.requests("list")), isStale("requests", keys.requests("recent"))]).toEqual([
    ...[true, false],
  ]);
  expect(isStale("requests recent one", keys.requests("recent", "one"))).toBe(true);
  expect(ofKind("w", "requests recent one").queryKey).toEqual(keys.requests("recent", "one"));
});

it("knows the pages of a list from other data", () => {
  const values = [{ pages: [] }, { pages: "none" }, { items: [] }, null, undefined, "pages"];
  expect(values.map(isInfinite)).toEqual([true, false, false, false, false, false]);
});

describe("reading again", () => {
  const list = { initialPageParam: 0, getNextPageParam: (_page: unknown, pages: readonly unknown[]) => pages.length };
  const key = worldKeys("w").jobs("list");
  /** A list of the service with two pages read. */
  const read = async (enabled?: boolean) => {
    const client = new QueryClient({
      defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
    });
    const queryFn = vi.fn(async ({ pageParam }: { readonly pageParam: unknown }) => pageParam);
    await client.fetchInfiniteQuery({ ...list, queryKey: key, queryFn, pages: 2 } as never);
    const observer = new InfiniteQueryObserver(client, {
      ...list,
      queryKey: key,
      queryFn,
      ...(enabled === false ? { enabled } : {}),
    });
    const leave = enabled === undefined ? () => undefined : observer.subscribe(() => undefined);
    queryFn.mockClear();
    return { client, queryFn, leave, pages: () => client.getQueryData<{ pages: unknown[] }>(key)?.pages };
  };

  it("reads one page of a list that is shown, and drops one that isn't", async () => {
    const shown = await read(true);
    await readAgain(shown.client, "w", "jobs");
    expect([shown.queryFn.mock.calls.length, shown.pages()]).toEqual([1, [0]]);
    shown.leave();
    const left = await read();
    await readAgain(left.client, "w", "jobs");
    expect([left.queryFn.mock.calls.length, left.pages()]).toEqual([0, undefined]);
  });

  it("keeps all pages of a held list, and the lists of other kinds and worlds", async () => {
    const held = await read(false);
    await readAgain(held.client, "w", "jobs");
    expect([held.queryFn.mock.calls.length, held.pages()]).toEqual([0, [0, 1]]);
    held.leave();
    const other = await read();
    await readAgain(other.client, "w", "procurements");
    await readAgain(other.client, "other", "jobs");
    expect(other.pages()).toEqual([0, 1]);
  });

  it("waits for a response under way, which may be older than the change", async () => {
    const client = new QueryClient();
    const answers: ((value: string) => void)[] = [];
    const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
    const observer = new QueryObserver(client, { queryKey: worldKeys("w").clock(), queryFn });
    const leave = observer.subscribe(() => undefined);
    const again = readAgain(client, "w", "clock");
    expect(answers).toHaveLength(1);
    answers[0]?.("before");
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.("after");
    await again;
    expect(observer.getCurrentResult().data).toBe("after");
    leave();
  });
});
