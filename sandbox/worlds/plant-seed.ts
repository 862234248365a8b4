import type { Database } from "../storage/database.ts";
import { openStores } from "../storage/stores.ts";
import type { SeedWorld } from "./seed/types.ts";

/** Writes the seed into an empty world whose epoch is zero. */
export const plantSeed = (db: Database, seed: SeedWorld): void => {
  const stores = openStores(db);
  for (const { id, name, scope } of seed.organizations) {
    db.run("INSERT INTO organizations (id, name, scope) VALUES (?, ?, ?)", id, name, scope);
  }
  for (const business of seed.businesses) {
    db.run(
      "INSERT INTO businesses (id, organization_id, type, name, address, currency_code, reference_prefix, supplier_kind) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      business.id,
      business.organization_id,
      business.type,
      business.name,
      business.address && JSON.stringify(business.address),
      business.currency_code,
      business.reference_prefix,
      business.supplier_kind,
    );
  }
  for (const client of seed.clients) {
    db.run(
      "INSERT INTO clients (client_id, name, client_secret, oauth_enabled) VALUES (?, ?, ?, ?)",
      client.client_id,
      client.name,
      client.client_secret,
      Number(client.oauth_enabled),
    );
  }
  for (const credential of seed.credentials) {
    stores.credentials.insert({ ...credential, client_id: null, preloaded: true, created_at: 0 });
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
