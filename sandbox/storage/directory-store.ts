import type { BusinessType } from "../contract/resources/business.ts";
import type { Address } from "../contract/resources/procurement.ts";
import type { BasketSupplier } from "../rules/procurements/offers.ts";
import type { Database } from "./database.ts";

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly scope: "repairer" | "supplier" | null;
}

export interface BusinessRow {
  readonly id: string;
  readonly organization_id: string;
  readonly type: BusinessType;
  readonly name: string;
}

export interface SiteRow extends BusinessRow {
  readonly address: Address;
  readonly currency_code: string;
  readonly reference_prefix: string;
}

const emptyAddress: Address = {
  city: null,
  country_code: null,
  name: null,
  postcode: null,
  state: null,
  street_name: null,
  street_number: null,
  suburb: null,
  unit: null,
};

const BUSINESS = "SELECT id, organization_id, type, name FROM businesses";

/** Organizations and their businesses. Cached, because only the seed writes them. */
export class DirectoryStore {
  readonly #db: Database;
  readonly #sites = new Map<string, SiteRow>();
  #insurers: BusinessRow[] | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  organizations(): OrganizationRow[] {
    return this.#db.all("SELECT id, name, scope FROM organizations ORDER BY seq");
  }

  organization(id: string): OrganizationRow | undefined {
    return this.#db.get("SELECT id, name, scope FROM organizations WHERE id = ?", id);
  }

  business(id: string): BusinessRow | undefined {
    return this.#db.get(`${BUSINESS} WHERE id = ?`, id);
  }

  listBusinesses(organizationId: string): BusinessRow[] {
    return this.#db.all(`${BUSINESS} WHERE organization_id = ? ORDER BY seq`, organizationId);
  }

  insurers(): readonly BusinessRow[] {
    this.#insurers ??= this.#db.all(`${BUSINESS} WHERE type = 'insurer' ORDER BY seq`);
    return this.#insurers;
  }

  /** @returns the site if it belongs to the organization (D34) */
  site(id: string, organizationId: string): SiteRow | undefined {
    const known = this.#sites.get(id);
    if (known) return known.organization_id === organizationId ? known : undefined;
    const row = this.#db.get<
      BusinessRow & { address: string | null; currency_code: string | null; reference_prefix: string | null }
    >(
      "SELECT id, organization_id, type, name, address, currency_code, reference_prefix FROM businesses WHERE id = ? AND organization_id = ? AND type = 'repairer_site'",
      id,
      organizationId,
    );
    if (!row) return undefined;
    const site = {
      ...row,
      address: row.address === null ? emptyAddress : (JSON.parse(row.address) as Address),
      currency_code: row.currency_code ?? "USD",
      reference_prefix: row.reference_prefix ?? "PO",
    };
    this.#sites.set(id, site);
    return site;
  }

  /** Name of the organization that owns a repairer site. */
  siteOwner(id: string): string | undefined {
    return this.#db.get<{ name: string }>(
      "SELECT o.name FROM businesses b JOIN organizations o ON o.id = b.organization_id WHERE b.id = ? AND b.type = 'repairer_site'",
      id,
    )?.name;
  }

  suppliers(): BasketSupplier[] {
    return this.#db.all(
      "SELECT id AS business_id, organization_id, name, supplier_kind AS kind FROM businesses WHERE type = 'supplier' AND supplier_kind IS NOT NULL ORDER BY seq",
    );
  }
}
