import * as Type from "typebox";
import { Items, Nullable, Timestamp } from "../schema.ts";
import { manage, orUnprocessable, read, readOne, writeOne } from "./declaring.ts";
import { World } from "./rows.ts";
import { Snapshot, WorldDocument } from "./snapshot-rows.ts";

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
  { ...orUnprocessable, ...manage },
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
  { ...orUnprocessable, ...manage },
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
  { ...orUnprocessable, access: { needs: "manage", fields: { reveal: "operator" } } },
);
export const snapshotsImport = writeOne(
  "snapshots.import",
  "Imports a document as a snapshot. The world doesn’t change until you restore it. Pre-loaded credentials become this service’s; subscriptions are paused.",
  {
    document: WorldDocument,
    name: Type.Optional(Name("1 to 64 of A–Z a–z 0–9 . _ - (default: from the time)")),
  },
  Snapshot,
  orUnprocessable,
);

/** A world at a moment, to come back to. */
export const snapshotOperations = [
  snapshotsList,
  snapshotsSave,
  snapshotsRestore,
  snapshotsDelete,
  snapshotsExport,
  snapshotsImport,
] as const;
