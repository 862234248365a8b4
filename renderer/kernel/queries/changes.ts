import { type InfiniteData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useWorld } from "../world/world.ts";
import type { worldKeys } from "./query-keys.ts";

type Kind = Exclude<keyof ReturnType<typeof worldKeys>, "all" | "anyJob" | "ofJob">;

/**
 * Queries of a world that each kind of change makes stale. The live feed and mutations share this table, so that a
 * user's own changes are shown also while the feed is down.
 */
const readOf = {
  call: ["requests", "readiness", "counterparts"],
  /** A refused call, or a failed attempt. */
  failure: ["activity"],
  /** A pin or a note; calls change in no other way. */
  annotation: ["requests", "requests recent one"],
  event: ["traces"],
  job: ["jobs", "procurements", "traces"],
  parts: ["jobs", "traces"],
  procurement: ["procurements", "jobs", "traces"],
  credential: ["credentials", "traces"],
  // The pending deliveries and drills of a deleted one, and the receiver that loses it.
  subscription: ["subscriptions", "deliveries", "drills", "receivers", "readiness", "traces"],
  // A delivery to the test receiver also arrives there.
  delivery: ["deliveries", "subscriptions", "receivers", "drills", "traces", "readiness"],
  receiver: ["receivers", "subscriptions", "deliveries", "drills"],
  drill: ["drills", "receivers", "readiness"],
  fault: ["faults", "traces", "requests recent explain"],
  counterparts: ["counterparts"],
  // The preview of a confirmation, and the explanation of a refusal, depend on both.
  policies: ["policies", "of-job", "requests recent explain"],
  clock: ["clock", "of-job", "requests recent explain"],
  retention: ["retention"],
} as const satisfies Record<string, readonly (Kind | "of-job" | `requests recent ${string}`)[]>;

export type Entity = keyof typeof readOf;

/** Counts of everything in the world, and all counts; they are read after what they count. */
const totals: readonly string[] = ["summary", "moments"];
const counts: readonly string[] = ["readiness", "counterparts", ...totals];

/**
 * Returns the stale queries after these changes, with every count and the queries of the affected jobs. Their order is
 * that of reading: the open job or order and its calls come first, because only four reads a second are made.
 */
export const staleBy = (entities: readonly Entity[], jobs: readonly string[] = []): ReadonlySet<string> => {
  const kinds: readonly string[] = entities.flatMap((entity) => readOf[entity]);
  const isCount = (kind: string): boolean => counts.includes(kind);
  return new Set([
    ...jobs.map((job) => `of-job ${job.toLowerCase()}`),
    ...kinds.filter((kind) => kind === "requests"),
    ...kinds.filter((kind) => !isCount(kind)),
    ...kinds.filter(isCount),
    ...totals,
  ]);
};

export const isInfinite = (value: unknown): value is InfiniteData<unknown> =>
  typeof value === "object" && value !== null && "pages" in value && Array.isArray(value.pages);

/** Filters for the queries of one kind in a world. */
export const ofKind = (world: string, kind: string) => ({
  queryKey: ["world", world, ...kind.split(" ")],
  // The feed updates recent exchanges itself, so they match only if named.
  predicate: ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    kind.startsWith("requests recent") || queryKey[3] !== "recent",
});

/** Reads the visible queries of one kind again, each after its current read has ended. */
export const readAgain = async (client: QueryClient, world: string, kind: string): Promise<void> => {
  const cache = client.getQueryCache();
  const filters = ofKind(world, kind);
  // A response under way may predate the change.
  const before = cache.findAll({ ...filters, fetchStatus: "fetching" }).map(({ promise }) => promise);
  await Promise.allSettled(before);
  for (const query of cache.findAll(filters)) {
    const { data } = query.state;
    if (!isInfinite(data)) continue;
    // An unmounted list starts over when it mounts; a list at its top needs only its first page.
    if (query.getObserversCount() === 0) cache.remove(query);
    else if (query.isActive())
      query.setState({ data: { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) } });
  }
  await client.invalidateQueries(filters, { cancelRefetch: false });
};

/** Reports the changes of a mutation; resolves when the visible queries are read again. */
export const useChanged = () => {
  const client = useQueryClient();
  const world = useWorld();
  return (entities: readonly Entity[], jobId?: string) =>
    Promise.all(
      [...staleBy(entities, jobId === undefined ? [] : [jobId])].map((kind) => readAgain(client, world, kind)),
    );
};
