import type { World } from "./world.ts";

export interface OpenWorld {
  readonly world: World;
  /** Milliseconds since 1970. */
  lastActiveAt: number;
}

/** The worlds that are open, in the order of their use. */
export class OpenWorlds {
  /** Least used first. */
  readonly #byName = new Map<string, OpenWorld>();
  #latest: OpenWorld | null = null;

  get(name: string): OpenWorld | undefined {
    return this.#byName.get(name);
  }

  get size(): number {
    return this.#byName.size;
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
