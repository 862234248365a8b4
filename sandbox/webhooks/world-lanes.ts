import type { Standing } from "../storage/subscriptions-store.ts";
import type { World } from "../worlds/world.ts";
import type { Lane } from "./lane.ts";
import type { Recorder } from "./recorder.ts";

export interface WorldLanesListeners {
  readonly begun: (standing: Standing) => Lane;
  readonly ended: (lane: Lane) => void;
}

/** The lanes of one world: one for each subscription, as they are in the file. */
export class WorldLanes {
  readonly world: World;
  readonly recorder: Recorder;
  readonly #listeners: WorldLanesListeners;
  /** By the subscription's id. */
  readonly #lanes = new Map<string, Lane>();
  #version = -1;
  /** Whether somebody is about to look for what is new. */
  looking = false;

  constructor(world: World, recorder: Recorder, listeners: WorldLanesListeners) {
    this.world = world;
    this.recorder = recorder;
    this.#listeners = listeners;
  }

  get size(): number {
    return this.#lanes.size;
  }

  get(subscriptionId: string): Lane | undefined {
    return this.#lanes.get(subscriptionId);
  }

  all(): Lane[] {
    return [...this.#lanes.values()];
  }

  /** Whether the subscriptions may have changed since they were last read. */
  get outdated(): boolean {
    return this.#version !== this.world.stores.subscriptions.version;
  }

  /** Whether they were read at all. */
  get read(): boolean {
    return this.#version !== -1;
  }

  /** Begins, ends and pauses lanes as their subscriptions are now. */
  refresh(): void {
    if (!this.outdated) return;
    const { subscriptions } = this.world.stores;
    const { version } = subscriptions;
    const standings = subscriptions.standings();
    const ids = new Set(standings.map(({ id }) => id));
    for (const [id, lane] of this.#lanes) if (!ids.has(id)) this.#end(id, lane);
    for (const standing of standings) {
      const lane = this.#lanes.get(standing.id) ?? this.#listeners.begun(standing);
      this.#lanes.set(standing.id, lane);
      lane.paused = standing.paused_at !== null;
    }
    // Not before: where the file cannot be read, all of it is read again.
    this.#version = version;
  }

  #end(id: string, lane: Lane): void {
    this.#lanes.delete(id);
    lane.close();
    this.#listeners.ended(lane);
  }

  /** Nothing more is delivered. */
  end(): void {
    for (const [id, lane] of this.#lanes) this.#end(id, lane);
    this.recorder.end();
  }
}
