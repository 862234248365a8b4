// @vitest-environment jsdom
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { requestParams } from "../../domain/exchange/filter.ts";
import { requestList } from "../../features/requests/queries.ts";
import { useLiveList } from "../../kernel/lists/live-list.ts";
import { createQueryClient } from "../../kernel/queries/query-client.ts";
import { dropToken, takeToken } from "../../lib/session.ts";
import { prefetchPlace } from "./prefetch-place.ts";

const none = { items: [], next_cursor: null, total: 0, total_is_minimum: false };
const asked = (fetched: ReturnType<typeof vi.fn>, operation: string) =>
  fetched.mock.calls.filter(([address, { body } = { body: "" }]) => {
    const { limit, changes, refused } = JSON.parse(body || "{}");
    return String(address).endsWith(operation) && limit === undefined && !changes && !refused;
  });

beforeEach(() => {
  takeToken("token");
  window.history.replaceState(null, "", "/requests");
});
afterEach(() => {
  cleanup();
  dropToken("token");
  vi.unstubAllGlobals();
});

const Rows = () => <p>{useLiveList(requestList("default", requestParams.parse(""))).counted?.total} calls</p>;

it("loads a place's list before it is displayed, and only once", async () => {
  const fetched = vi.fn(async () => Response.json(none));
  vi.stubGlobal("fetch", fetched);
  const client = createQueryClient();
  await prefetchPlace(client);
  expect(asked(fetched, "requests.list")).toHaveLength(1);
  render(
    <QueryClientProvider client={client}>
      <Rows />
    </QueryClientProvider>,
  );
  screen.getByText("0 calls");
  expect(asked(fetched, "requests.list")).toHaveLength(1);
});

it("loads the open item, which later results don't evict", async () => {
  const id = "0e1f6a52-6d3b-4e87-9b1a-2c5d7e8f9a01";
  window.history.replaceState(null, "", `/requests/${id}`);
  const fetched = vi.fn(async (address: string) =>
    Response.json(address.endsWith("requests.get") ? { id, trace_id: id, at: "", integration_id: null } : none),
  );
  vi.stubGlobal("fetch", fetched);
  await prefetchPlace(createQueryClient());
  const operations = fetched.mock.calls.map(([address]) => address.split("/").at(-1));
  expect(operations).toEqual(expect.arrayContaining(["requests.get", "requests.explain", "traces.get"]));
});

it("does not wait for a slow response", async () => {
  vi.stubGlobal(
    "fetch",
    vi.fn(() => new Promise(() => undefined)),
  );
  await expect(prefetchPlace(createQueryClient())).resolves.toBeUndefined();
});

it("loads nothing without a token", async () => {
  dropToken("token");
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  await prefetchPlace(createQueryClient());
  expect(fetched).not.toHaveBeenCalled();
});
