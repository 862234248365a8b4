import path from "node:path";
import { organizationsList } from "../../contract/control/operations.ts";
import { businessesList } from "../../contract/operations/partner.ts";
import { DEFAULT_WORLD, worldFileName } from "../../rules/world-name.ts";
import type { WorldGrowerCalls } from "../actors/world-grower.ts";
import { actorFile, type Bench } from "../bench.ts";
import { Actor } from "../processes/actor.ts";
import { type Service, startService } from "../processes/service.ts";
import { call } from "../workload.ts";

const LONGEST_GROWTH_MS = 240_000;

export interface Grown {
  readonly service: Service;
  readonly jobs: number;
}

/** A service whose default world has so many jobs, or as many as could be written in the time there is. */
export const startGrown = async (bench: Bench, wanted: number): Promise<Grown> => {
  const data = `jobs-${wanted}`;
  const empty = await startService(bench, data);
  const organizations = await call(empty, organizationsList, {});
  const businesses = await call(empty, businessesList, {});
  await empty.stop();
  const organization = organizations.items.find(({ scope }) => scope === "repairer");
  const site = businesses.items.find(({ type }) => type === "repairer_site");
  if (!organization || !site) throw new Error("The seeded world has no repairer or no site.");
  const grower = new Actor<WorldGrowerCalls>(bench.children, actorFile("world-grower"));
  const jobs = await grower.call("grow", {
    file: path.join(bench.folder, data, "worlds", worldFileName(DEFAULT_WORLD)),
    jobs: wanted,
    limitMs: LONGEST_GROWTH_MS,
    organization_id: organization.id,
    repairer_site_id: site.id,
  });
  grower.end();
  return { service: await startService(bench, data), jobs };
};
