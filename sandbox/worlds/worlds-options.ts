import type { GivenCredentials } from "../config.ts";
import type { OpenOptions } from "../storage/database.ts";
import type { ServiceDatabase } from "../storage/service-database.ts";
import type { Sharing } from "./sharing.ts";
import type { World, WorldListeners } from "./world.ts";

export interface WorldsOptions extends OpenOptions {
  readonly folder: string;
  readonly service: ServiceDatabase;
  readonly idleResetMs: number;
  /** D85. */
  readonly mostWorlds: number;
  /** Mebibytes of records per world, an upper bound for the worlds' own settings. */
  readonly mostRetention: number;
  /** Limit of open worlds. The least recently used ones are closed, and reopened on a call. */
  readonly mostOpen: number;
  /** Null for the documented demo values. */
  readonly credentials: GivenCredentials | null;
  /** Checkpoints a file's WAL on a thread. */
  readonly fold: (file: string) => Promise<void>;
  /** True if closed worlds open to send due deliveries. */
  readonly deliveries: boolean;
  /** Absent on a single machine. */
  readonly sharing?: Sharing | undefined;
  readonly listeners: Pick<WorldListeners, "onPublish" | "onError" | "repeats"> & {
    /** Called when a world was replaced by the seed or a snapshot, so caches of it are stale. */
    readonly reset: (name: string, to: "seed" | "snapshot") => void;
    /** Called when a world was deleted; `why` is a phrase for people. */
    readonly removed: (name: string, why: string) => void;
    /** Called when another node took a world; `why` is a phrase for people. */
    readonly left: (name: string, why: string) => void;
    /** Called when a world's file was opened, because deliveries may wait in it. */
    readonly opened: (world: World) => void;
  };
}
