import type { World } from "../../../../sandbox/contract/control/rows.ts";
import type { DestructiveAct, Snapshot } from "../../../../sandbox/contract/control/snapshot-rows.ts";
import { plural } from "../../../lib/formatting.ts";

/** A point of a world's time line. */
export type Moment =
  | { readonly is: "made"; readonly at: string }
  | { readonly is: "snapshot"; readonly at: string; readonly snapshot: Snapshot };

/** What a world was, oldest first: when it was made, and every snapshot of it. @param row null: it has ended */
export const momentsOf = (row: World | null, snapshots: readonly Snapshot[]): readonly Moment[] =>
  [
    ...(row === null ? [] : [{ is: "made" as const, at: row.created_at }]),
    ...snapshots.map((snapshot) => ({ is: "snapshot" as const, at: snapshot.created_at, snapshot })),
  ].toSorted((one, other) => one.at.localeCompare(other.at));

/** What a checkpoint was made before: as it stands on the time line, and as what is undone. */
const acts: Readonly<Record<DestructiveAct, { readonly done: string; readonly undo: string }>> = {
  reset: { done: "Reset", undo: "Undo reset" },
  delete: { done: "Deleted", undo: "Undo delete" },
  restore: { done: "Restored", undo: "Undo restore" },
};

/** What a point of the time line is called. */
export const titleOf = ({ before, name }: Snapshot): string => (before === null ? name : acts[before].done);

/** What going back to it does. */
export const restoreLabel = ({ before }: Snapshot): string => (before === null ? "Restore" : acts[before].undo);

const nouns = [
  ["jobs", "job"],
  ["procurements", "order"],
  ["subscriptions", "subscription"],
  ["credentials", "credential"],
] as const;

/** "6 more jobs, 1 fewer order": how a world was then beside how it is now; empty where all counts are the same. */
export const differenceWords = (then: World["counts"], now: World["counts"]): string =>
  nouns
    .flatMap(([count, noun]) => {
      const by = then[count] - now[count];
      return by === 0 ? [] : [plural(Math.abs(by), `${by > 0 ? "more" : "fewer"} ${noun}`)];
    })
    .join(", ");
