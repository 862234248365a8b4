import { fixedClients, fixedCredentials } from "../../contract/demo-values.ts";
import type { Address } from "../../contract/resources/procurement.ts";
import type { JobRecord, PartRecord, ProcurementRecord, SupplierKind } from "../../rules/records.ts";
import type { ClientRow, CredentialRow } from "../../storage/credentials-store.ts";
import type { BusinessRow, OrganizationRow } from "../../storage/directory-store.ts";
import content from "./seed-world.json" with { type: "json" };

/**
 * Content of a fresh world (D83). Times are milliseconds **relative to the world's creation**, so past ones are
 * negative.
 */
export interface SeedWorld {
  readonly organizations: readonly OrganizationRow[];
  readonly businesses: readonly SeedBusiness[];
  readonly clients: readonly ClientRow[];
  readonly credentials: readonly Omit<CredentialRow, "client_id" | "preloaded" | "created_at">[];
  readonly jobs: readonly SeedJob[];
  readonly procurements: readonly ProcurementRecord[];
}

/** Fields of a type are null for the other types. */
interface SeedBusiness extends BusinessRow {
  /** Repairer sites: delivery address, and the currency and reference prefix of their orders. */
  readonly address: Address | null;
  readonly currency_code: string | null;
  readonly reference_prefix: string | null;
  /** Suppliers: kind of stock they offer. */
  readonly supplier_kind: SupplierKind | null;
}

interface SeedJob extends JobRecord {
  readonly parts: readonly PartRecord[];
}

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
