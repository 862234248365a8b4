import { QueryClient } from "@tanstack/react-query";
import { ServiceFailure, ServiceUnreachable } from "../../lib/service-failure.ts";

/** Retries only if the service is down or failed, never a refusal. */
export const shouldRetry = (failures: number, error: unknown): boolean => {
  if (error instanceof ServiceUnreachable) return failures < 3;
  if (error instanceof ServiceFailure && error.status < 500) return false;
  return failures < 1;
};

/**
 * The live feed reports changes, so nothing is refetched by age or on focus. Mutations are never retried automatically.
 */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        retryDelay: (failures) => Math.min(4000, 300 * 2 ** failures),
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
