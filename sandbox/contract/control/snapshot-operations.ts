import * as Type from "typebox";
import { Items, Nullable, Timestamp } from "../schema.ts";
import { orUnprocessable, read, readOne, writeOne } from "./declaring.ts";
import { World } from "./rows.ts";
import { Snapshot, WorldDocument } from "./snapshot-rows.ts";

const Name = (description: string) => Type.String({ maxLength: 64, description });

export const snapshotsList = read(
  "snapshots.list",
  "The snapshots of a world, newest first, with the checkpoints made before it was reset, deleted or restored.",
  {
    everywhere: Type.Optional(Type.Boolean({ description: "Of all worlds, also of such as are no more" })),
  },
  Items(Snapshot),
);
export const snapshotsSave = writeOne(
  "snapshots.save",
  "Keeps a world as it is now, under a name.",
  {
    name: Type.Optional(Name("1 to 64 of A–Z a–z 0–9 . _ -; left out: made from the time")),
  },
  Snapshot,
  orUnprocessable,
);
export const snapshotsRestore = writeOne(
  "snapshots.restore",
  "Makes a world again what it was. Notifications that were pending in the snapshot are not sent: they count as failed and can be sent again by hand.",
  {
    name: Name("A snapshot of this world"),
    checkpoint: Type.Optional(Type.Boolean({ description: "false: what the world is now is lost" })),
    clock: Type.Optional(
      Timestamp(
        "Where the world's clock goes on from, also earlier than now: what expires is judged as it was then. Left out: as the snapshot says",
      ),
    ),
  },
  Type.Object({ ...World.properties, checkpoint: Nullable(Type.String()) }),
  orUnprocessable,
);
export const snapshotsDelete = writeOne(
  "snapshots.delete",
  "Forgets a snapshot.",
  { name: Name("A snapshot of this world") },
  Type.Object({ ok: Type.Boolean() }),
);
export const snapshotsExport = readOne(
  "snapshots.export",
  "A world, or a snapshot of it, as one JSON document without secrets, to be kept or imported elsewhere.",
  {
    name: Type.Optional(Name("A snapshot of this world; left out: the world as it is now")),
    reveal: Type.Optional(Type.Boolean({ description: "Include keys and secrets" })),
  },
  Type.Object({
    file_name: Type.String({ description: "What to call the file" }),
    document: WorldDocument,
  }),
  orUnprocessable,
);
export const snapshotsImport = writeOne(
  "snapshots.import",
  "Imports an exported document as a snapshot of a world, which stays as it is until that is restored. Its pre-loaded credentials become this service's; its subscriptions are paused.",
  {
    document: WorldDocument,
    name: Type.Optional(Name("1 to 64 of A–Z a–z 0–9 . _ -; left out: made from the time")),
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
