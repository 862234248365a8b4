import type { Database } from "../storage/database.ts";
import type { WorldSummary } from "../storage/service-database.ts";
import type { Stores } from "../storage/stores.ts";

/** How much there is in a world. */
export const summaryOf = (db: Database, { jobs, procurements, meta }: Stores): WorldSummary => {
  const counts = db.get<Pick<WorldSummary, "credentials" | "subscriptions">>(
    "SELECT (SELECT count(*) FROM credentials) AS credentials, (SELECT count(*) FROM subscriptions) AS subscriptions",
  );
  return {
    jobs: jobs.searched.total(),
    procurements: procurements.searched.total(),
    ...(counts ?? { credentials: 0, subscriptions: 0 }),
    clock_offset: meta.clockOffset(),
  };
};
