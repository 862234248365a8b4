import { expect, it } from "vitest";
import { ServiceFailure, ServiceUnreachable } from "../../lib/service-failure.ts";
import { createQueryClient, shouldRetry } from "./query-client.ts";

it("retries three times without a response, once after a failure, never after a refusal", () => {
  const tries = (error: unknown) => [0, 1, 2, 3, 4].filter((failures) => shouldRetry(failures, error)).length;
  expect(tries(new ServiceUnreachable())).toBe(3);
  expect([500, 503].map((status) => tries(new ServiceFailure(status, "", "")))).toEqual([1, 1]);
  expect([400, 404, 499].map((status) => tries(new ServiceFailure(status, "", "")))).toEqual([0, 0, 0]);
  expect(tries(new TypeError("no field"))).toBe(1);
});

it("waits longer each time, up to 4 s, and never refetches by age or on focus", () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  const delay = queries?.retryDelay as (failures: number) => number;
  expect([0, 1, 2, 3, 4].map(delay)).toEqual([300, 600, 1_200, 2_400, 4_000]);
  const kept = { staleTime: Number.POSITIVE_INFINITY, gcTime: 300_000 };
  expect(queries).toMatchObject({ ...kept, refetchOnWindowFocus: false, retry: shouldRetry });
  expect([mutations?.retry, queries?.networkMode, mutations?.networkMode]).toEqual([false, "always", "always"]);
});
