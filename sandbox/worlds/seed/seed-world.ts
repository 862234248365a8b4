import type { ProcurementRecord } from "../../rules/records.ts";
import { fixedClients, fixedCredentials } from "./fixed.ts";
import { jobStories } from "./job-stories.ts";
import { seedJob } from "./jobs.ts";
import { organizationId, seedBusinesses, seedOrganizations } from "./parties.ts";
import { procurementStories } from "./procurement-stories.ts";
import { procurementsOf } from "./procurements.ts";
import type { SeedJob, SeedWorld } from "./types.ts";

/** Marks what live procurements cover as ordered (D42, ordered when placed) and dates the job by its last change. */
const afterOrders = (job: SeedJob, procurements: readonly ProcurementRecord[]): SeedJob => {
  const live = procurements.filter((one) => one.status !== "cancelled");
  const ordered = new Set(live.flatMap((one) => one.source_items.map((item) => item.job_part_id)));
  return {
    ...job,
    updated_at: Math.max(job.updated_at, ...procurements.map((one) => one.updated_at)),
    parts: job.parts.map((part) => (ordered.has(part.id) ? { ...part, status: "ordered" } : part)),
  };
};

/**
 * The content of a fresh world: the same on every call and every machine (D83), all times in milliseconds relative
 * to the world's creation. Jobs are oldest first, procurements in the order they were placed.
 */
export const buildSeedWorld = (): SeedWorld => {
  const stories = jobStories.map((story) => {
    const job = seedJob(story);
    const procurements = procurementsOf(
      job,
      story,
      procurementStories.filter((plan) => plan.job === story.number),
    );
    return { job: afterOrders(job, procurements), procurements };
  });
  return {
    organizations: seedOrganizations(),
    businesses: seedBusinesses(),
    clients: [fixedClients.demo, fixedClients.no_oauth],
    credentials: [
      { ...fixedCredentials.repairer, organization_id: organizationId("tarnRowe") },
      { ...fixedCredentials.supplier, organization_id: organizationId("meridian") },
    ],
    jobs: stories.map(({ job }) => job).sort((one, other) => one.created_at - other.created_at),
    procurements: stories
      .flatMap(({ procurements }) => procurements)
      .sort((one, other) => one.created_at - other.created_at),
  };
};
