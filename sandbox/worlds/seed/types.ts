import type { BusinessType } from "../../contract/resources/business.ts";
import type { Address } from "../../contract/resources/procurement.ts";
import type { JobRecord, PartRecord, ProcurementRecord, SupplierKind } from "../../rules/records.ts";

export type { SupplierKind };

/**
 * Content of a fresh world (D83). Times are milliseconds **relative to the world's creation**, so past ones are
 * negative.
 */
export interface SeedWorld {
  readonly organizations: readonly SeedOrganization[];
  readonly businesses: readonly SeedBusiness[];
  readonly clients: readonly SeedClient[];
  readonly credentials: readonly SeedCredential[];
  readonly jobs: readonly SeedJob[];
  readonly procurements: readonly ProcurementRecord[];
}

export interface SeedOrganization {
  readonly id: string;
  readonly name: string;
  /** Null for insurers, which have no credentials here. */
  readonly scope: "repairer" | "supplier" | null;
}

export interface SeedBusiness {
  readonly id: string;
  readonly organization_id: string;
  readonly type: BusinessType;
  readonly name: string;
  /** Repairer sites: delivery address. */
  readonly address: Address | null;
  /** Repairer sites: currency of their procurements. */
  readonly currency_code: string | null;
  /** Repairer sites: prefix of procurement references. */
  readonly reference_prefix: string | null;
  /** Suppliers: kind of stock they offer. */
  readonly supplier_kind: SupplierKind | null;
}

export interface SeedClient {
  readonly client_id: string;
  readonly name: string;
  readonly client_secret: string;
  readonly oauth_enabled: boolean;
}

export interface SeedCredential {
  readonly integration_id: string;
  readonly api_key: string;
  readonly webhook_secret: string;
  readonly organization_id: string;
  readonly scope: "repairer" | "supplier";
}

export interface SeedJob extends JobRecord {
  readonly parts: readonly PartRecord[];
}
