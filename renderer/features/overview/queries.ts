import { queryOptions } from "@tanstack/react-query";

const HEALTH_EVERY_MS = 15_000;

/** Whether the service can serve and write, as it says itself. */
export const healthQuery = () =>
  queryOptions({
    queryKey: ["service", "health"] as const,
    queryFn: async ({ signal }) => {
      const answer = await fetch("/__health", { cache: "no-store", signal });
      if (!answer.ok) throw new Error(`it answers ${answer.status} when asked for its health`);
      return true;
    },
    refetchInterval: HEALTH_EVERY_MS,
    retry: false,
  });
