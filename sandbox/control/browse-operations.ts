import { type Refusal, refuse } from "../contract/errors.ts";
import { findKeyedSuppliers, jobRow, organizationNames, procurementRow } from "../live-feed/listed-rows.ts";
import { supplierView } from "../operations/views.ts";
import { mediaName } from "../rules/media.ts";
import { createConfirmed, moveProcurement } from "../rules/procurements/procurement-states.ts";
import { iso, isoOrNull } from "../rules/timestamp.ts";
import { jobList } from "../storage/jobs-store.ts";
import { type List, listBySeq, MAX_SCANNED, optionalCondition } from "../storage/lists.ts";
import { procurementList } from "../storage/procurements-store.ts";
import type { Condition } from "../storage/search.ts";
import type { UploadRecord } from "../storage/uploads-store.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, control } from "./handler.ts";
import { type PageFound, pagedControl, readPage } from "./paging.ts";

const identifiers = listBySeq("vehicle_identifiers");
const uploads = listBySeq("uploads");

/**
 * Exact totals for reads without a search. Counting a whole table is always quick; matches are counted up to the scan
 * limit.
 */
const withExactTotal = async <Item>(
  { db }: World,
  { name }: List,
  page: Promise<PageFound<Item> | Refusal>,
  conditions: readonly Condition[] = [],
): Promise<PageFound<Item> | Refusal> => {
  const found = await page;
  if (!("items" in found)) return found;
  const count = (where: string, ...values: readonly unknown[]): number =>
    db.get<{ n: number }>(`SELECT count(*) AS n FROM ${name} r${where}`, ...values)?.n ?? 0;
  const all = count("");
  if (conditions.length === 0) return { ...found, total: all, total_is_minimum: false };
  if (!found.total_is_minimum || all > MAX_SCANNED) return found;
  const matches = conditions.map(({ sql }) => `(${sql})`).join(" AND ");
  const total = count(` WHERE ${matches}`, ...conditions.flatMap(({ values }) => values));
  return { ...found, total, total_is_minimum: false };
};

/** Content of a world: organizations, jobs, procurements, queued identifiers and prepared uploads. */
export const browseControls: readonly BoundControl[] = [
  control("organizations.list", ({ world }) => ({ items: world.stores.directory.organizations() })),
  // Partners see only their own organization, through `businesses.list`.
  control("directory.list", ({ world: { stores } }) => ({
    items: stores.directory.organizations().flatMap(({ id }) => stores.directory.listBusinesses(id)),
  })),
  pagedControl("jobs.list", (context, { search, ids, sort = "updated", direction, ...rest }, pageRequest) => {
    const { world } = context;
    const { organization_id, site_id, work_provider_id, state, from, to } = rest;
    const names = organizationNames(world);
    const inserted = (sql: string, at: string | undefined): Condition[] =>
      at === undefined ? [] : [{ sql, values: [world.db.toStored(Date.parse(at))] }];
    const conditions = [
      ...optionalCondition("r.organization_id = ?", organization_id),
      ...optionalCondition("r.repairer_site_id = ?", site_id),
      ...optionalCondition("r.work_provider_id = ?", work_provider_id),
      ...optionalCondition("r.state = ?", state),
      ...inserted("r.created_at >= ?", from),
      ...inserted("r.created_at < ?", to),
    ];
    const text = search?.trim() || undefined;
    const query = { search: text, ids, conditions, order: { sort, descending: direction !== "asc" } };
    const page = readPage(context, jobList, query, pageRequest, (seq) => {
      const job = world.stores.jobs.at(seq);
      return job && jobRow(world, names, job);
    });
    return text || ids ? page : withExactTotal(world, jobList, page, conditions);
  }),
  pagedControl("procurements.list", (context, { search, ids, ...rest }, pageRequest) => {
    const { world } = context;
    const { job_id, site_id, supplier_business_id, status } = rest;
    const names = organizationNames(world);
    const keyed = findKeyedSuppliers(world);
    const query = {
      search: search?.trim() || undefined,
      ids,
      // The orders of one job are few among many.
      ...(job_id === undefined
        ? {}
        : { within: { index: "procurements_by_job", sql: "r.job_id = ?", values: [job_id.toLowerCase()] } }),
      conditions: [
        ...optionalCondition("r.buyer_business_id = ?", site_id),
        ...optionalCondition("r.supplier_business_id = ?", supplier_business_id),
        ...optionalCondition("r.status = ?", status),
      ],
      order: { sort: "created", descending: true },
    };
    return readPage(context, procurementList, query, pageRequest, (seq) => {
      const record = world.stores.procurements.at(seq);
      return record && procurementRow(world, names, keyed, record);
    });
  }),
  control("procurements.preview", ({ world }, { id }) => {
    const record = world.stores.procurements.get(id);
    if (!record)
      return refuse("not_found", `/id ${id}: this world has no such order. procurements.list has the current ones`);
    const { kind } = moveProcurement("confirm", record.status, world.policies);
    const after = kind === "moves" ? supplierView(createConfirmed(record, world.now())) : null;
    return { before: supplierView(record), after };
  }),
  pagedControl("tier1.list", (context, _input, pageRequest) => {
    const { world } = context;
    return withExactTotal(
      world,
      identifiers,
      readPage(context, identifiers, {}, pageRequest, (seq) => {
        const row = world.db.get<{ organization_id: string; document: string; queued_at: number }>(
          "SELECT organization_id, document, queued_at FROM vehicle_identifiers WHERE seq = ?",
          seq,
        );
        return (
          row && {
            organization_id: row.organization_id,
            identifier: JSON.parse(row.document) as Record<string, string | null>,
            queued_at: iso(world.db.fromStored(row.queued_at)),
          }
        );
      }),
    );
  }),
  pagedControl("uploads.list", (context, { ids }, pageRequest) => {
    const { world, info } = context;
    return readPage(context, uploads, { ids }, pageRequest, (seq) => {
      const { db } = world;
      const found = db.get<UploadRecord & { seq: number }>("SELECT * FROM uploads WHERE seq = ?", seq);
      if (!found) return undefined;
      const { seq: _seq, ...row } = found;
      return {
        ...row,
        prepared_at: iso(db.fromStored(row.prepared_at)),
        expires_at: iso(db.fromStored(row.expires_at)),
        uploaded_at: isoOrNull(db.fromStored(row.uploaded_at)),
        public_url: `${info.baseUrl}/__media/${row.id}/${mediaName(row.file_name)}`,
      };
    });
  }),
];
