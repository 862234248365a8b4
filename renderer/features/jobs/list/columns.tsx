import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { ListColumn } from "../../../components/list.tsx";
import { Plate } from "../../../components/plate.tsx";
import { Time } from "../../../components/time.tsx";
import { jobFields } from "../../../domain/job/fields.ts";
import { jobName } from "../../../domain/job/job-name.ts";
import { formatCount } from "../../../lib/formatting.ts";
import type { JobSort } from "../address.ts";
import { Standing } from "./job-row.tsx";

export interface JobColumn extends Omit<ListColumn<JobRow>, "sorted"> {
  /** By what the service sorts it; it sorts by no other column. */
  readonly sort?: JobSort;
}

/** In the order in which they stand; the job number stands before all others, always. */
export const columnNames = [
  "plate",
  "site",
  "insurer",
  "claim",
  "external",
  "chassis",
  "parts",
  "orders",
  "created",
  "changed",
  "id",
] as const;
export type ColumnName = (typeof columnNames)[number];

const none = <span className="t3">–</span>;
const mono = (text: string | null) =>
  text === null ? (
    none
  ) : (
    <span className="m11" title={text}>
      {text}
    </span>
  );

/** The first, always: the name of the row. */
export const numberColumn: JobColumn = {
  name: "number",
  head: jobFields.number.words,
  width: 136,
  sort: "job_number",
  cell: (row) => jobName(row) ?? <span className="t3">no number</span>,
};

const columns: Readonly<Record<ColumnName, Omit<JobColumn, "name">>> = {
  plate: {
    head: jobFields.plate.words,
    width: 116,
    cell: (row) => (row.plate_number === null ? none : <Plate plate={row.plate_number} state={row.plate_state} />),
  },
  site: { head: jobFields.siteId.words, width: 160, cell: (row) => <span title={row.site.name}>{row.site.name}</span> },
  insurer: { head: jobFields.providerId.words, width: 132, cell: (row) => row.work_provider?.name ?? none },
  claim: { head: jobFields.claim.words, width: 130, cell: (row) => mono(row.claim_number) },
  external: { head: jobFields.external.words, width: 150, cell: (row) => mono(row.external_id) },
  chassis: { head: jobFields.chassis.words, width: 160, cell: (row) => mono(row.chassis_number) },
  parts: {
    head: "Parts",
    width: 60,
    right: true,
    cell: (row) => (row.parts === 0 ? <span className="t3">0</span> : formatCount(row.parts)),
  },
  orders: { head: "Orders", width: 110, cell: (row) => <Standing job={row} /> },
  created: { head: "Created", width: 100, sort: "created", cell: (row) => <Time at={row.created_at} /> },
  changed: { head: "Last changed", width: 112, sort: "updated", cell: (row) => <Time at={row.updated_at} /> },
  id: { head: "ID", width: 260, cell: (row) => mono(row.id) },
};

export const usualColumns: readonly ColumnName[] = ["plate", "site", "insurer", "claim", "parts", "orders", "changed"];

export const columnsNamed = (names: readonly ColumnName[]): ReadonlyArray<JobColumn & { readonly name: ColumnName }> =>
  columnNames.filter((name) => names.includes(name)).map((name) => ({ name, ...columns[name] }));

/** The columns that were remembered, one word each; null when there is a word among them that names none. */
export const columnsIn = (text: string): readonly ColumnName[] | null => {
  const words = text.split(",").filter((word) => word !== "");
  const known = columnNames.filter((name) => words.includes(name));
  return known.length === words.length ? known : null;
};
