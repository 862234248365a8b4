import {
  snapshotsDelete,
  snapshotsExport,
  snapshotsImport,
  snapshotsList,
  snapshotsRestore,
  snapshotsSave,
} from "../contract/control/snapshot-operations.ts";
import type { Snapshot } from "../contract/control/snapshot-rows.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import type { SnapshotRecord } from "../storage/snapshot-files.ts";
import { type BoundControl, type ControlContext, control, iso } from "./handler.ts";
import { changedRow } from "./world-operations.ts";

const snapshotRow = ({ summary, created_at, ...record }: SnapshotRecord): Snapshot => {
  const { clock_offset, ...counts } = summary;
  return { ...record, created_at: iso(created_at), counts, clock_offset_seconds: clock_offset / 1_000 };
};

/** Says that the list is another one, and answers what became of it. */
const told = async ({ world, worlds }: ControlContext, made: SnapshotRecord | Refusal): Promise<Snapshot | Refusal> => {
  if (made instanceof Refusal) return made;
  await worlds.use(world.name).write((append) => append("world", null, { what: "snapshots" }));
  return snapshotRow(made);
};

/** Worlds at a moment, to come back to. */
export const snapshotControls: readonly BoundControl[] = [
  control(snapshotsList, ({ world, snapshots }, { everywhere = false }) => ({
    items: snapshots.list(everywhere ? null : world.name).map(snapshotRow),
  })),
  control(snapshotsSave, async (context, { name, replace = false }) =>
    told(context, await context.snapshots.save(context.world, name, replace)),
  ),
  control(snapshotsRestore, async (context, { name, checkpoint = true }) => {
    const changed = await context.snapshots.restore(context.world.name, name, checkpoint);
    return changed instanceof Refusal ? changed : changedRow(context, changed);
  }),
  control(snapshotsDelete, async ({ world, snapshots }, { name }) => {
    if (!snapshots.delete(world.name, name))
      return refuse("not_found", `/name ${name} is no snapshot of the world ${world.name}`);
    await world.write((append) => append("world", null, { what: "snapshots" }));
    return { ok: true };
  }),
  control(snapshotsExport, ({ world, snapshots }, { name, reveal = false }) => {
    const document = snapshots.export(world, name, reveal);
    if (document instanceof Refusal) return document;
    const of = name ?? document.exported_at.slice(0, 19).replaceAll(":", "");
    return { file_name: `${world.name}-${of}.world.json`, document };
  }),
  control(snapshotsImport, async (context, { document, name }) =>
    told(context, await context.snapshots.import(context.world.name, document, name)),
  ),
];
