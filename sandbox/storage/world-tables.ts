import Sqlite from "better-sqlite3";
import { migrate } from "./database.ts";
import { migrations } from "./migrations/index.ts";

/** How far an index knows its rows: made anew where it is needed. */
const DERIVED = new Set(["search_progress"]);

export interface WorldTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The tables a world of a data version has, with the columns that are stored. What searching made is none of them. */
export const worldTables = (dataVersion: number): WorldTable[] => {
  const empty = new Sqlite(":memory:");
  try {
    migrate(empty, migrations.slice(0, dataVersion));
    const names = empty
      .prepare<[], { name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
      )
      .all()
      .map(({ name }) => name)
      .filter((name) => !DERIVED.has(name));
    return names.map((name) => ({
      name,
      columns: (empty.pragma(`table_info(${name})`) as { name: string }[]).map((column) => column.name),
    }));
  } finally {
    empty.close();
  }
};
