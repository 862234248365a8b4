import type { Static } from "typebox";
import * as Type from "typebox";
import { Items, Nullable, OneOf, Timestamp } from "../schema.ts";
import { read, writeOne } from "./declaring.ts";

/** Work on whole worlds, which is done beside everything else, one piece at a time. */
export const WorkRow = Type.Object({
  id: Type.String(),
  kind: OneOf(
    ["copy", "restore", "export", "import", "compare", "record", "branch"],
    "copy: also used to save a snapshot",
  ),
  world: Nullable(Type.String({ description: "The world; null for an import" })),
  to: Nullable(Type.String({ description: "The world it creates; null: none" })),
  asked_at: Timestamp("Real time"),
  progress: Nullable(Type.Number({ minimum: 0, maximum: 1, description: "null: waiting for earlier work" })),
});
export type WorkRow = Static<typeof WorkRow>;

export const workList = read(
  "work.list",
  "Long work in progress across worlds, in order: snapshots, copies, branches, exports, imports, recordings and comparisons.",
  {},
  Items(WorkRow),
);
export const workCancel = writeOne(
  "work.cancel",
  "Cancels long work. Its call returns unprocessable and nothing changes. Hanging up the call does the same.",
  { id: Type.String() },
  Type.Object({ ok: Type.Boolean() }),
);

export const workOperations = [workList, workCancel] as const;
