import type { ProcurementStatus } from "../contract/values.ts";
import type { JobRecord, ProcurementRecord } from "../rules/records.ts";
import { Database } from "../storage/database.ts";
import { searchVariants } from "../storage/folded.ts";
import type { Order } from "../storage/lists.ts";
import { openStores, type Stores } from "../storage/stores.ts";
import { buildSeedWorld } from "../worlds/seed/seed-world.ts";

const seed = buildSeedWorld();
const sites = ["site-a", "site-b", "site-c"];
const providers = [null, "provider-a", "provider-b"];
const suppliers = seed.businesses.filter((one) => one.type === "supplier");
const [sample] = seed.procurements;

/** Opens a world with suppliers but without the rest of the seed. */
export const openWithSuppliers = (file: string): { readonly db: Database; readonly stores: Stores } => {
  const db = new Database(file, { durability: "off" });
  const insert = "INSERT INTO businesses (id, organization_id, type, name) VALUES (?, 'organization', 'supplier', ?)";
  for (const { id, name } of suppliers) db.run(insert, id, name);
  return { db, stores: openStores(db) };
};

/** A deterministic random number generator. */
export const randomNumbers = (start: number): ((sides: number) => number) => {
  let state = start;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
};

export const job = (number: number, roll: (sides: number) => number): JobRecord => ({
  id: `${number.toString(16).padStart(8, "0")}-${roll(65_536).toString(16).padStart(4, "0")}-4000-8000-0000000000${roll(90) + 10}`,
  organization_id: "organization",
  repairer_site_id: sites[roll(3)] ?? "",
  external_id: `estimate:${number}`,
  job_number: number % 7 === 0 ? null : `J-${number}`,
  claim_number: roll(2) === 0 ? null : `CLM ${roll(100_000)}/É`,
  vehicle:
    roll(5) === 0
      ? null
      : {
          chassis_number: `JM0${"ABCDEFGH"[roll(8)]}${roll(1_000_000)}`,
          plate_number: `${"ABCÄß%_"[roll(7)]}${"XYZ"[roll(3)]}${roll(900)}`,
          plate_state: null,
        },
  vehicle_variant: null,
  work_provider_id: providers[roll(3)] ?? null,
  images: [],
  created_at: number * 1_000 - roll(5_000),
  updated_at: number * 1_000 + roll(3_000_000),
});

const part = (id: string) => ({
  id,
  description: "door",
  external_id: null,
  ghca_id: null,
  note: null,
  quantity: 1,
  status: "estimated" as const,
});

export const procurement = (
  id: string,
  of: JobRecord,
  status: ProcurementStatus,
  roll: (sides: number) => number,
): ProcurementRecord => {
  if (!sample) throw new Error("the seed has no procurement");
  return {
    ...sample,
    id,
    job_id: of.id,
    status,
    reference: `PO-${roll(10_000)}`,
    buyer_business_id: of.repairer_site_id,
    supplier_business_id: suppliers[roll(suppliers.length)]?.id ?? "",
    created_at: of.created_at + roll(10_000),
    updated_at: of.updated_at + roll(10_000),
    source_items: [],
    offered_items: [],
  };
};
const statuses = ["order_requested", "order_confirmed", "cancelled"] as const;

/** Adds parts and orders to a job. */
export const addPartsAndOrders = (
  { parts, procurements }: Stores,
  of: JobRecord,
  roll: (sides: number) => number,
): void => {
  if (roll(3) === 0) return;
  parts.insert(of.id, part(`part of ${of.id}`));
  for (const [index, status] of statuses.entries())
    if (roll(4) === 0) procurements.insert(procurement(`${of.id.slice(0, -2)}a${index}`, of, status, roll));
};

export interface Row {
  readonly seq: number;
  readonly id: string;
  readonly texts: readonly (string | null)[];
  /** Filter values by column. */
  readonly kinds: Readonly<Record<string, string | null>>;
  readonly keys: Readonly<Record<string, string | number>>;
}

type StoredRow = Readonly<Record<string, string | number | null>> & { seq: number; id: string };

const searchedTexts = (row: StoredRow, ...names: readonly string[]) => names.map((name) => row[name] as string | null);

export const jobRows = (db: Database): Row[] => {
  const had = new Map<string, Set<string>>();
  for (const { job_id, what } of db.all<{ job_id: string; what: string }>(
    "SELECT job_id, status AS what FROM procurements UNION ALL SELECT job_id, 'parts' FROM job_parts",
  ))
    had.set(job_id, (had.get(job_id) ?? new Set()).add(what));
  const stateOf = (what: ReadonlySet<string> | undefined): string =>
    ["order_requested", "order_confirmed"].find((state) => what?.has(state)) ??
    (what?.has("parts") ? "estimated" : "no_parts");
  return db.all<StoredRow>("SELECT * FROM jobs").map((row) => ({
    seq: row.seq,
    id: row.id,
    texts: searchedTexts(row, "plate_number", "job_number", "claim_number", "external_id", "chassis_number"),
    kinds: {
      "r.repairer_site_id": String(row.repairer_site_id),
      "r.work_provider_id": row.work_provider_id as string | null,
      "r.state": stateOf(had.get(row.id)),
    },
    keys: {
      updated: Number(row.updated_at),
      created: row.seq,
      job_number: String(row.job_number ?? ""),
    },
  }));
};

export const procurementRows = (db: Database): Row[] =>
  db
    .all<StoredRow>(
      "SELECT p.*, j.plate_number, j.job_number, s.name FROM procurements p LEFT JOIN jobs j ON j.id = p.job_id LEFT JOIN businesses s ON s.id = p.supplier_business_id",
    )
    .map((row) => ({
      seq: row.seq,
      id: row.id,
      texts: searchedTexts(row, "reference", "plate_number", "job_number", "name"),
      kinds: {
        "r.buyer_business_id": String(row.buyer_business_id),
        "r.supplier_business_id": String(row.supplier_business_id),
        "r.status": String(row.status),
      },
      keys: { created: Number(row.created_at) },
    }));

const folded = (text: string): string => text.toLowerCase();

/** A request for a list. */
export interface ListRequest {
  readonly search: string | undefined;
  readonly kinds: Readonly<Record<string, string | null>>;
  readonly order: Order;
}

/** Computes a query's result by scanning every row. */
export const scanRows = (rows: readonly Row[], { search, kinds, order }: ListRequest): number[] => {
  const contains = (row: Row, text: string): boolean =>
    row.texts.some(
      (one) => one !== null && searchVariants(text).some((variant) => folded(one).includes(folded(variant))),
    ) ||
    (/^[0-9a-f-]{8,36}$/i.test(text) && row.id.startsWith(text.toLowerCase()));
  const found = rows.filter(
    (row) =>
      Object.entries(kinds).every(([name, value]) => row.kinds[name] === value) &&
      (search === undefined || contains(row, search)),
  );
  const keyOf = (row: Row) => row.keys[order.sort] ?? 0;
  found.sort((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    const compared = typeof a === "string" ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : a - Number(b);
    return (compared || one.seq - other.seq) * (order.descending ? -1 : 1);
  });
  return found.map(({ seq }) => seq);
};
