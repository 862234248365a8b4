import type { Bench } from "../bench.ts";
import type { BenchOptions } from "../options.ts";
import type { Row } from "../row.ts";
import { measureColdStart } from "./cold-start.ts";
import { measureDeliveries } from "./deliveries.ts";
import { measureExplorer } from "./explorer.ts";
import { measureIdleWorlds } from "./idle-worlds.ts";
import { measureJobsGet } from "./jobs-get.ts";
import { measureJobsInsert } from "./jobs-insert.ts";
import { measureManyJobs } from "./many-jobs.ts";
import { measureMemory } from "./memory.ts";
import { measureNewWorld } from "./new-world.ts";
import { measurePeers } from "./peers.ts";
import { measureSubscribed } from "./subscribed.ts";

export interface Group {
  /** What `--only` takes. */
  readonly name: string;
  readonly about: string;
  readonly measure: (bench: Bench) => Promise<Row[]>;
}

/** Everything that can be measured, in the order of the table. */
export const groups: readonly Group[] = [
  { name: "jobs.get", about: "reads", measure: measureJobsGet },
  { name: "jobs.insert", about: "durable mutations", measure: measureJobsInsert },
  { name: "subscribed", about: "durable mutations that a subscriber is told of", measure: measureSubscribed },
  { name: "deliveries", about: "a backlog of notifications, drained", measure: measureDeliveries },
  { name: "cold-start", about: "from spawn to the first answer", measure: measureColdStart },
  { name: "memory", about: "resident memory, idle and after many mutations", measure: measureMemory },
  { name: "many-jobs", about: "a world with very many jobs beside one with few", measure: measureManyJobs },
  { name: "new-world", about: "the first call to a world", measure: measureNewWorld },
  { name: "idle-worlds", about: "thousands of worlds that nobody calls", measure: measureIdleWorlds },
  { name: "peers", about: "other ways to mock an API (with --peers)", measure: measurePeers },
];

/** What needs a browser. */
export const explorerGroups: readonly Group[] = [
  { name: "explorer", about: "the explorer in a real browser", measure: measureExplorer },
];

/**
 * What a command line asks for: all of the service but the peers, or what it names; the peers too when it says so.
 * The explorer is measured by itself.
 */
export const wantedGroups = ({
  only,
  peers,
  explorer,
}: Pick<BenchOptions, "only" | "peers" | "explorer">): readonly Group[] =>
  explorer
    ? explorerGroups
    : groups.filter(({ name }) => (name === "peers" && peers) || (only ? only.includes(name) : name !== "peers"));
