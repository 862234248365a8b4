import { fixedClients, fixedCredentials } from "./fixed.ts";
import content from "./seed-world.json" with { type: "json" };
import type { SeedWorld } from "./types.ts";

const { organizations, businesses, jobs, procurements } = content as unknown as Omit<
  SeedWorld,
  "clients" | "credentials"
>;

/** The organization of the first business with this name. */
const organizationOf = (name: string): string =>
  businesses.find((business) => business.name === name)?.organization_id ?? "";

/**
 * The content of a fresh world: the same on every call and every machine (D83), all times in milliseconds relative
 * to the world's creation. Jobs are oldest first, procurements in the order they were placed. Everybody and every address
 * is invented. Tarn & Rowe buys and Meridian sells; the others are neighbours whom no pre-loaded credential belongs to.
 */
export const buildSeedWorld = (): SeedWorld => ({
  organizations,
  businesses,
  clients: [fixedClients.demo, fixedClients.no_oauth],
  credentials: [
    { ...fixedCredentials.repairer, organization_id: organizationOf("Tarn & Rowe Collision") },
    { ...fixedCredentials.supplier, organization_id: organizationOf("Meridian Genuine Parts") },
  ],
  jobs,
  procurements,
});
