import type { World } from "../../../../sandbox/contract/control/rows.ts";
import type { DestructiveAct, Snapshot } from "../../../../sandbox/contract/control/snapshot-operations.ts";
import { plural } from "../../../lib/formatting.ts";

export const kindLabels: Readonly<Record<Snapshot["kind"], string>> = {
  saved: "snapshot",
  imported: "imported",
  checkpoint: "saved automatically",
};

/** Labels of a checkpoint's act: in the list, and for the undo. */
const acts: Readonly<Record<DestructiveAct, { readonly done: string; readonly undo: string }>> = {
  reset: { done: "Reset", undo: "Undo reset" },
  delete: { done: "Deleted", undo: "Undo delete" },
  restore: { done: "Restored", undo: "Undo restore" },
};

/** A snapshot's title in the list. */
export const snapshotTitle = ({ before, name }: Snapshot): string => (before === null ? name : acts[before].done);

/** Label of the restore action. */
export const restoreLabel = ({ before }: Snapshot): string => (before === null ? "Restore" : acts[before].undo);

const nouns = [
  ["jobs", "job"],
  ["procurements", "order"],
  ["subscriptions", "subscription"],
  ["credentials", "credential"],
] as const;

/** "6 more jobs, 1 fewer order": a world's counts in the snapshot compared with now; empty when equal. */
export const differenceText = (then: World["counts"], now: World["counts"]): string =>
  nouns
    .flatMap(([count, noun]) => {
      const by = then[count] - now[count];
      return by === 0 ? [] : [plural(Math.abs(by), `${by > 0 ? "more" : "fewer"} ${noun}`)];
    })
    .join(", ");
