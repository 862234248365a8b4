import type { Address } from "../../contract/resources/procurement.ts";
import { namedUuid } from "../../rules/baskets/named-uuid.ts";
import type { SupplierKind } from "../../rules/records.ts";
import type { SeedBusiness, SeedOrganization } from "./types.ts";

/** The people of the story. Everybody and every address is invented. */

export interface Site {
  readonly name: string;
  readonly currency: string;
  readonly prefix: string;
  readonly address: Address;
}

/** Where repairs are done: three sites of Tarn & Rowe, one of Brindle. */
export const sites = {
  penrose: {
    name: "Tarn & Rowe, Penrose",
    currency: "NZD",
    prefix: "TRC",
    address: {
      name: "Tarn & Rowe Collision, Penrose",
      unit: "Bay 3",
      street_number: "14",
      street_name: "Quarry Lane",
      suburb: "Penrose",
      city: "Auckland",
      state: null,
      postcode: "1061",
      country_code: "NZ",
    },
  },
  moorabbin: {
    name: "Tarn & Rowe, Moorabbin",
    currency: "AUD",
    prefix: "TRM",
    address: {
      name: "Tarn & Rowe Collision, Moorabbin",
      unit: null,
      street_number: "228-232",
      street_name: "Cormorant Drive",
      suburb: "Moorabbin",
      city: "Melbourne",
      state: "VIC",
      postcode: "3189",
      country_code: "AU",
    },
  },
  croydon: {
    name: "Tarn & Rowe, Croydon",
    currency: "GBP",
    prefix: "TRX",
    address: {
      name: "Tarn & Rowe Collision, Croydon",
      unit: "Unit 7B",
      street_number: "61A",
      street_name: "Tannery Mill Road",
      suburb: "Waddon",
      city: "Croydon",
      state: "Greater London",
      postcode: "CR0 4XZ",
      country_code: "GB",
    },
  },
  wairau: {
    name: "Brindle Panelworks, Wairau",
    currency: "NZD",
    prefix: "BPW",
    address: {
      name: "Brindle Panelworks",
      unit: null,
      street_number: "9",
      street_name: "Saltbush Place",
      suburb: "Wairau Valley",
      city: "Auckland",
      state: null,
      postcode: "0627",
      country_code: "NZ",
    },
  },
} as const satisfies Record<string, Site>;
export type SiteKey = keyof typeof sites;

/** Who buys: the groups and their sites. Only the first has a credential; the second is the neighbour it cannot see. */
export const repairers = {
  tarnRowe: { name: "Tarn & Rowe Collision", sites: ["penrose", "moorabbin", "croydon"] },
  brindle: { name: "Brindle Panelworks", sites: ["wairau"] },
} as const satisfies Record<string, { name: string; sites: readonly SiteKey[] }>;
export type RepairerKey = keyof typeof repairers;

/** Who pays. */
export const insurers = {
  longreach: "Longreach Mutual",
  ardent: "Ardent General",
  cobb: "Cobb & Vale",
  pembry: "Pembry Motor",
} as const;
export type InsurerKey = keyof typeof insurers;

/** Who sells. Only Meridian has a credential. */
export const suppliers = {
  meridian: { name: "Meridian Genuine Parts", kind: "genuine" },
  halfmoon: { name: "Halfmoon Dismantlers", kind: "dismantler" },
  corran: { name: "Corran Aftermarket", kind: "aftermarket" },
  southlight: { name: "Southlight Spares", kind: "salvage" },
  ferrow: { name: "Ferrow Driveline", kind: "mechanical" },
  kestle: { name: "Kestle Trim & Fasteners", kind: "consumables" },
} as const satisfies Record<string, { name: string; kind: SupplierKind }>;
export type SupplierKey = keyof typeof suppliers;

/** Identifiers of the story's parties: by their key, so that a changed name keeps its identifier. */
export const organizationId = (key: RepairerKey | InsurerKey | SupplierKey): string => namedUuid("organization", key);
export const businessId = (key: RepairerKey | InsurerKey | SupplierKey | SiteKey): string => namedUuid("business", key);

const keysOf = <K extends string>(table: Record<K, unknown>): K[] => Object.keys(table) as K[];

/** The group a site belongs to. */
export const repairerOf = (site: SiteKey): RepairerKey =>
  keysOf(repairers).find((key) => repairers[key].sites.some((one) => one === site)) ?? "tarnRowe";

const nothing = { address: null, currency_code: null, reference_prefix: null, supplier_kind: null } as const;

/** Organizations in the order they are listed in. */
export const seedOrganizations = (): SeedOrganization[] => [
  ...keysOf(repairers).map((key) => ({
    id: organizationId(key),
    name: repairers[key].name,
    scope: "repairer" as const,
  })),
  ...keysOf(suppliers).map((key) => ({
    id: organizationId(key),
    name: suppliers[key].name,
    scope: "supplier" as const,
  })),
  ...keysOf(insurers).map((key) => ({ id: organizationId(key), name: insurers[key], scope: null })),
];

/** Businesses, each group before its sites. */
export const seedBusinesses = (): SeedBusiness[] => [
  ...keysOf(repairers).flatMap((key): SeedBusiness[] => [
    {
      ...nothing,
      id: businessId(key),
      organization_id: organizationId(key),
      type: "repairer",
      name: repairers[key].name,
    },
    ...repairers[key].sites.map(
      (site): SeedBusiness => ({
        ...nothing,
        id: businessId(site),
        organization_id: organizationId(key),
        type: "repairer_site",
        name: sites[site].name,
        address: sites[site].address,
        currency_code: sites[site].currency,
        reference_prefix: sites[site].prefix,
      }),
    ),
  ]),
  ...keysOf(suppliers).map(
    (key): SeedBusiness => ({
      ...nothing,
      id: businessId(key),
      organization_id: organizationId(key),
      type: "supplier",
      name: suppliers[key].name,
      supplier_kind: suppliers[key].kind,
    }),
  ),
  ...keysOf(insurers).map(
    (key): SeedBusiness => ({
      ...nothing,
      id: businessId(key),
      organization_id: organizationId(key),
      type: "insurer",
      name: insurers[key],
    }),
  ),
];

/** The suppliers every basket is asked of, in the order of its columns. */
export const basketSuppliers = keysOf(suppliers).map((key) => ({
  business_id: businessId(key),
  organization_id: organizationId(key),
  name: suppliers[key].name,
  kind: suppliers[key].kind,
}));
