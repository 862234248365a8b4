import { QueryClient } from "@tanstack/react-query";
import { ServiceFailure, ServiceUnreachable } from "../../lib/service-failure.ts";

/** A refusal stays a refusal; only a service that is not there, or that failed, is asked again. */
export const shouldRetry = (failures: number, error: unknown): boolean => {
  if (error instanceof ServiceUnreachable) return failures < 3;
  if (error instanceof ServiceFailure && error.status < 500) return false;
  return failures < 1;
};

/**
 * The live feed says what changed, so nothing is refetched for being old or because the window was looked at again.
 * Mutations are never repeated by themselves.
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
