import type { Static } from "typebox";
import * as Type from "typebox";
import { Absent, Nullable, OneOf } from "../schema.ts";
import { orUnprocessable, readOne } from "./declaring.ts";

/** What is compared, in the order it is told. A basket is made of a job's parts, and differs where they do. */
export const comparedTables = [
  "jobs",
  "parts",
  "procurements",
  "subscriptions",
  "integrations",
  "policies",
  "clock",
] as const;
export type ComparedTable = (typeof comparedTables)[number];

/** So many rows of a table are listed of each kind, and so many fields of a row. */
export const MOST_DIFFERENT = 50;
export const MOST_FIELDS = 20;

const Count = Type.Integer({ minimum: 0 });
const Difference = Type.Object({
  is: OneOf(["only_here", "only_there", "changed"]),
  id: Type.String(),
  label: Type.String({ description: "A readable name" }),
  job_id: Nullable(Type.String({ description: "The job it belongs to" })),
  procurement_id: Nullable(Type.String()),
  fields: Type.Array(
    Type.Object({
      path: Type.String({ description: "The field’s path, joined by slashes" }),
      here: Type.Unknown(),
      there: Type.Unknown(),
    }),
    { description: `The changed fields, at most ${MOST_FIELDS}` },
  ),
});
export type Difference = Static<typeof Difference>;

export const TableDifference = Type.Object({
  table: OneOf(comparedTables),
  here: Count,
  there: Count,
  only_here: Count,
  only_there: Count,
  changed: Count,
  rows: Type.Array(Difference, { description: `The first ${MOST_DIFFERENT} of each kind; the counts include all` }),
});
export type TableDifference = Static<typeof TableDifference>;

export const worldsCompare = readOne(
  "worlds.compare",
  "Compares a world (here) with another world or with one of its own snapshots (there), by ID: what exists in only one of them, and which fields differ. Creation and change times are ignored. Long work: work.list shows its progress.",
  {
    with: Type.Union([
      Type.Object({ world: Type.String(), snapshot: Absent() }),
      Type.Object({ snapshot: Type.String({ description: "A snapshot of the same world" }), world: Absent() }),
    ]),
  },
  Type.Object({ tables: Type.Array(TableDifference), same: Type.Boolean() }),
  { ...orUnprocessable, access: { needs: "view", worlds: ["world", "with.world"] } },
);

export const compareOperations = [worldsCompare] as const;
