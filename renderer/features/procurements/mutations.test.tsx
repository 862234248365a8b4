// @vitest-environment jsdom
import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { jobProcurementsQuery, procurementRowQuery } from "../../domain/procurement/queries.ts";
import type { KeyedCredential } from "../../kernel/credentials/acting.ts";
import { createQueryClient } from "../../kernel/queries/query-client.ts";
import { takeToken } from "../../lib/session.ts";
import { useMove } from "./mutations.ts";
import { movesQuery, viewQuery } from "./queries.ts";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  window.history.replaceState(null, "", "/");
});

const row = { id: "1ee71fb8-d7e5-585e-b7df-371921cb2122", job_id: "job" };
const credential = { api_key: "sbx_2", integration_id: "i", scope: "supplier" } as KeyedCredential;

/** A service without a feed, in which one order is confirmed by its call. */
const serviceWithoutFeed = () => {
  let status = "order_requested";
  let worlds: readonly string[] = [];
  vi.stubGlobal("fetch", async (path: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
    const operation = path.split("/").at(-1) ?? "";
    worlds = [...worlds, headers["x-sandbox-tenant"] ?? (JSON.parse(body) as { world?: string }).world ?? "default"];
    if (operation === "supplier.procurements.confirm") status = "order_confirmed";
    const order = { id: row.id, status };
    return new Response(JSON.stringify(operation.endsWith(".list") ? { items: [order] } : order));
  });
  return { calledIn: () => new Set(worlds) };
};

it("a confirmed order is shown as confirmed everywhere, even without the feed", async () => {
  takeToken("token");
  const service = serviceWithoutFeed();
  window.history.replaceState(null, "", "/procurements/order?world=qa");
  const client = createQueryClient();
  const hook = renderHook(
    () => ({
      confirm: useMove("supplier.procurements.confirm", row),
      shown: [
        useQuery(procurementRowQuery("qa", row.id)).data?.status,
        useQuery(viewQuery("qa", "supplier", row, credential)).data?.status,
        useQuery(movesQuery("qa", row.id)).data?.items[0]?.status,
        useQuery(jobProcurementsQuery("qa", "job")).data?.[0]?.status,
      ],
    }),
    { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> },
  );
  const all = (status: string) => expect(hook.result.current.shown).toEqual(Array(4).fill(status));
  await waitFor(() => all("order_requested"));
  act(() => hook.result.current.confirm.mutate(credential));
  await waitFor(() => expect(hook.result.current.confirm.isSuccess).toBe(true));
  all("order_confirmed");
  expect(service.calledIn()).toEqual(new Set(["qa"]));
});
