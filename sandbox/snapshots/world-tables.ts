import Sqlite from "better-sqlite3";
import { migrate } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/index.ts";

/** What the index of the search does not know: the index is made anew where it is needed. */
const DERIVED = new Set(["unindexed"]);

/** The tables a world of a data version has, with the columns that are stored. The index of the search is none of them. */
export const worldTables = (dataVersion: number) => {
  const empty = new Sqlite(":memory:");
  try {
    migrate(empty, migrations.slice(0, dataVersion));
    const names = empty
      .prepare<[], string>(
        "SELECT name FROM sqlite_schema JOIN pragma_table_list USING (name) WHERE pragma_table_list.type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY sqlite_schema.rowid",
      )
      .pluck()
      .all()
      .filter((name) => !DERIVED.has(name));
    return names.map((name) => ({
      name,
      columns: (empty.pragma(`table_info(${name})`) as { name: string }[]).map((column) => column.name),
    }));
  } finally {
    empty.close();
  }
};
