import type { World } from "./world.ts";

export interface OpenWorld {
  readonly world: World;
  /** Milliseconds since 1970. */
  lastActiveAt: number;
}

/** The least used of more are closed, and open again when they are called. */
const MOST_OPEN = 200;
/** As many of the least used are looked at for one in which nothing is about to be delivered. */
const LOOKED_AT = 16;
const ABOUT_TO_MS = 5_000;

/** The worlds that are open, in the order of their use. */
export class OpenWorlds {
  /** Least used first. */
  readonly #byName = new Map<string, OpenWorld>();
  #latest: OpenWorld | null = null;

  get(name: string): OpenWorld | undefined {
    return this.#byName.get(name);
  }

  /** The one to close while more are open than should be. */
  oneTooMany(): OpenWorld | undefined {
    if (this.#byName.size <= MOST_OPEN) return undefined;
    const soon = Date.now() + ABOUT_TO_MS;
    const least = this.all().slice(0, LOOKED_AT);
    return least.find(({ world }) => (world.nextDueAt() ?? Number.POSITIVE_INFINITY) > soon) ?? least[0];
  }

  all(): OpenWorld[] {
    return [...this.#byName.values()];
  }

  /** A world was opened, or is used again. */
  used(open: OpenWorld): void {
    if (open === this.#latest) return;
    this.#byName.delete(open.world.name);
    this.#byName.set(open.world.name, open);
    this.#latest = open;
  }

  drop(open: OpenWorld): void {
    if (open === this.#latest) this.#latest = null;
    this.#byName.delete(open.world.name);
  }
}
