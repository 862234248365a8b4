import Sqlite from "better-sqlite3";
import {
  type ComparedTable,
  type Difference,
  MAX_DIFFERENT_FIELDS,
  MAX_DIFFERENT_ROWS,
  type TableDifference,
} from "../contract/control/snapshot-operations.ts";
import { isObject } from "../contract/explain.ts";
import { pointer } from "../contract/json-pointer.ts";
import { iso } from "../rules/timestamp.ts";
import { parseSetting, type SettingName, type Settings } from "../storage/settings-store.ts";
import { copySnapshot } from "./read-snapshot.ts";
import type { OnProgress } from "./work.ts";

interface CompareWork {
  readonly from: string;
  readonly other: string;
  /** The snapshot's name; null when the other file is a world's. */
  readonly snapshot: string | null;
  /** Destination of the snapshot's copy. */
  readonly to: string;
}

/** Identifying columns, then the fields by name. */
interface Row extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly label: string | null;
  readonly job_id: string | null;
  readonly procurement_id: string | null;
}

/** The organization's name, because an ID means nothing to a person. */
const business = (id: string, as: string) => `(SELECT name FROM businesses WHERE id = r.${id}) AS ${as}`;
const organization = (id: string, as: string) => `(SELECT name FROM organizations WHERE id = r.${id}) AS ${as}`;

/** The compared columns of each table, after `SELECT id, label, job_id, procurement_id, …`. */
const tables: readonly (readonly [table: Exclude<ComparedTable, "policies" | "clock">, select: string])[] = [
  [
    "jobs",
    `r.id, coalesce(r.job_number, r.plate_number, r.external_id) AS label, r.id AS job_id, NULL AS procurement_id,
     state, external_id, job_number, claim_number, has_vehicle, chassis_number, plate_number, plate_state, vehicle_variant,
     images, ${business("repairer_site_id", "site")}, ${organization("work_provider_id", "work_provider")} FROM jobs r`,
  ],
  [
    "parts",
    `r.id, r.description AS label, r.job_id, NULL AS procurement_id,
     description, external_id, ghca_id, note, quantity, status FROM job_parts r`,
  ],
  [
    "procurements",
    `r.id, r.reference AS label, r.job_id, r.id AS procurement_id, status, reference, deliver_before,
     ${business("buyer_business_id", "buyer")}, ${business("supplier_business_id", "supplier")}, document FROM procurements r`,
  ],
  [
    "subscriptions",
    `r.id, r.url AS label, NULL AS job_id, NULL AS procurement_id, integration_id, url, paused_by,
     paused_at IS NOT NULL AS paused FROM subscriptions r WHERE ended_at IS NULL`,
  ],
  [
    "integrations",
    `r.integration_id AS id, o.name || ', ' || r.scope AS label, NULL AS job_id, NULL AS procurement_id, o.name AS organization,
     r.scope, client_id FROM credentials r LEFT JOIN organizations o ON o.id = r.organization_id`,
  ],
];

/** A picture of the service. Its address may vary, so the comparison ignores the host. */
const OWN_PICTURE = /"https?:\/\/[^/"]+(?=\/__media\/)/g;

/** The compared fields of a row, formatted for display. @param epoch of its world */
const comparedFields = (row: Row, epoch: number): Readonly<Record<string, unknown>> => {
  const {
    id: _id,
    label: _label,
    job_id: _job,
    procurement_id: _order,
    images,
    document,
    deliver_before,
    ...fields
  } = row;
  return {
    ...fields,
    ...(typeof images === "string" ? { images: JSON.parse(images.replaceAll(OWN_PICTURE, '"')) as unknown } : {}),
    ...(typeof deliver_before === "number" ? { deliver_before: iso(deliver_before + epoch) } : {}),
    ...(typeof document === "string" ? (JSON.parse(document) as object) : {}),
  };
};

/** Returns differing fields below a path; undefined stands for a missing field and is shown as null. */
const differences = (path: string, here: unknown, there: unknown): Difference["fields"] => {
  const isBranch = (Array.isArray(here) && Array.isArray(there)) || (isObject(here) && isObject(there));
  if (!isBranch) return here === there ? [] : [{ path: path.slice(1), here: here ?? null, there: there ?? null }];
  const keys = new Set([...Object.keys(here), ...Object.keys(there)]);
  return [...keys].flatMap((key) => differences(pointer(path, key), Reflect.get(here, key), Reflect.get(there, key)));
};

/** Opens a world's file read-only. */
const openSide = (file: string) => {
  const handle = new Sqlite(file, { readonly: true, fileMustExist: true });
  handle.exec("BEGIN");
  const stored = handle.prepare<[string], string>("SELECT value FROM meta WHERE key = ?").pluck();
  const setting = <N extends SettingName>(name: N): Settings[N] => parseSetting(name, stored.get(name));
  return { handle, setting, epoch: setting("epoch") };
};
type Side = ReturnType<typeof openSide>;

/** Merges the rows of both worlds by ID. */
const compareTable = (table: ComparedTable, select: string, [here, there]: readonly [Side, Side]): TableDifference => {
  const counted = { here: 0, there: 0, only_here: 0, only_there: 0, changed: 0 };
  const listed: Record<Difference["is"], Difference[]> = { only_here: [], only_there: [], changed: [] };
  const note = (is: Difference["is"], row: Row, fields: Difference["fields"] = []): void => {
    const { id, label, job_id, procurement_id } = row;
    counted[is] += 1;
    if (listed[is].length < MAX_DIFFERENT_ROWS)
      listed[is].push({
        is,
        id,
        label: label ?? id,
        job_id,
        procurement_id,
        fields: fields.slice(0, MAX_DIFFERENT_FIELDS),
      });
  };
  const rowsOf = ({ handle }: Side) => handle.prepare<[], Row>(`SELECT ${select} ORDER BY id`).iterate();
  const [ours, theirs] = [rowsOf(here), rowsOf(there)];
  let [one, other] = [ours.next(), theirs.next()];
  while (!one.done || !other.done) {
    const isHere = !one.done && (other.done === true || one.value.id <= other.value.id);
    const isThere = !other.done && (one.done === true || other.value.id <= one.value.id);
    if (isHere && isThere) {
      const fields = differences("", comparedFields(one.value, here.epoch), comparedFields(other.value, there.epoch));
      if (fields.length > 0) note("changed", one.value, fields);
    } else if (isHere) note("only_here", one.value);
    else note("only_there", other.value);
    if (isHere) {
      counted.here += 1;
      one = ours.next();
    }
    if (isThere) {
      counted.there += 1;
      other = theirs.next();
    }
  }
  return { table, ...counted, rows: [...listed.only_here, ...listed.only_there, ...listed.changed] };
};

/** Both worlds have every setting, so only values can differ. */
const compareSettings = (table: ComparedTable, here: object, there: object): TableDifference => {
  const rows = differences("", here, there).map((field): Difference => {
    return { is: "changed", id: field.path, label: field.path, job_id: null, procurement_id: null, fields: [field] };
  });
  const count = Object.keys(here).length;
  return { table, here: count, there: count, only_here: 0, only_there: 0, changed: rows.length, rows };
};

/** Compares two worlds' files. A snapshot is copied first: the copy is migrated, and the snapshot stays unchanged. */
export const compareWorlds = (
  { from, other, snapshot, to }: CompareWork,
  onProgress: OnProgress,
): { readonly tables: TableDifference[]; readonly same: boolean } => {
  if (snapshot !== null) copySnapshot(snapshot, other, to).close();
  const here = openSide(from);
  const there = openSide(snapshot === null ? other : to);
  try {
    const ahead = (side: Side) => ({ ahead_seconds: side.setting("clock_offset") / 1_000 });
    const found = [
      ...tables.map(([table, select], index) => {
        onProgress(index / tables.length);
        return compareTable(table, select, [here, there]);
      }),
      compareSettings("policies", here.setting("policies"), there.setting("policies")),
      compareSettings("clock", ahead(here), ahead(there)),
    ];
    const same = found.every(({ only_here, only_there, changed }) => only_here + only_there + changed === 0);
    return { tables: found, same };
  } finally {
    here.handle.close();
    there.handle.close();
  }
};
