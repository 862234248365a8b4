import { jobsList, procurementsList } from "../contract/control/operations.ts";
import type { JobRow, ProcurementRow } from "../contract/control/rows.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import type { ProcurementStatus } from "../contract/resources/procurement.ts";
import { formatMinor, isAmount, parseMinor, sum, times } from "../rules/money.ts";
import type { ProcurementRecord } from "../rules/records.ts";
import { findPage } from "../storage/search-page.ts";
import { findAmong } from "../storage/search-query.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, control, iso } from "./handler.ts";
import { decodePageEnd, encodePageEnd } from "./paging.ts";

const LIMIT = 100;

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
  readonly created_at: number;
  readonly updated_at: number;
}

/** The names of all organizations and businesses; the seed has a few, and there are never others. */
const namesOf = ({ db, stores }: World): ReadonlyMap<string, string> =>
  new Map(
    [
      ...stores.directory.organizations(),
      ...db.all<{ id: string; name: string }>("SELECT id, name FROM businesses"),
    ].map(({ id, name }) => [id, name]),
  );

const jobRow = (world: World, names: ReadonlyMap<string, string>, stored: StoredJob): JobRow => {
  const { seq: _seq, site_id, work_provider_id, created_at, updated_at, ...job } = stored;
  const { db } = world;
  const counts = db.all<{ status: ProcurementStatus; n: number }>(
    "SELECT status, count(*) AS n FROM procurements WHERE job_id = ? GROUP BY status",
    job.id,
  );
  return {
    ...job,
    site: { id: site_id, name: names.get(site_id) ?? "" },
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
};

interface Known {
  readonly names: ReadonlyMap<string, string>;
  /** Suppliers of which the sandbox holds a key. */
  readonly keyed: ReadonlySet<string>;
}

const procurementRow = (world: World, { names, keyed }: Known, stored: StoredProcurement): ProcurementRow => {
  const { seq: _seq, job_number, plate_number, ...rest } = stored;
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

const JOB =
  "SELECT seq, id, organization_id, job_number, external_id, claim_number, plate_number, plate_state, chassis_number, " +
  "work_provider_id, repairer_site_id AS site_id, created_at, updated_at FROM jobs WHERE seq = ?";
const PROCUREMENT =
  "SELECT p.seq, p.id, p.job_id, p.status, p.reference, p.buyer_organization_id, p.buyer_business_id, p.supplier_organization_id, " +
  "p.supplier_business_id, p.created_at, p.updated_at, p.deliver_before, p.document, j.job_number, j.plate_number " +
  "FROM procurements p LEFT JOIN jobs j ON j.id = p.job_id WHERE p.seq = ?";

const foreignCursor = (): Refusal =>
  refuse("bad_request", "/cursor must be the next_cursor of an earlier page of the same list");

/** The text to look for, if any. */
const searched = (search: string | undefined): string | undefined => search?.trim() || undefined;

/** The filters that were given; identifiers are written in small letters. */
const given = (filters: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value.toLowerCase()]])),
  );

/** Jobs and procurements as lists to find and recognise them; the things themselves come from the contract. */
export const browseControls: readonly BoundControl[] = [
  control(
    jobsList,
    async ({ world }, { search, sort = "updated", direction = "desc", cursor, limit = LIMIT, ...rest }) => {
      const { site_id, work_provider_id, state } = rest;
      const descending = direction === "desc";
      const after = cursor === undefined ? null : decodePageEnd(cursor, sort, descending);
      if (cursor !== undefined && after === null) return foreignCursor();
      const found = await findPage(world.db, world.stores.jobs.searched, {
        search: searched(search),
        filters: given({ site_id, work_provider_id, state }),
        order: { sort, descending },
        after,
        limit,
      });
      const names = namesOf(world);
      return {
        items: found.seqs.flatMap((seq) => world.db.all<StoredJob>(JOB, seq)).map((row) => jobRow(world, names, row)),
        next_cursor: found.end && encodePageEnd(found.end),
        total: found.total,
        total_is_minimum: found.total_is_minimum,
      };
    },
  ),
  control(procurementsList, async ({ world }, { search, cursor, limit = LIMIT, job_id, ...rest }) => {
    const { site_id, status, supplier_business_id } = rest;
    const after = cursor === undefined ? null : decodePageEnd(cursor, "created", true);
    if (cursor !== undefined && after === null) return foreignCursor();
    const { searched: index } = world.stores.procurements;
    const query = {
      search: searched(search),
      filters: given({ site_id, supplier_business_id, status }),
      order: { sort: "created", descending: true },
      after,
      limit,
    };
    const found =
      job_id === undefined
        ? await findPage(world.db, index, query)
        : findAmong(world.db, index.list, "r.job_id = ?", job_id.toLowerCase(), query);
    const suppliers = world.stores.credentials.list().filter(({ scope }) => scope === "supplier");
    const known = { names: namesOf(world), keyed: new Set(suppliers.map(({ organization_id }) => organization_id)) };
    return {
      items: found.seqs
        .flatMap((seq) => world.db.all<StoredProcurement>(PROCUREMENT, seq))
        .map((row) => procurementRow(world, known, row)),
      next_cursor: found.end && encodePageEnd(found.end),
      total: found.total,
      total_is_minimum: found.total_is_minimum,
    };
  }),
];
