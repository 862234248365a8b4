import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { isNotFound } from "../../lib/service-failure.ts";
import { deliveryQuery } from "../delivery/queries.ts";
import { exchangeQuery } from "./queries.ts";

afterEach(() => vi.unstubAllGlobals());

it.each([
  ["a delivery", deliveryQuery],
  ["a call", exchangeQuery],
])("finds no %s for an invalid ID, without a call to the service", async (_what, query) => {
  const fetch = vi.fn<typeof globalThis.fetch>();
  vi.stubGlobal("fetch", fetch);
  const asked = new QueryClient({ defaultOptions: { queries: { retry: false } } }).fetchQuery({
    queryKey: ["one"],
    queryFn: query("default", "receivers").queryFn as () => Promise<unknown>,
  });
  expect(await asked.catch(isNotFound)).toBe(true);
  expect(fetch).not.toHaveBeenCalled();
});
