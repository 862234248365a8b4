import { jobsList, procurementsList } from "../contract/control/operations.ts";
import type { JobRow, ProcurementRow } from "../contract/control/rows.ts";
import type { ProcurementStatus } from "../contract/values.ts";
import { formatMinor, isAmount, parseMinor, sum, times } from "../rules/money.ts";
import type { JobRecord, ProcurementRecord } from "../rules/records.ts";
import { searchableJobs } from "../storage/jobs-store.ts";
import { where } from "../storage/lists.ts";
import { searchableProcurements } from "../storage/procurements-store.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, iso } from "./handler.ts";
import { pagedControl, pageFrom } from "./paging.ts";

/** The names of all organizations and businesses; the seed has a few, and there are never others. */
const namesOf = ({ db, stores }: World): ReadonlyMap<string, string> =>
  new Map(
    [
      ...stores.directory.organizations(),
      ...db.all<{ id: string; name: string }>("SELECT id, name FROM businesses"),
    ].map(({ id, name }) => [id, name]),
  );

const jobRow = ({ db }: World, names: ReadonlyMap<string, string>, job: JobRecord): JobRow => {
  const { repairer_site_id, work_provider_id, vehicle, vehicle_variant: _variant, images: _images, ...known } = job;
  const counts = db.all<{ status: ProcurementStatus; n: number }>(
    "SELECT status, count(*) AS n FROM procurements WHERE job_id = ? GROUP BY status",
    job.id,
  );
  return {
    ...known,
    ...(vehicle ?? { chassis_number: null, plate_number: null, plate_state: null }),
    site: { id: repairer_site_id, name: names.get(repairer_site_id) ?? "" },
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

/** The sum of the known trade prices times quantities, in the procurement's currency; null without any. */
const totalOf = (procurement: ProcurementRecord): string | null => {
  const currency = procurement.currency_code ?? "";
  const amounts = procurement.offered_items
    .filter((item) => item.trade_price !== null && isAmount(item.trade_price, currency))
    .map((item) => times(parseMinor(item.trade_price ?? "0", currency), item.quantity));
  return amounts.length === 0 ? null : formatMinor(sum(amounts), currency);
};

/** @param keyed suppliers of which the sandbox holds a key */
const procurementRow = (
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
    total: totalOf(record),
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

/** Jobs and procurements as lists to find and recognise them; the things themselves come from the contract. */
export const browseControls: readonly BoundControl[] = [
  pagedControl(jobsList, ({ world }, { search, ids, sort = "updated", direction, ...rest }, asked) => {
    const { site_id, work_provider_id, state } = rest;
    const names = namesOf(world);
    const query = {
      search: search?.trim() || undefined,
      ids,
      conditions: [
        ...where("r.repairer_site_id = ?", site_id),
        ...where("r.work_provider_id = ?", work_provider_id),
        // A new job has no parts: an index of those too would cost every insert, and the latest jobs show them anyway.
        ...where(state === "no_parts" ? "r.state = ?" : "r.state <> 'no_parts' AND r.state = ?", state),
      ],
      order: { sort, descending: direction !== "asc" },
    };
    return pageFrom(world, searchableJobs, query, asked, (seq) => {
      const job = world.stores.jobs.at(seq);
      return job && jobRow(world, names, job);
    });
  }),
  pagedControl(procurementsList, ({ world }, { search, ids, ...rest }, asked) => {
    const { job_id, site_id, supplier_business_id, status } = rest;
    const names = namesOf(world);
    const suppliers = world.stores.credentials.list().filter(({ scope }) => scope === "supplier");
    const keyed = new Set(suppliers.map(({ organization_id }) => organization_id));
    const query = {
      search: search?.trim() || undefined,
      ids,
      conditions: [
        ...where("r.job_id = ?", job_id),
        ...where("r.buyer_business_id = ?", site_id),
        ...where("r.supplier_business_id = ?", supplier_business_id),
        ...where("r.status = ?", status),
      ],
      order: { sort: "created", descending: true },
    };
    return pageFrom(world, searchableProcurements, query, asked, (seq) => {
      const record = world.stores.procurements.at(seq);
      return record && procurementRow(world, names, keyed, record);
    });
  }),
];
