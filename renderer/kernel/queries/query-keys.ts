/**
 * Every key begins with the world, so that changing it never shows another world's rows. A place's own factory builds
 * on these: `worldKeys(world).jobs("list", search)`. The live feed marks them stale by their third element.
 */
export const worldKeys = (world: string) => {
  const of =
    <const K extends string>(kind: K) =>
    (...rest: readonly unknown[]) =>
      ["world", world, kind, ...rest] as const;
  return {
    all: ["world", world] as const,
    summary: of("summary"),
    jobs: of("jobs"),
    procurements: of("procurements"),
    deliveries: of("deliveries"),
    requests: of("requests"),
    traces: of("traces"),
    subscriptions: of("subscriptions"),
    drills: of("drills"),
    receivers: of("receivers"),
    credentials: of("credentials"),
    /** Progress of integrations, from their calls, deliveries and drills. */
    readiness: of("readiness"),
    organizations: of("organizations"),
    clients: of("clients"),
    policies: of("policies"),
    clock: of("clock"),
    /** Upcoming deadlines of the clock. */
    moments: of("moments"),
    /** Failures in all worlds, including this one. */
    activity: of("activity"),
    retention: of("retention"),
    faults: of("faults"),
    counterparts: of("counterparts"),
    /** Queries of one job and its procurements; changes of other jobs don't affect them. */
    ofJob: (jobId: string, ...rest: readonly unknown[]) => of("of-job")(jobId.toLowerCase(), ...rest),
    anyJob: of("of-job")(),
  };
};

/** Queries of the service, for all worlds. */
export const serviceKeys = {
  info: ["service", "info"] as const,
  worlds: ["service", "worlds"] as const,
  /** Snapshots of all worlds, including deleted ones. */
  snapshots: ["service", "snapshots"] as const,
  declarations: ["service", "declarations"] as const,
  work: ["service", "work"] as const,
  settings: ["service", "settings"] as const,
  log: ["service", "log"] as const,
  tokens: ["service", "tokens"] as const,
  audit: ["service", "audit"] as const,
  /** Calls to worlds that don't exist. */
  strays: ["service", "strays"] as const,
  scenarios: ["service", "scenarios"] as const,
  runs: ["service", "runs"] as const,
};
