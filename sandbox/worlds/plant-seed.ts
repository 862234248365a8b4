import type { Database } from "../storage/database.ts";
import { openStores } from "../storage/stores.ts";
import type { SeedWorld } from "./seed/types.ts";

/** Writes the seed into an empty world whose epoch is zero. */
export const plantSeed = (db: Database, seed: SeedWorld): void => {
  const stores = openStores(db);
  for (const { id, name, scope } of seed.organizations) {
    db.insert("organizations", { id, name, scope });
  }
  for (const business of seed.businesses) {
    db.insert("businesses", { ...business, address: business.address && JSON.stringify(business.address) });
  }
  // Picks the stored fields: an operator's clients and credentials may have more.
  for (const { client_id, name, client_secret, oauth_enabled } of seed.clients)
    db.insert("clients", { client_id, name, client_secret, oauth_enabled });
  for (const { integration_id, api_key, webhook_secret, organization_id, scope } of seed.credentials) {
    const keys = { integration_id, api_key, webhook_secret };
    stores.credentials.insert({ ...keys, organization_id, scope, client_id: null, preloaded: true, created_at: 0 });
  }
  for (const job of seed.jobs) {
    stores.jobs.insert(job);
    for (const part of job.parts) stores.parts.insert(job.id, part);
  }
  for (const procurement of seed.procurements) {
    stores.procurements.insert(procurement);
    for (const item of procurement.source_items) {
      if (item.job_part_id !== null) stores.parts.cover(item.job_part_id, procurement.id);
    }
  }
};
