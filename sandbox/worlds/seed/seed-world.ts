import { fixedClients, fixedCredentials } from "./fixed.ts";
import content from "./seed-world.json" with { type: "json" };
import type { SeedWorld } from "./types.ts";

const { organizations, businesses, jobs, procurements } = content as unknown as Omit<
  SeedWorld,
  "clients" | "credentials"
>;

/** Organization of the first business with this name. */
const findOrganizationId = (name: string): string =>
  businesses.find((business) => business.name === name)?.organization_id ?? "";

/**
 * Content of a fresh world. Deterministic on every machine (D83); times are milliseconds relative to the world's
 * creation. Jobs are oldest first, procurements in placement order. All people and addresses are invented. Tarn & Rowe
 * buys and Meridian sells; other organizations have no pre-loaded credential.
 */
export const buildSeedWorld = (): SeedWorld => ({
  organizations,
  businesses,
  clients: [fixedClients.demo, fixedClients.no_oauth],
  credentials: [
    { ...fixedCredentials.repairer, organization_id: findOrganizationId("Tarn & Rowe Collision") },
    { ...fixedCredentials.supplier, organization_id: findOrganizationId("Meridian Genuine Parts") },
  ],
  jobs,
  procurements,
});
