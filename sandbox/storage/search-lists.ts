/** A list that can be searched, filtered and sorted however long it is: what its rows are and what they are known by. */
export interface SearchList {
  /** Names its tables: `<name>_facets`, `_places`, `_changed` and `_grams`. */
  readonly name: "jobs" | "procurements";
  /** Its rows, as `r`, and what belongs to them. */
  readonly from: string;
  readonly joins: string;
  /** What it can be filtered by, in the order of its table of facets. */
  readonly facets: Readonly<Record<string, string>>;
  /** What it can be sorted by. Text that is missing sorts as the empty one. */
  readonly sorts: Readonly<Record<string, string>>;
  /** Those of its sorts that are text; the others are whole numbers. */
  readonly textSorts: readonly string[];
  /** The sort that an index of the rows themselves has. */
  readonly natural: string;
  /** When a row last changed. */
  readonly changed: string;
  /** What a search looks at beside `r.id`. */
  readonly texts: readonly string[];
}

/** How far a job has come. */
const STATE =
  "CASE WHEN EXISTS (SELECT 1 FROM procurements o WHERE o.job_id = r.id AND o.status = 'order_requested') THEN 'order_requested' " +
  "WHEN EXISTS (SELECT 1 FROM procurements o WHERE o.job_id = r.id AND o.status = 'order_confirmed') THEN 'order_confirmed' " +
  "WHEN EXISTS (SELECT 1 FROM job_parts o WHERE o.job_id = r.id) THEN 'estimated' ELSE 'no_parts' END";

export const jobsSearched = {
  name: "jobs",
  from: "jobs r",
  joins: "",
  facets: { site_id: "r.repairer_site_id", work_provider_id: "coalesce(r.work_provider_id, '')", state: STATE },
  sorts: { updated: "r.updated_at", created: "r.created_at", job_number: "coalesce(r.job_number, '')" },
  textSorts: ["job_number"],
  natural: "updated",
  changed: "r.updated_at",
  texts: ["r.plate_number", "r.job_number", "r.claim_number", "r.external_id", "r.chassis_number"],
} as const satisfies SearchList;

export const procurementsSearched = {
  name: "procurements",
  from: "procurements r",
  joins: "LEFT JOIN jobs j ON j.id = r.job_id LEFT JOIN businesses s ON s.id = r.supplier_business_id",
  facets: { site_id: "r.buyer_business_id", supplier_business_id: "r.supplier_business_id", status: "r.status" },
  sorts: { created: "r.created_at" },
  textSorts: [],
  natural: "created",
  changed: "r.updated_at",
  texts: ["r.reference", "j.plate_number", "j.job_number", "s.name"],
} as const satisfies SearchList;

/** The columns a search looks at, and the pattern it looks for (`LIKE`, escape character `\`). */
export const containing = (
  list: SearchList,
  text: string,
  inIds: boolean,
): { readonly text: string; readonly values: readonly string[] } => {
  const columns = inIds ? [...list.texts, "r.id"] : list.texts;
  const pattern = `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  return {
    text: `(${columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(" OR ")})`,
    values: columns.map(() => pattern),
  };
};
