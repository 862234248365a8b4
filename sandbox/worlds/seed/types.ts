import type { BusinessType } from "../../contract/resources/business.ts";
import type { Address } from "../../contract/resources/procurement.ts";
import type { JobRecord, PartRecord, ProcurementRecord, SupplierKind } from "../../rules/records.ts";

export type { SupplierKind };

/**
 * The content every fresh world starts with (D83). All times in it are milliseconds **relative to the world's
 * creation**, so they are negative for what happened before.
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
  /** Null for insurers: they hold no credentials here. */
  readonly scope: "repairer" | "supplier" | null;
}

export interface SeedBusiness {
  readonly id: string;
  readonly organization_id: string;
  readonly type: BusinessType;
  readonly name: string;
  /** Repairer sites: where parts are delivered. */
  readonly address: Address | null;
  /** Repairer sites: the currency its procurements are in. */
  readonly currency_code: string | null;
  /** Repairer sites: the letters its procurement references start with. */
  readonly reference_prefix: string | null;
  /** Suppliers: what kind of stock they answer with. */
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
