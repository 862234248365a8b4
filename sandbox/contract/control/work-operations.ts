import type { Static } from "typebox";
import * as Type from "typebox";
import { Items, Nullable, OneOf, Timestamp } from "../schema.ts";
import { read, writeOne } from "./declaring.ts";

/** Work on whole worlds, which is done beside everything else, one piece at a time. */
export const WorkRow = Type.Object({
  id: Type.String(),
  kind: OneOf(["copy", "restore", "export", "import", "compare", "record"], "copy: also what saves a snapshot"),
  world: Nullable(Type.String({ description: "Whose; null for an import, which says so in its document" })),
  asked_at: Timestamp("Real time"),
  progress: Nullable(Type.Number({ minimum: 0, maximum: 1, description: "null: it waits for the work before it" })),
});
export type WorkRow = Static<typeof WorkRow>;

export const workList = read(
  "work.list",
  "The snapshots, copies, exports, imports and comparisons of all worlds that are being made, in the order they are made.",
  {},
  Items(WorkRow),
);
export const workCancel = writeOne(
  "work.cancel",
  "Cancels work that work.list lists: its call is answered unprocessable, and nothing was changed. To hang up the call itself does the same.",
  { id: Type.String() },
  Type.Object({ ok: Type.Boolean() }),
);

export const workOperations = [workList, workCancel] as const;
