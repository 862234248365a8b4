import type { LiveControl, LiveEntry } from "../contract/live.ts";
import type { World } from "../worlds/world.ts";

/** One connected reader, as the feed sees it. */
export interface Reader {
  /** Writes text; answers how many bytes still wait to leave. */
  write(text: string): number;
  end(): void;
}

/** How much may wait for a slow reader before it is dropped; it resumes from the last id it saw. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
/** A reader without a `Last-Event-ID` is first shown the newest so many. */
const NEWEST = 50;
/** A gap larger than this is not replayed; the reader is told to read everything anew. */
const MOST_MISSED = 5_000;
const HEARTBEAT_MS = 15_000;

const entryText = (entry: LiveEntry): string =>
  `id: ${entry.id}\nevent: ${entry.kind}\ndata: ${JSON.stringify(entry)}\n\n`;
const controlText = <K extends keyof LiveControl>(name: K, data: LiveControl[K]): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** What the file holds and what is on its way there, as one list in order. */
const entries = (kept: readonly LiveEntry[], coming: readonly LiveEntry[]): readonly LiveEntry[] => {
  if (coming.length === 0) return kept;
  const known = new Set(kept.map((entry) => entry.id));
  return [...kept, ...coming.filter((entry) => !known.has(entry.id))].sort((a, b) => a.id - b.id);
};

/** Hands every entry of each world's log to its readers, in order, without gaps or repeats. */
export class LiveFeed {
  readonly #readers = new Map<string, Set<Reader>>();
  readonly #version: string;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(version: string) {
    this.#version = version;
    this.#heartbeat = setInterval(() => this.#toAll(": heartbeat\n\n"), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** @param lastId the reader's `Last-Event-ID`, or null */
  connect(world: World, lastId: number | null, reader: Reader): void {
    const { log } = world.stores;
    const newest = log.lastId();
    const missed =
      lastId === null || lastId < log.gaplessFrom() || lastId > newest
        ? null
        : entries(log.after(lastId, MOST_MISSED + 1), world.exchanges.after(lastId));
    const gapless = missed !== null && missed.length <= MOST_MISSED;
    reader.write(controlText("ready", { world: world.name, version: this.#version, last_id: newest }));
    if (lastId !== null && !gapless)
      reader.write(controlText("reset", { reason: "what was missed is no longer kept" }));
    const shown = gapless ? missed : entries(log.newest(NEWEST), world.exchanges.after(0)).slice(-NEWEST);
    for (const entry of shown) reader.write(entryText(entry));
    const readers = this.#readers.get(world.name) ?? new Set<Reader>();
    readers.add(reader);
    this.#readers.set(world.name, readers);
  }

  /** Whether anybody reads a world. */
  watched(worldName: string): boolean {
    return (this.#readers.get(worldName)?.size ?? 0) > 0;
  }

  disconnect(worldName: string, reader: Reader): void {
    this.#readers.get(worldName)?.delete(reader);
  }

  publish(worldName: string, entries: readonly LiveEntry[]): void {
    const readers = this.#readers.get(worldName);
    if (!readers || readers.size === 0) return;
    const text = entries.map(entryText).join("");
    for (const reader of readers) this.#write(worldName, reader, text);
  }

  /** Tells the readers of a world that all they know of it is stale. */
  reset(worldName: string, reason: string): void {
    for (const reader of this.#readers.get(worldName) ?? [])
      this.#write(worldName, reader, controlText("reset", { reason }));
  }

  #write(worldName: string, reader: Reader, text: string): void {
    if (reader.write(text) <= MOST_WAITING_BYTES) return;
    reader.write(controlText("dropped", { reason: "reads too slowly; connect again to go on from the last id" }));
    this.disconnect(worldName, reader);
    reader.end();
  }

  #toAll(text: string): void {
    for (const [worldName, readers] of this.#readers)
      for (const reader of readers) this.#write(worldName, reader, text);
  }

  close(): void {
    clearInterval(this.#heartbeat);
    for (const readers of this.#readers.values()) for (const reader of readers) reader.end();
    this.#readers.clear();
  }
}
