import { identifierKey, type VehicleIdentifier } from "../rules/vehicles/vehicle-identifiers.ts";
import type { Database } from "./database.ts";

/** Vehicle identifiers queued for later use. */
export class VehiclesStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Queues an identifier, once for each organization (D63). @returns whether it was new */
  queue(organizationId: string, identifier: VehicleIdentifier, at: number): boolean {
    return (
      this.#db.run(
        "INSERT OR IGNORE INTO vehicle_identifiers (organization_id, identity, document, queued_at) VALUES (?, ?, ?, ?)",
        organizationId,
        identifierKey(identifier),
        JSON.stringify(identifier),
        this.#db.toStored(at),
      ).changes > 0
    );
  }
}
