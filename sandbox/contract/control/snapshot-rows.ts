import type { Static } from "typebox";
import * as Type from "typebox";
import { Nullable, OneOf, Text, Timestamp } from "../schema.ts";
import { World } from "./rows.ts";

export const snapshotKinds = ["saved", "imported", "checkpoint"] as const;
const destructiveActs = ["reset", "delete", "restore"] as const;
/** What a checkpoint was made before. */
export type DestructiveAct = (typeof destructiveActs)[number];

/** A world as it was at a moment, kept beside it. */
export const Snapshot = Type.Object({
  name: Type.String(),
  world: Type.String(),
  kind: OneOf(snapshotKinds, "checkpoint: saved automatically before data was replaced; only the newest are kept"),
  before: Nullable(OneOf(destructiveActs)),
  created_at: Timestamp("Real time"),
  bytes: Type.Integer({ minimum: 0, description: "Size on disk, pictures included" }),
  counts: World.properties.counts,
  clock_offset_seconds: Type.Number(),
  version: Type.String({ description: "Version of the service that saved it" }),
});
export type Snapshot = Static<typeof Snapshot>;

export const WORLD_FORMAT = "integrations-explorer-world";
export const WORLD_FORMAT_VERSION = 2;

/**
 * A world as one file that can be carried elsewhere. A cell is null, a number, a string, `{text}` or `{base64}`: the
 * last two are bytes, the former where they are UTF-8.
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
