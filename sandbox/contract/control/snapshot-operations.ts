import * as Type from "typebox";
import { controlOperation } from "../operation.ts";
import { Items, Nullable, Timestamp } from "../schema.ts";
import { base, byId, inWorld } from "./declaring.ts";
import { World } from "./rows.ts";
import { Snapshot, WorldDocument } from "./snapshot-rows.ts";

const Name = (description: string) => Type.String({ maxLength: 64, description });
const errors = ["unauthorized", "bad_request", "not_found", "unprocessable"] as const;

export const snapshotsList = controlOperation({
  ...base,
  id: "snapshots.list",
  effect: "read",
  summary:
    "The snapshots of a world, newest first, with the checkpoints made before it was reset, deleted or restored.",
  request: inWorld({
    everywhere: Type.Optional(Type.Boolean({ description: "Of all worlds, also of such as are no more" })),
  }),
  response: Items(Snapshot),
});
export const snapshotsSave = controlOperation({
  ...byId,
  id: "snapshots.save",
  effect: "write",
  summary: "Keeps a world as it is now, under a name.",
  errors,
  request: inWorld({
    name: Type.Optional(Name("1 to 64 of A–Z a–z 0–9 . _ -; left out: made from the time")),
  }),
  response: Snapshot,
});
export const snapshotsRestore = controlOperation({
  ...byId,
  id: "snapshots.restore",
  effect: "write",
  summary:
    "Makes a world again what it was. Notifications that were pending in the snapshot are not sent: they count as failed and can be sent again by hand.",
  errors,
  request: inWorld({
    name: Name("A snapshot of this world"),
    checkpoint: Type.Optional(Type.Boolean({ description: "false: what the world is now is lost" })),
    clock: Type.Optional(
      Timestamp(
        "Where the world's clock goes on from, also earlier than now: what expires is judged as it was then. Left out: as the snapshot says",
      ),
    ),
  }),
  response: Type.Object({ ...World.properties, checkpoint: Nullable(Type.String()) }),
});
export const snapshotsDelete = controlOperation({
  ...byId,
  id: "snapshots.delete",
  effect: "write",
  summary: "Forgets a snapshot.",
  request: inWorld({ name: Name("A snapshot of this world") }),
  response: Type.Object({ ok: Type.Boolean() }),
});
export const snapshotsExport = controlOperation({
  ...byId,
  id: "snapshots.export",
  effect: "read",
  summary: "A world, or a snapshot of it, as one JSON document without secrets, to be kept or imported elsewhere.",
  errors,
  request: inWorld({
    name: Type.Optional(Name("A snapshot of this world; left out: the world as it is now")),
    reveal: Type.Optional(Type.Boolean({ description: "Include keys and secrets" })),
  }),
  response: Type.Object({
    file_name: Type.String({ description: "What to call the file" }),
    document: WorldDocument,
  }),
});
export const snapshotsImport = controlOperation({
  ...byId,
  id: "snapshots.import",
  effect: "write",
  summary:
    "Imports an exported document as a snapshot of a world, which stays as it is until that is restored. Its pre-loaded credentials become this service's; its subscriptions are paused.",
  errors,
  request: inWorld({
    document: WorldDocument,
    name: Type.Optional(Name("1 to 64 of A–Z a–z 0–9 . _ -; left out: made from the time")),
  }),
  response: Snapshot,
});

/** A world at a moment, to come back to. */
export const snapshotOperations = [
  snapshotsList,
  snapshotsSave,
  snapshotsRestore,
  snapshotsDelete,
  snapshotsExport,
  snapshotsImport,
] as const;
