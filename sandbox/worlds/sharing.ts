import type { FoundIntegration, Integration } from "../storage/integrations-store.ts";
import type { WorldEntry } from "../storage/service-database.ts";
import type { World } from "./world.ts";

/** Cluster functions of a service that shares worlds with other nodes. Absent on a single machine. */
export interface Sharing {
  readonly node: string;
  /** Checks whether this node owns a world. Then the local file is the world; otherwise there is no local file. */
  owns(name: string): boolean;
  /** Call before a world's file is replaced or deleted. @throws NotDurableError if this node doesn't own it */
  changing(name: string): void;
  /** Replicates the latest commit to shared storage. @throws NotDurableError if another node owns the world */
  replicate(world: World): Promise<void>;
  /**
   * Publishes the integrations of a world, including those of the next commit. Other nodes find them once stored.
   *
   * @throws NotDurableError if another node owns the world
   */
  indexed(name: string, all: readonly Integration[]): void;
  /** Finds an integration in shared storage; `first` is the preferred world. @throws NotDurableError */
  find(id: string, first: string): Promise<FoundIntegration | null>;
  /** Number of worlds that other nodes own, as of the last time this node took an unused name. */
  readonly others: number;
  /** Worlds that other nodes own. */
  elsewhere(): Promise<WorldEntry[]>;
  /** Writes the latest stored version of a world to a file. @returns false if none is stored @throws NotDurableError */
  load(name: string, file: string): Promise<boolean>;
}
