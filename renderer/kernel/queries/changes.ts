import { type InfiniteData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useWorld } from "../world/world.ts";
import type { worldKeys } from "./query-keys.ts";

type Kind = Exclude<keyof ReturnType<typeof worldKeys>, "all" | "anyJob" | "ofJob">;

/**
 * What is read of a world, by what changes in it. The live feed and mutations mark it stale by this one table: what a
 * person does here is shown also while the feed is away.
 */
const readOf = {
  call: ["requests", "readiness", "counterparts"],
  /** A call that was refused, or an attempt that failed. */
  failure: ["activity"],
  /** A pin or a note: nothing else of a call ever changes. */
  annotation: ["requests", "requests recent one"],
  event: ["traces"],
  job: ["jobs", "procurements", "traces"],
  parts: ["jobs", "traces"],
  procurement: ["procurements", "jobs", "traces"],
  credential: ["credentials", "traces"],
  // What waited for one that ends, its drills, and the receiver that loses it.
  subscription: ["subscriptions", "deliveries", "drills", "receivers", "readiness", "traces"],
  // One to a receiver of the service itself is one that arrived there.
  delivery: ["deliveries", "subscriptions", "receivers", "drills", "traces", "readiness"],
  receiver: ["receivers", "subscriptions", "deliveries", "drills"],
  drill: ["drills", "receivers", "readiness"],
  fault: ["faults", "traces", "requests recent explain"],
  counterparts: ["counterparts"],
  // What confirming an order will set, and why a call was refused, depend on both.
  policies: ["policies", "of-job", "requests recent explain"],
  clock: ["clock", "of-job", "requests recent explain"],
  retention: ["retention"],
} as const satisfies Record<string, readonly (Kind | "of-job" | `requests recent ${string}`)[]>;

export type Entity = keyof typeof readOf;

/** What is stale once these changed, with every count, and with what is read of the jobs that they are about. */
export const staleBy = (entities: readonly Entity[], jobs: readonly string[] = []): ReadonlySet<string> =>
  new Set([
    ...entities.flatMap((entity) => readOf[entity]),
    ...jobs.map((job) => `of-job ${job.toLowerCase()}`),
    "summary",
    "moments",
  ]);

export const isInfinite = (value: unknown): value is InfiniteData<unknown> =>
  typeof value === "object" && value !== null && "pages" in value && Array.isArray(value.pages);

/** What is read of a kind of a world. */
export const ofKind = (world: string, kind: string) => ({
  queryKey: ["world", world, ...kind.split(" ")],
  // The last exchanges are kept by the feed itself, unless they are meant.
  predicate: ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    kind.startsWith("requests recent") || queryKey[3] !== "recent",
});

/** Reads a kind of a world again where it is shown, and never before its last reading has ended. */
export const readAgain = async (client: QueryClient, world: string, kind: string): Promise<void> => {
  const cache = client.getQueryCache();
  const filters = ofKind(world, kind);
  // What is being read may have left the service before the change.
  const before = cache.findAll({ ...filters, fetchStatus: "fetching" }).map(({ promise }) => promise);
  await Promise.allSettled(before);
  for (const query of cache.findAll(filters)) {
    const { data } = query.state;
    if (!isInfinite(data)) continue;
    // A list that is not on the screen begins anew when it is; one at its top shows no more than its first page.
    if (query.getObserversCount() === 0) cache.remove(query);
    else if (query.isActive())
      query.setState({ data: { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) } });
  }
  await client.invalidateQueries(filters, { cancelRefetch: false });
};

/** Says what a mutation changed in this view's world; resolves when what is shown of it was read again. */
export const useChanged = () => {
  const client = useQueryClient();
  const world = useWorld();
  return (entities: readonly Entity[], jobId?: string) =>
    Promise.all(
      [...staleBy(entities, jobId === undefined ? [] : [jobId])].map((kind) => readAgain(client, world, kind)),
    );
};
