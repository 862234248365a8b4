import type Sqlite from "better-sqlite3";

/** What the index of the search does not know: the index is made anew where it is needed. */
const DERIVED = "unindexed";

/** The tables of a world's file, with the columns that are stored. The index of the search is none of them. */
export const worldTables = (handle: Sqlite.Database) => {
  const names = handle
    .prepare<[string], string>(
      "SELECT name FROM sqlite_schema JOIN pragma_table_list USING (name) WHERE pragma_table_list.type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> ? ORDER BY sqlite_schema.rowid",
    )
    .pluck()
    .all(DERIVED);
  return names.map((name) => ({
    name,
    columns: (handle.pragma(`table_info(${name})`) as { name: string }[]).map((column) => column.name),
  }));
};
