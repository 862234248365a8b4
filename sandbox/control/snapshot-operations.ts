import { Readable } from "node:stream";
import type { Snapshot } from "../contract/control/snapshot-operations.ts";
import { snapshotsImport } from "../contract/control/snapshot-operations.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import { iso } from "../rules/timestamp.ts";
import { isWorldName } from "../rules/worlds/world-name.ts";
import type { SnapshotRecord } from "../snapshots/snapshot-files.ts";
import type { ExportedDocument } from "../snapshots/snapshots.ts";
import { realTime } from "../storage/real-time.ts";
import { LATEST_MS, MAX_CLOCK_BEHIND_MS } from "../storage/settings-store.ts";
import { type BoundBody, type BoundControl, type ControlContext, control, StreamedResponse } from "./handler.ts";
import { changedRow, setClock } from "./world-operations.ts";

const snapshotRow = ({ summary, created_at, pinned: _pinned, ...record }: SnapshotRecord): Snapshot => {
  const { clock_offset, last_called_at: _called, ...counts } = summary;
  return { ...record, created_at: iso(created_at), counts, clock_offset_seconds: clock_offset / 1_000 };
};

/** Announces the changed list to the world's readers. @returns the snapshot's row */
const publishChange = async (
  { worlds }: Pick<ControlContext, "worlds">,
  saved: SnapshotRecord | Refusal,
): Promise<Snapshot | Refusal> => {
  if (saved instanceof Refusal) return saved;
  await publishList(worlds, saved.world);
  return snapshotRow(saved);
};

const publishList = async (worlds: ControlContext["worlds"], world: string): Promise<void> =>
  worlds.withIntactWorld(world, (found) => found.write((append) => append("world", null, { what: "snapshots" })));

async function* streamDocument({ file_name, document }: ExportedDocument): AsyncGenerator<string | Buffer> {
  yield `{"file_name":${JSON.stringify(file_name)},"document":`;
  yield* document;
  yield "}";
}

/** Documents are parsed on the worker thread, where they don't block the event loop and may use memory. */
export const snapshotBodies: readonly BoundBody[] = [
  {
    operation: snapshotsImport,
    handleBody: async (context, receive) =>
      publishChange(context, await context.snapshots.import(receive, context.hungUp)),
  },
];

export const snapshotControls: readonly BoundControl[] = [
  control("snapshots.list", ({ worldName, worlds, snapshots }, { everywhere = false }) => {
    const found = snapshots.list(everywhere ? null : worldName);
    // A deleted world still has its checkpoints, from which it can be restored.
    if (!everywhere && found.length === 0) worlds.mustHave(worldName);
    return { items: found.map(snapshotRow) };
  }),
  control("snapshots.save", async (context, { name }) =>
    publishChange(context, await context.snapshots.save(context.world.name, name, context.hungUp)),
  ),
  control("snapshots.restore", async (context, { name, checkpoint = true, clock }) => {
    const { snapshots, worldName, hungUp } = context;
    const from = clock === undefined ? null : Date.parse(clock);
    if (from !== null && (from < realTime() - MAX_CLOCK_BEHIND_MS || from > LATEST_MS))
      return refuse("bad_request", "/clock must be less than 100 years ago and before the year 9990");
    // Pauses automatic acts, so none falls due by the clock that is being replaced.
    return context.acting.withPaused(worldName, async () => {
      const changed = await snapshots.restore(worldName, name, checkpoint, hungUp);
      if (changed instanceof Refusal) return changed;
      const moved =
        from === null
          ? null
          : await context.worlds.use(worldName, (world) =>
              setClock({ world, acting: context.acting }, () => from - realTime()),
            );
      return moved instanceof Refusal ? moved : changedRow(context, changed);
    });
  }),
  control("snapshots.delete", async ({ worldName, worlds, snapshots }, { name }) => {
    if (!snapshots.delete(worldName, name))
      return refuse("not_found", `/name ${name}: world ${worldName} has no such snapshot`);
    await publishList(worlds, worldName);
    return { ok: true };
  }),
  control("snapshots.export", async ({ world, snapshots, hungUp }, { name, reveal = false }) => {
    const exported = await snapshots.export(world, name, { reveal }, hungUp);
    return exported instanceof Refusal ? exported : new StreamedResponse(Readable.from(streamDocument(exported)));
  }),
  control("worlds.compare", ({ world, worlds, snapshots, hungUp }, { with: other }) => {
    if (other.world !== undefined) {
      if (!isWorldName(other.world)) return refuse("bad_request", "/with/world must be 1 to 64 of A–Z a–z 0–9 . _ -");
      if (!worlds.withWorld(other.world, () => true))
        return refuse("not_found", `/with/world ${other.world} doesn’t exist`);
    }
    return snapshots.compare(world.name, other, hungUp);
  }),
];
