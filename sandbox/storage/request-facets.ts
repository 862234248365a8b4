import type { RequestFacets } from "../contract/control/request-operations.ts";
import type { Database } from "./database.ts";
import { countUpTo, type Total } from "./lists.ts";
import { type RequestFilter, requestQuery } from "./requests-store.ts";

const MOST_VALUES = 100;

/** Each value of a column once, from one look into its index to the next. @param among what the index holds */
const valuesOf = <Value extends string | number>(db: Database, column: string, among = "TRUE"): Value[] => {
  const least = (than: string) => `SELECT min(${column}) FROM requests WHERE ${among} AND ${column} ${than}`;
  const rows = db.all<{ value: Value }>(
    `WITH RECURSIVE found (value) AS (
       ${least("IS NOT NULL")}
       UNION ALL SELECT (${least("> found.value")}) FROM found WHERE found.value IS NOT NULL
     )
     SELECT value FROM found WHERE value IS NOT NULL LIMIT ${MOST_VALUES}`,
  );
  return rows.map(({ value }) => value);
};

/** What the exchanges can be narrowed to; what is counted comes from indexes, and is counted as far as a list is. */
export const requestFacets = (db: Database): RequestFacets => {
  const count = (filter: RequestFilter): Total => {
    const { conditions } = requestQuery(filter);
    const all = conditions.map(({ sql }) => sql).join(" AND ");
    return countUpTo(db, `requests r WHERE ${all}`, ...conditions.flatMap(({ values }) => values));
  };
  // Those answered 200 and the others have an index each.
  const operations = new Set(["= 200", "<> 200"].flatMap((how) => valuesOf<string>(db, "operation", `status ${how}`)));
  return {
    refused: count({ refused: true }),
    changes: count({ changes: true }),
    faulted: count({ faulted: true }),
    unrouted: count({ unrouted: true }),
    anonymous: count({ anonymous: true }),
    pinned: count({ pinned: true }),
    operations: [...operations].toSorted().map((value) => ({ value, ...count({ operation: value }) })),
    statuses: valuesOf<number>(db, "status").map((value) => ({ value, ...count({ status: value }) })),
    error_codes: valuesOf<string>(db, "error_code").map((value) => ({ value, ...count({ error_code: value }) })),
  };
};
