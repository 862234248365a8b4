import type { OnceAnHour } from "../rules/once-an-hour.ts";
import type { Runs } from "../scenario/runs.ts";
import type { ScenarioFiles } from "../scenario/scenario-files.ts";
import type { LongWork } from "../snapshots/long-work.ts";
import type { SnapshotFiles } from "../snapshots/snapshot-files.ts";
import type { MediaFiles } from "../uploads/media-files.ts";
import type { Sink } from "../webhooks/sink.ts";
import type { Worlds } from "../worlds/worlds.ts";
import type { DataFolder } from "./data-folder.ts";
import type { LogFile } from "./log-file.ts";
import type { StartSettings } from "./service-settings.ts";

export interface Erased {
  /** What is gone: how many there were. */
  readonly worlds: number;
  readonly snapshots: number;
  readonly scenarios: number;
  /** Worlds whose file another version wrote: such a file is never touched. */
  readonly left: string[];
}

interface Everything {
  readonly worlds: Worlds;
  readonly snapshots: SnapshotFiles;
  readonly scenarios: ScenarioFiles;
  readonly runs: Runs;
  readonly media: MediaFiles;
  readonly work: LongWork;
  readonly sink: Sink;
  readonly log: LogFile;
  readonly folder: DataFolder;
  readonly settings: StartSettings;
  readonly onceAnHour: OnceAnHour;
}

/**
 * Erases what the data folder has of anybody's work. What stays is what a fresh folder has too: the world default as it is
 * seeded, and the keys of the service until the next start: the windows that are open have the control token.
 */
export const eraseEverything = async (all: Everything): Promise<Erased> => {
  // What still makes files would put them back.
  await all.work.end(null);
  await all.runs.close();
  const before = all.worlds.list().length;
  const left = await all.worlds.removeAll();
  const snapshots = all.snapshots.deleteAll();
  const scenarios = all.scenarios.deleteAll();
  all.media.forgetAll(left);
  all.sink.clear();
  all.log.clear();
  all.settings.forget();
  all.folder.database.access.clear();
  all.folder.database.audit.clear();
  all.onceAnHour.clear();
  all.folder.rotateKeys();
  all.folder.database.compact();
  return { worlds: before - left.length, snapshots, scenarios, left };
};
