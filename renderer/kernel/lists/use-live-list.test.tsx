// @vitest-environment jsdom
import { focusManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { createCacheSync } from "../live/cache-sync.ts";
import { readAgain } from "../queries/changes.ts";
import { worldKeys } from "../queries/query-keys.ts";
import { useLiveList } from "./live-list.ts";

afterEach(cleanup);

/** A list of the service, two rows a page, and a place that shows it. */
const listed = (rows: string) => {
  const service = { rows, reads: [] as (string | undefined)[], answer: Promise.resolve() };
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  const read = async ({ cursor }: { readonly cursor?: string }) => {
    service.reads.push(cursor);
    const from = cursor === undefined ? 0 : service.rows.indexOf(cursor) + 1;
    const ids = [...service.rows.slice(from, from + 2)];
    await service.answer;
    const next_cursor = from + 2 < service.rows.length ? (ids.at(-1) ?? null) : null;
    return { items: ids.map((id) => ({ id })), next_cursor, total: service.rows.length, total_is_minimum: false };
  };
  const { result, rerender } = renderHook(
    ({ key, not }: { key: string; not?: string }) =>
      useLiveList({
        queryKey: worldKeys("w").jobs(key),
        read,
        ...(not === undefined ? {} : { fits: ({ id }) => id !== not }),
      }),
    {
      initialProps: { key: "all" } as { key: string; not?: string },
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    },
  );
  const shown = (text: string) =>
    waitFor(() => expect(`${result.current.items.map(({ id }) => id).join("")} ${result.current.waiting}`).toBe(text));
  /** The feed says that the list changed. */
  const change = (rows: string) => {
    service.rows = rows;
    return readAgain(client, "w", "jobs");
  };
  return { client, service, list: () => result.current, rerender, shown, change };
};

it("reads page after page, each once, to the end", async () => {
  const { service, list, shown } = listed("edcba");
  await shown("ed 0");
  act(() => list().more?.());
  await waitFor(() => expect(list().items).toHaveLength(4));
  act(() => list().more?.());
  await shown("edcba 0");
  expect([list().more, service.reads, list().counted?.total]).toEqual([undefined, [undefined, "d", "b"], 5]);
});

it("offers no further page while one is read, or after that failed", async () => {
  const { service, list, shown } = listed("edcba");
  await shown("ed 0");
  const answer = Promise.withResolvers<void>();
  service.answer = answer.promise;
  act(() => list().more?.());
  await waitFor(() => expect(list().read.isFetching).toBe(true));
  expect(list().more).toBeUndefined();
  answer.reject(new Error("no answer"));
  await waitFor(() => expect(list().read.isFetching).toBe(false));
  expect([list().more, service.reads]).toEqual([undefined, [undefined, "d"]]);
  await shown("ed 0");
});

it("keeps its rows while held, and shows waiting ones on request", async () => {
  const { list, shown, change } = listed("cba");
  await shown("cb 0");
  act(() => list().hold(true, null));
  await act(() => change("dcba"));
  await shown("cb 1");
  expect([list().counted?.total, list().gap]).toEqual([4, false]);
  await act(() => change("fedcba"));
  await shown("cb 2");
  expect(list().gap).toBe(true);
  act(() => list().renew());
  await shown("fe 0");
  await act(() => change("gfedcba"));
  await shown("fe 1");
  act(() => list().hold(false, null));
  await shown("gf 0");
  await act(() => change("hgf"));
  await shown("hg 0");
});

it("isn't read in a hidden window, whose open row may leave it", async () => {
  const { service, list, shown, change } = listed("cba");
  await shown("cb 0");
  act(() => list().hold(true, null));
  focusManager.setFocused(false);
  act(() => list().hold(false, null));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(service.reads).toEqual([undefined]);
  focusManager.setFocused(undefined);
  await act(() => change("dcba"));
  await shown("dc 0");
});

it("is read even if held before", async () => {
  const { list, shown } = listed("cba");
  act(() => list().hold(true, null));
  await shown("cb 0");
});

it("stays held even if a read was in progress", async () => {
  const { service, list, shown, change } = listed("edcba");
  await shown("ed 0");
  let answer: () => void = () => undefined;
  service.answer = new Promise((resolve) => (answer = resolve));
  const changed = change("fedcba");
  await waitFor(() => expect(service.reads).toHaveLength(2));
  act(() => list().hold(true, null));
  answer();
  await changed;
  await shown("ed 1");
  expect(list().read.isError).toBe(false);
});

it("reads its page once after a gap of the feed, also while held", async () => {
  const { client, service, list, shown, change } = listed("edcba");
  await shown("ed 0");
  act(() => list().hold(true, null));
  await act(() => change("fedcba"));
  await shown("ed 1");
  service.rows = "gfedcba";
  service.reads = [];
  await act(async () => createCacheSync(client, "w").refreshAll());
  await shown("gf 0");
  expect(service.reads).toEqual([undefined]);
  // A later change waits again.
  await act(() => change("hgfedcba"));
  await shown("gf 1");
});

it("shows a row opened while waiting until the list returns to its top", async () => {
  const { list, shown, change } = listed("cba");
  await shown("cb 0");
  act(() => list().hold(true, null));
  await act(() => change("dcba"));
  await shown("cb 1");
  act(() => list().hold(true, "d"));
  await shown("dcb 0");
  act(() => list().hold(false, null));
  await act(() => change("fe"));
  await shown("fe 0");
  act(() => list().hold(true, null));
  await act(() => change("dfe"));
  await shown("fe 1");
});

it("shows all previous rows until the next list is read", async () => {
  const { service, list, rerender, shown } = listed("cba");
  await shown("cb 0");
  const before = list().name;
  let answer: () => void = () => undefined;
  service.answer = new Promise((resolve) => (answer = resolve));
  rerender({ key: "others", not: "c" });
  await shown("cb 0");
  expect(list().name).toBe(before);
  answer();
  await shown("b 0");
  expect(list().name).not.toBe(before);
});
