// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import { worldKeys } from "./query-keys.ts";
import { useControl } from "./use-act.ts";

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
  await act(() => result.current.mutate({ id: "one" }));
  // Switching worlds unmounts the page; the request continues.
  unmount();
  window.history.replaceState(null, "", "/webhooks?world=second");
  await waitFor(() => expect(client.getQueryState(list("first"))?.isInvalidated).toBe(true));
  expect(asked).toHaveBeenCalledWith({ id: "one", world: "first" });
  expect(client.getQueryState(list("second"))?.isInvalidated).toBe(false);
});
