import type { FoundIntegration, Integration } from "../storage/integrations-store.ts";
import type { WorldEntry } from "../storage/service-database.ts";
import type { World } from "./world.ts";

/** What a service does that shares its worlds with other machines. One that is alone has none of it. */
export interface Sharing {
  /** Which machine this is. */
  readonly node: string;
  /** Whether this machine holds a world: then the file here is the world, and otherwise there is none here. */
  holds(name: string): boolean;
  /** A world's file is about to be another one, or none. @throws NotDurableError where this machine does not hold it */
  changing(name: string): void;
  /** Brings what was just committed to where other machines find it. @throws NotDurableError where another one holds the world */
  replicate(world: World): Promise<void>;
  /**
   * Says which integrations are in a world, or are with what is committed next: others find them once that is stored.
   *
   * @throws NotDurableError where another machine holds the world
   */
  indexed(name: string, all: readonly Integration[]): void;
  /** An integration as it is stored, whoever holds its world, `first` before others. @throws NotDurableError */
  find(id: string, first: string): Promise<FoundIntegration | null>;
  /** How many worlds this machine does not hold, as it was when it last took a name that no world had. */
  readonly others: number;
  /** What is known of them. */
  elsewhere(): Promise<WorldEntry[]>;
  /** Writes the file of a world as it was stored last, whoever holds it. @returns false: there is none @throws NotDurableError */
  load(name: string, file: string): Promise<boolean>;
}
