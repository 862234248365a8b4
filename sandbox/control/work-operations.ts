import { workCancel, workList } from "../contract/control/work-operations.ts";
import { refuse } from "../contract/errors.ts";
import { type BoundControl, control } from "./handler.ts";

/** Work on whole worlds that is being done. */
export const workControls: readonly BoundControl[] = [
  control(workList, ({ snapshots }) => ({ items: snapshots.work.list() })),
  control(workCancel, ({ snapshots }, { id }) =>
    snapshots.work.cancel(id) ? { ok: true } : refuse("not_found", `/id ${id} names no task in progress`),
  ),
];
