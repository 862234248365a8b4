import type { JobRow, ProcurementRow } from "../contract/control/rows.ts";
import type { ListedRows } from "../contract/live.ts";
import type { ProcurementStatus } from "../contract/values.ts";
import { formatMinor, isAmount, parseMinor, sum, times } from "../rules/procurements/money.ts";
import type { JobRecord, ProcurementRecord } from "../rules/records.ts";
import { iso } from "../rules/timestamp.ts";
import type { World } from "../worlds/world.ts";

/** Names of all organizations and businesses. The seed has a few, and none are added. */
export const organizationNames = ({ db, stores }: World): ReadonlyMap<string, string> =>
  new Map(
    [
      ...stores.directory.organizations(),
      ...db.all<{ id: string; name: string }>("SELECT id, name FROM businesses"),
    ].map(({ id, name }) => [id, name]),
  );

export const jobRow = ({ db, stores }: World, names: ReadonlyMap<string, string>, job: JobRecord): JobRow => {
  const { repairer_site_id, work_provider_id, vehicle, vehicle_variant: _variant, images: _images, ...known } = job;
  const counts = db.all<{ status: ProcurementStatus; n: number }>(
    "SELECT status, count(*) AS n FROM procurements WHERE job_id = ? GROUP BY status",
    job.id,
  );
  return {
    ...known,
    ...(vehicle ?? { chassis_number: null, plate_number: null, plate_state: null }),
    site: {
      ...{ id: repairer_site_id, name: names.get(repairer_site_id) ?? "" },
      currency_code: stores.directory.site(repairer_site_id, job.organization_id)?.currency_code ?? "",
    },
    work_provider: work_provider_id === null ? null : { id: work_provider_id, name: names.get(work_provider_id) ?? "" },
    parts: db.get<{ n: number }>("SELECT count(*) AS n FROM job_parts WHERE job_id = ?", job.id)?.n ?? 0,
    procurements: {
      order_requested: 0,
      order_confirmed: 0,
      cancelled: 0,
      ...Object.fromEntries(counts.map(({ status, n }) => [status, n])),
    },
    created_at: iso(job.created_at),
    updated_at: iso(job.updated_at),
  };
};

/** Sum of the known trade prices times quantities; null without any. */
const sumPrices = (procurement: ProcurementRecord): string | null => {
  const currency = procurement.currency_code ?? "";
  const amounts = procurement.offered_items
    .filter((item) => item.trade_price !== null && isAmount(item.trade_price, currency))
    .map((item) => times(parseMinor(item.trade_price ?? "0", currency), item.quantity));
  return amounts.length === 0 ? null : formatMinor(sum(amounts), currency);
};

/** Supplier organizations with a credential in this sandbox. */
export const findKeyedSuppliers = ({ stores }: World): ReadonlySet<string> =>
  new Set(
    stores.credentials
      .list()
      .filter(({ scope }) => scope === "supplier")
      .map(({ organization_id }) => organization_id),
  );

/** @param keyed see {@link findKeyedSuppliers} */
export const procurementRow = (
  { stores }: World,
  names: ReadonlyMap<string, string>,
  keyed: ReadonlySet<string>,
  record: ProcurementRecord,
): ProcurementRow => {
  const job = stores.jobs.get(record.job_id);
  return {
    id: record.id,
    job_id: record.job_id,
    job_number: job?.job_number ?? null,
    plate_number: job?.vehicle?.plate_number ?? null,
    reference: record.reference,
    status: record.status,
    currency_code: record.currency_code,
    total: sumPrices(record),
    items: record.offered_items.length,
    buyer: {
      organization_id: record.buyer_organization_id,
      business_id: record.buyer_business_id,
      name: names.get(record.buyer_business_id) ?? "",
    },
    supplier: {
      organization_id: record.supplier_organization_id,
      business_id: record.supplier_business_id,
      name: record.supplier_business_name,
      has_credential: keyed.has(record.supplier_organization_id),
    },
    created_at: iso(record.created_at),
    updated_at: iso(record.updated_at),
  };
};

/** Current list rows of a job and a procurement; null for deleted ones. */
export const readListedRows = (world: World, jobId: string, procurementId: string | null): ListedRows => {
  const names = organizationNames(world);
  const job = world.stores.jobs.get(jobId);
  const listed = { job: job ? jobRow(world, names, job) : null };
  if (procurementId === null) return listed;
  const record = world.stores.procurements.get(procurementId);
  return { ...listed, procurement: record ? procurementRow(world, names, findKeyedSuppliers(world), record) : null };
};
