import { jobsList, procurementsList } from "../contract/control/operations.ts";
import type { JobRow, ProcurementRow } from "../contract/control/rows.ts";
import type { ProcurementStatus } from "../contract/resources/procurement.ts";
import { formatMinor, isAmount, parseMinor, sum, times } from "../rules/money.ts";
import type { ProcurementRecord } from "../rules/records.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, control, iso } from "./handler.ts";
import { Conditions, containing, encodeCursor, olderThan, pageOf } from "./paging.ts";

const LIMIT = 100;
const JOBS = "jobs j JOIN businesses s ON s.id = j.repairer_site_id";

interface StoredJob {
  readonly seq: number;
  readonly id: string;
  readonly organization_id: string;
  readonly job_number: string | null;
  readonly external_id: string | null;
  readonly claim_number: string | null;
  readonly plate_number: string | null;
  readonly plate_state: string | null;
  readonly chassis_number: string | null;
  readonly work_provider_id: string | null;
  readonly site_id: string;
  readonly site_name: string;
  readonly created_at: number;
  readonly updated_at: number;
}

const jobRow = (world: World, names: ReadonlyMap<string, string>, stored: StoredJob): JobRow => {
  const { seq: _seq, site_id, site_name, work_provider_id, created_at, updated_at, ...job } = stored;
  const { db } = world;
  const counts = db.all<{ status: ProcurementStatus; n: number }>(
    "SELECT status, count(*) AS n FROM procurements WHERE job_id = ? GROUP BY status",
    job.id,
  );
  return {
    ...job,
    site: { id: site_id, name: site_name },
    work_provider: work_provider_id === null ? null : { id: work_provider_id, name: names.get(work_provider_id) ?? "" },
    parts: db.get<{ n: number }>("SELECT count(*) AS n FROM job_parts WHERE job_id = ?", job.id)?.n ?? 0,
    procurements: {
      order_requested: 0,
      order_confirmed: 0,
      cancelled: 0,
      ...Object.fromEntries(counts.map(({ status, n }) => [status, n])),
    },
    created_at: iso(db.fromStored(created_at)),
    updated_at: iso(db.fromStored(updated_at)),
  };
};

const searchJobs = (conditions: Conditions, search: string | undefined, siteId: string | undefined): Conditions => {
  if (siteId) conditions.add("j.repairer_site_id = ?", siteId.toLowerCase());
  const text = search?.trim();
  if (text) {
    const columns = ["plate_number", "job_number", "claim_number", "external_id", "chassis_number", "id"];
    const pattern = containing(text);
    conditions.add(
      `(${columns.map((column) => `j.${column} LIKE ? ESCAPE '\\'`).join(" OR ")})`,
      ...columns.map(() => pattern),
    );
  }
  return conditions;
};

/** The sum of the known trade prices times quantities, in the procurement's currency; null without any. */
const totalOf = (procurement: ProcurementRecord): string | null => {
  const currency = procurement.currency_code ?? "";
  const amounts = procurement.offered_items
    .filter((item) => item.trade_price !== null && isAmount(item.trade_price, currency))
    .map((item) => times(parseMinor(item.trade_price ?? "0", currency), item.quantity));
  return amounts.length === 0 ? null : formatMinor(sum(amounts), currency);
};

type StoredProcurement = Parameters<World["stores"]["procurements"]["record"]>[0] & {
  readonly seq: number;
  readonly job_number: string | null;
  readonly plate_number: string | null;
  readonly buyer_name: string;
  readonly has_credential: number;
};

const procurementRow = (world: World, stored: StoredProcurement): ProcurementRow => {
  const { seq: _seq, job_number, plate_number, buyer_name, has_credential, ...rest } = stored;
  const record = world.stores.procurements.record(rest);
  return {
    id: record.id,
    job_id: record.job_id,
    job_number,
    plate_number,
    reference: record.reference,
    status: record.status,
    currency_code: record.currency_code,
    total: totalOf(record),
    items: record.offered_items.length,
    buyer: { organization_id: record.buyer_organization_id, business_id: record.buyer_business_id, name: buyer_name },
    supplier: {
      organization_id: record.supplier_organization_id,
      business_id: record.supplier_business_id,
      name: record.supplier_business_name,
      has_credential: Boolean(has_credential),
    },
    created_at: iso(record.created_at),
    updated_at: iso(record.updated_at),
  };
};

const PROCUREMENTS =
  "procurements p JOIN jobs j ON j.id = p.job_id JOIN businesses b ON b.id = p.buyer_business_id JOIN businesses s ON s.id = p.supplier_business_id";

/** Jobs and procurements as lists to find and recognise them; the things themselves come from the contract. */
export const browseControls: readonly BoundControl[] = [
  control(jobsList, ({ world }, { search, site_id, cursor, limit = LIMIT }) => {
    const total = searchJobs(new Conditions(), search, site_id).count(world.db, "jobs j");
    const page = olderThan(searchJobs(new Conditions(), search, site_id), cursor, "j.updated_at", "j.seq");
    const found = world.db.all<StoredJob>(
      "SELECT j.seq, j.id, j.organization_id, j.job_number, j.external_id, j.claim_number, j.plate_number, j.plate_state, j.chassis_number, " +
        `j.work_provider_id, j.repairer_site_id AS site_id, s.name AS site_name, j.created_at, j.updated_at FROM ${JOBS}${page.where} ` +
        "ORDER BY j.updated_at DESC, j.seq DESC LIMIT ?",
      ...page.values,
      limit + 1,
    );
    const names = new Map(world.stores.directory.organizations().map(({ id, name }) => [id, name]));
    const { rows, last } = pageOf(found, limit);
    return {
      items: rows.map((row) => jobRow(world, names, row)),
      next_cursor: last ? encodeCursor(last.updated_at, last.seq) : null,
      total,
    };
  }),
  control(procurementsList, ({ world }, { search, site_id, status, cursor, limit = LIMIT }) => {
    const filtered = () => {
      const conditions = new Conditions();
      if (status) conditions.add("p.status = ?", status);
      if (site_id) conditions.add("p.buyer_business_id = ?", site_id.toLowerCase());
      const text = search?.trim();
      if (text) {
        const columns = ["p.reference", "j.plate_number", "j.job_number", "s.name", "p.id"];
        conditions.add(
          `(${columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(" OR ")})`,
          ...columns.map(() => containing(text)),
        );
      }
      return conditions;
    };
    const total = filtered().count(world.db, PROCUREMENTS);
    const page = olderThan(filtered(), cursor, "p.created_at", "p.seq");
    const found = world.db.all<StoredProcurement>(
      "SELECT p.seq, p.id, p.job_id, p.status, p.reference, p.buyer_organization_id, p.buyer_business_id, p.supplier_organization_id, " +
        "p.supplier_business_id, p.created_at, p.updated_at, p.deliver_before, p.document, j.job_number, j.plate_number, b.name AS buyer_name, " +
        "EXISTS (SELECT 1 FROM credentials c WHERE c.organization_id = p.supplier_organization_id AND c.scope = 'supplier') AS has_credential " +
        `FROM ${PROCUREMENTS}${page.where} ORDER BY p.created_at DESC, p.seq DESC LIMIT ?`,
      ...page.values,
      limit + 1,
    );
    const { rows, last } = pageOf(found, limit);
    return {
      items: rows.map((row) => procurementRow(world, row)),
      next_cursor: last ? encodeCursor(last.created_at, last.seq) : null,
      total,
    };
  }),
];
