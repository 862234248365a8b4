import type { LiveEntry } from "../contract/live.ts";
import type { World } from "../worlds/world.ts";
import { entryBytes } from "./feed-text.ts";

/** How many rows are read at a time for a reader that catches up. */
const PAGE = 200;
/** As many pages are remembered as are worth it when many readers come back at once, as they do after a restart. */
const REMEMBERED = 32;

/** Some of what a reader missed. */
export interface FeedPage {
  readonly bytes: Buffer;
  /** It reaches up to this entry. */
  readonly last: number;
  /** There is nothing after it now. */
  readonly complete: boolean;
}

/** What the file holds and what is on its way there, as one list in order. */
const merged = (kept: readonly LiveEntry[], coming: readonly LiveEntry[]): readonly LiveEntry[] => {
  if (coming.length === 0) return kept;
  const known = new Set(kept.map((entry) => entry.id));
  return [...kept, ...coming.filter((entry) => !known.has(entry.id))].sort((a, b) => a.id - b.id);
};

/** Reads worlds' logs in pages; a page that many readers ask for is read once. */
export class FeedPages {
  /** By the entry before them; the least used first. Full ones only: nothing is ever added to those. */
  readonly #full = new Map<string, FeedPage>();

  /** The newest entries of a world, oldest first. */
  newest(world: World, count: number): readonly LiveEntry[] {
    return merged(world.stores.log.newest(count), world.exchanges.after(0)).slice(-count);
  }

  /** The next entries after one. */
  after(world: World, id: number): FeedPage {
    const key = `${world.name} ${id}`;
    const known = this.#full.get(key);
    if (known) return known;
    const { entries, through } = world.stores.log.page(id, PAGE);
    const coming = world.exchanges.after(id).filter((entry) => entry.id <= (through ?? entry.id));
    const all = merged(entries, coming);
    const page = { bytes: entryBytes(all), last: through ?? all.at(-1)?.id ?? id, complete: through === null };
    if (!page.complete) this.#remember(key, page);
    return page;
  }

  #remember(key: string, page: FeedPage): void {
    this.#full.set(key, page);
    const [oldest] = this.#full.keys();
    if (this.#full.size > REMEMBERED && oldest !== undefined) this.#full.delete(oldest);
  }

  /** Nobody catches up any more. */
  forget(): void {
    this.#full.clear();
  }
}
