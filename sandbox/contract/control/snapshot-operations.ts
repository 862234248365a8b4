import type { Static } from "typebox";
import * as Type from "typebox";
import { Absent, Count, Items, Nullable, OneOf, Text, Timestamp } from "../schema.ts";
import { manage, read, readOne, withUnprocessable, writeOne } from "./declaring.ts";
import { World } from "./rows.ts";

const snapshotKinds = ["saved", "imported", "checkpoint"] as const;
const destructiveActs = ["reset", "delete", "restore"] as const;
/** Acts that save a checkpoint first. */
export type DestructiveAct = (typeof destructiveActs)[number];

/** A saved copy of a world. */
export const Snapshot = Type.Object({
  name: Type.String(),
  world: Type.String(),
  kind: OneOf(snapshotKinds, "checkpoint: saved automatically before data was replaced; only the newest are kept"),
  before: Nullable(OneOf(destructiveActs)),
  created_at: Timestamp("Real time"),
  bytes: Count("Size on disk, pictures included"),
  counts: World.properties.counts,
  clock_offset_seconds: Type.Number(),
  version: Type.String({ description: "Version of the service that saved it" }),
});
export type Snapshot = Static<typeof Snapshot>;

export const WORLD_FORMAT = "integrations-explorer-world";
export const WORLD_FORMAT_VERSION = 2;

/**
 * A world as one file. A cell is null, a number, a string, `{text}` or `{base64}`: the last two are bytes, `text` when
 * they are UTF-8.
 */
export const WorldDocument = Type.Object({
  format: Type.Literal(WORLD_FORMAT),
  format_version: Type.Integer({ minimum: 1 }),
  data_version: Type.Integer({ minimum: 1, description: "Checksum of the tables" }),
  version: Text("Version of the exporting service"),
  exported_at: Timestamp("Real time"),
  world: Text(),
  redacted: Type.Boolean({ description: "True: without secrets; importing creates new keys" }),
  tables: Type.Array(
    Type.Object({
      name: Text(),
      columns: Type.Array(Text(), { maxItems: 100 }),
      rows: Type.Array(Type.Array(Type.Unknown())),
    }),
    { maxItems: 100 },
  ),
  media: Type.Array(Type.Object({ id: Text(), base64: Type.String() }), { description: "Uploaded pictures" }),
});
export type WorldDocument = Static<typeof WorldDocument>;

const Name = (description: string) => Type.String({ maxLength: 64, description });

export const snapshotsList = read(
  "snapshots.list",
  "A world’s snapshots, newest first, with the checkpoints saved before a reset, deletion or restore.",
  {
    everywhere: Type.Optional(Type.Boolean({ description: "Snapshots of all worlds, deleted ones included" })),
  },
  Items(Snapshot),
  { access: { needs: "view", fields: { everywhere: "operator" } } },
);
export const snapshotsSave = writeOne(
  "snapshots.save",
  "Saves a snapshot of a world.",
  {
    name: Type.Optional(Name("1 to 64 of A–Z a–z 0–9 . _ - (default: from the time)")),
  },
  Snapshot,
  { ...withUnprocessable, ...manage },
);
export const snapshotsRestore = writeOne(
  "snapshots.restore",
  "Restores a world from a snapshot. Pending deliveries from the snapshot are not sent automatically: they become failed, and you can send them again.",
  {
    name: Name("A snapshot of this world"),
    checkpoint: Type.Optional(Type.Boolean({ description: "false: save no checkpoint of the current state" })),
    clock: Type.Optional(
      Timestamp(
        "The time the world’s clock continues from, in the past too, so that expiry is judged as it was then (default: the snapshot’s)",
      ),
    ),
  },
  Type.Object({ ...World.properties, checkpoint: Nullable(Type.String()) }),
  { ...withUnprocessable, ...manage },
);
export const snapshotsDelete = writeOne(
  "snapshots.delete",
  "Deletes a snapshot.",
  { name: Name("A snapshot of this world") },
  Type.Object({ ok: Type.Boolean() }),
  manage,
);
export const snapshotsExport = readOne(
  "snapshots.export",
  "Exports a world or a snapshot as one JSON document, without secrets unless asked.",
  {
    name: Type.Optional(Name("A snapshot of this world (default: the current state)")),
    reveal: Type.Optional(Type.Boolean({ description: "Include keys and secrets" })),
  },
  Type.Object({
    file_name: Type.String({ description: "The file name to use" }),
    document: WorldDocument,
  }),
  { ...withUnprocessable, access: { needs: "manage", fields: { reveal: "operator" } } },
);
export const snapshotsImport = writeOne(
  "snapshots.import",
  "Imports a document as a snapshot. The world doesn’t change until you restore it. Pre-loaded credentials become this service’s; subscriptions are paused.",
  {
    document: WorldDocument,
    name: Type.Optional(Name("1 to 64 of A–Z a–z 0–9 . _ - (default: from the time)")),
  },
  Snapshot,
  withUnprocessable,
);

/** Compared tables in display order. A basket is derived from a job's parts, so it isn't compared itself. */
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

/** Limits on the listed rows of each kind in a table, and on the listed fields of a row. */
export const MAX_DIFFERENT_ROWS = 50;
export const MAX_DIFFERENT_FIELDS = 20;

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
    { description: `The changed fields, at most ${MAX_DIFFERENT_FIELDS}` },
  ),
});
export type Difference = Static<typeof Difference>;

export const TableDifference = Type.Object({
  table: OneOf(comparedTables),
  here: Count(),
  there: Count(),
  only_here: Count(),
  only_there: Count(),
  changed: Count(),
  rows: Type.Array(Difference, { description: `The first ${MAX_DIFFERENT_ROWS} of each kind; the counts include all` }),
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
  { ...withUnprocessable, access: { needs: "view", worlds: ["world", "with.world"] } },
);
