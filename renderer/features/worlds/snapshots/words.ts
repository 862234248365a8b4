import type { World } from "../../../../sandbox/contract/control/rows.ts";
import type { DestructiveAct, Snapshot } from "../../../../sandbox/contract/control/snapshot-operations.ts";
import { plural } from "../../../lib/formatting.ts";

export const kindWords: Readonly<Record<Snapshot["kind"], string>> = {
  saved: "snapshot",
  imported: "imported",
  checkpoint: "saved automatically",
};

/** What a checkpoint was made before: as it stands in the list, and as what is undone. */
const acts: Readonly<Record<DestructiveAct, { readonly done: string; readonly undo: string }>> = {
  reset: { done: "Reset", undo: "Undo reset" },
  delete: { done: "Deleted", undo: "Undo delete" },
  restore: { done: "Restored", undo: "Undo restore" },
};

/** What a snapshot is called in the list. */
export const snapshotTitle = ({ before, name }: Snapshot): string => (before === null ? name : acts[before].done);

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
