// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act as actUi, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import { notify } from "../notices/notices.tsx";
import { useChanged } from "./changes.ts";
import { worldKeys } from "./query-keys.ts";
import { useAct, useControl } from "./use-act.ts";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("changes the world of its own view, and reloads the change even without the feed", async () => {
  takeToken("token");
  const asked = vi.fn();
  vi.stubGlobal("fetch", async (_url: string, { body }: { body: string }) => {
    asked(JSON.parse(body));
    return Response.json({ id: "new" });
  });
  window.history.replaceState(null, "", "/webhooks/one?world=first");
  const client = new QueryClient();
  const list = (world: string) => worldKeys(world).deliveries("list");
  for (const world of ["first", "second"]) client.setQueryData(list(world), { items: [] });
  const { result, unmount } = renderHook(() => useControl("deliveries.redeliver", { changes: ["delivery"] }), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  await actUi(() => result.current.mutate({ id: "one" }));
  // Switching worlds unmounts the page; the request continues.
  unmount();
  window.history.replaceState(null, "", "/webhooks?world=second");
  await waitFor(() => expect(client.getQueryState(list("first"))?.isInvalidated).toBe(true));
  expect(asked).toHaveBeenCalledWith({ id: "one", world: "first" });
  expect(client.getQueryState(list("second"))?.isInvalidated).toBe(false);
});

/** Acts in the world `first`. @returns whether the queries of its faults and of its jobs are stale afterwards */
const acting = async (act: () => Promise<string>, options: Partial<Parameters<typeof useAct<number, string>>[1]>) => {
  window.history.replaceState(null, "", "/jobs?world=first");
  const client = new QueryClient();
  const keys = worldKeys("first");
  for (const queryKey of [keys.faults(), keys.jobs()]) client.setQueryData(queryKey, {});
  const { result } = renderHook(() => useAct<number, string>(act, { changes: ["fault"], ...options }), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  await actUi(() => result.current.mutateAsync(7).catch(() => undefined));
  return [keys.faults(), keys.jobs()].map((queryKey) => client.getQueryState(queryKey)?.isInvalidated);
};

it("gives the result to its caller, and says nothing", async () => {
  const [onDone, failed] = [vi.fn(), vi.spyOn(notify, "failed")];
  expect(await acting(async () => "result", { onDone, failed: "The fault" })).toEqual([true, false]);
  expect([onDone.mock.calls, failed.mock.calls]).toEqual([[["result", 7, "first"]], []]);
});

it("reads the data again after a failure, and says so only on request", async () => {
  const [onDone, failed] = [vi.fn(), vi.spyOn(notify, "failed").mockReturnValue(undefined as never)];
  const error = new Error("no answer");
  const fails = () => Promise.reject(error);
  expect(await acting(fails, { onDone })).toEqual([true, false]);
  expect(failed).not.toHaveBeenCalled();
  await acting(fails, { onDone, failed: "The fault" });
  expect([onDone.mock.calls, failed.mock.calls]).toEqual([[], [["The fault", error]]]);
});

it("marks the queries of one job only, if a change names it", async () => {
  window.history.replaceState(null, "", "/jobs?world=first");
  const client = new QueryClient();
  const keys = worldKeys("first");
  const shown = [keys.ofJob("one"), keys.ofJob("other")];
  const { result } = renderHook(() => useChanged(), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  const staleAfter = async (job?: string) => {
    for (const queryKey of shown) client.setQueryData(queryKey, {});
    await result.current(["fault"], job);
    return shown.map((queryKey) => client.getQueryState(queryKey)?.isInvalidated);
  };
  expect([await staleAfter(), await staleAfter("ONE")]).toEqual([...[[false, false]], [true, false]]);
});
