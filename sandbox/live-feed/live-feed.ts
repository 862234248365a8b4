import type { LiveEntry } from "../contract/live.ts";
import type { World } from "../worlds/world.ts";
import { type FeedPage, FeedPages } from "./feed-pages.ts";
import { controlBytes, entryBytes } from "./feed-text.ts";

/** One connected reader, as the feed sees it. */
export interface Reader {
  /** Sends bytes; answers how many still wait to leave. */
  write(bytes: Buffer): number;
  /** Calls `run` whenever everything has left of what had to wait. */
  onDrain(run: () => void): void;
  end(): void;
}

/** How much may wait for a slow reader before it is dropped; it resumes from the last id it saw. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
/** One that catches up is given the next page when no more than this waits for it. */
const MOST_AHEAD_BYTES = 256 * 1024;
/** A reader without a `Last-Event-ID` is first shown the newest so many. */
const NEWEST = 50;
/** A gap of more rows than this is not replayed; the reader is told to read everything anew. */
const MOST_MISSED = 5_000;
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = Buffer.from(": heartbeat\n\n");

interface Connected {
  readonly reader: Reader;
  /** It catches up from the entry after this; null: it has all there is, and is told what happens. */
  behind: number | null;
  /** How much may wait for it: more than usual while what it was shown at first is on its way. */
  allowed: number;
}

/** Hands every entry of each world's log to its readers, in order, without gaps or repeats. */
export class LiveFeed {
  readonly #connected = new Map<string, Map<Reader, Connected>>();
  /** What happened in this turn of the event loop and was not told yet, by world. */
  #untold = new Map<string, LiveEntry[]>();
  readonly #pages = new FeedPages();
  readonly #version: string;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(version: string) {
    this.#version = version;
    this.#heartbeat = setInterval(() => this.#toAll(HEARTBEAT), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** @param lastId the reader's `Last-Event-ID`, or null */
  connect(world: World, lastId: number | null, reader: Reader): void {
    this.#tell();
    const newest = world.stores.log.lastId();
    const resumes = lastId !== null && this.#isGapless(world, lastId, newest);
    const one: Connected = { reader, behind: resumes ? lastId : null, allowed: MOST_WAITING_BYTES };
    const readers = this.#connected.get(world.name) ?? new Map<Reader, Connected>();
    readers.set(reader, one);
    this.#connected.set(world.name, readers);
    reader.onDrain(() => this.#catchUp(world, one));
    reader.write(controlBytes("ready", { world: world.name, version: this.#version, last_id: newest }));
    if (resumes) {
      this.#catchUp(world, one);
      return;
    }
    if (lastId !== null) reader.write(controlBytes("reset", { reason: "what was missed is no longer kept" }));
    this.#reading(world.name, one, () => {
      one.allowed += reader.write(entryBytes(this.#pages.newest(world, NEWEST)));
    });
  }

  /** A log that cannot be read now, as on a failing disk, is the end for whoever wants to read it, and for nobody else. */
  #reading(worldName: string, one: Connected, read: () => void): void {
    try {
      read();
    } catch {
      this.#drop(worldName, one, "the log cannot be read now; connect again to go on from the last id");
    }
  }

  /** Whether all that a reader missed is there, and not too much to be shown. */
  #isGapless({ stores: { log }, exchanges }: World, lastId: number, newest: number): boolean {
    if (lastId < log.gaplessFrom() || lastId > newest) return false;
    return (
      newest - lastId <= MOST_MISSED ||
      log.rowsAfter(lastId, MOST_MISSED + 1) + exchanges.after(lastId).length <= MOST_MISSED
    );
  }

  /** Shows a reader the next page of what it missed, and another when it has taken that, until it has all. */
  #catchUp(world: World, one: Connected): void {
    if (one.behind === null || !this.#connected.get(world.name)?.has(one.reader)) return;
    if (world.closed) {
      // Connecting again opens it.
      this.#end(world.name, one);
      return;
    }
    this.#reading(world.name, one, () => this.#showPage(world, one, this.#pages.after(world, one.behind ?? 0)));
  }

  #showPage(world: World, one: Connected, page: FeedPage): void {
    // What happened and was not told yet is in the page.
    if (page.complete) this.#tell();
    one.behind = page.complete ? null : page.last;
    const waiting = page.bytes.length > 0 ? one.reader.write(page.bytes) : 0;
    if (!page.complete && waiting <= MOST_AHEAD_BYTES) setImmediate(() => this.#catchUp(world, one));
    if (page.complete && ![...this.#all()].some(({ behind }) => behind !== null)) this.#pages.forget();
  }

  /** Whether anybody reads a world. */
  watched(worldName: string): boolean {
    return (this.#connected.get(worldName)?.size ?? 0) > 0;
  }

  disconnect(worldName: string, reader: Reader): void {
    const readers = this.#connected.get(worldName);
    readers?.delete(reader);
    if (readers?.size === 0) this.#connected.delete(worldName);
  }

  /** Tells the readers of a world what happened, at the end of this turn of the event loop, in one go. */
  publish(worldName: string, entries: readonly LiveEntry[]): void {
    if (!this.watched(worldName)) return;
    if (this.#untold.size === 0) setImmediate(() => this.#tell());
    const before = this.#untold.get(worldName);
    if (before) before.push(...entries);
    else this.#untold.set(worldName, [...entries]);
  }

  #tell(): void {
    const untold = this.#untold;
    if (untold.size === 0) return;
    this.#untold = new Map();
    for (const [worldName, entries] of untold) {
      // Once for all readers, however many there are.
      const bytes = entryBytes(entries);
      for (const one of this.#of(worldName)) if (one.behind === null) this.#write(worldName, one, bytes);
    }
  }

  /** Tells the readers of a world that all they know of it is stale. */
  reset(worldName: string, reason: string): void {
    this.#tell();
    const bytes = controlBytes("reset", { reason });
    for (const one of this.#of(worldName)) {
      one.behind = null;
      this.#write(worldName, one, bytes);
    }
  }

  #write(worldName: string, one: Connected, bytes: Buffer): void {
    const waiting = one.reader.write(bytes);
    if (waiting <= one.allowed) {
      one.allowed = Math.max(MOST_WAITING_BYTES, Math.min(one.allowed, waiting + MOST_WAITING_BYTES));
      return;
    }
    this.#drop(worldName, one, "reads too slowly; connect again to go on from the last id");
  }

  #drop(worldName: string, one: Connected, reason: string): void {
    one.reader.write(controlBytes("dropped", { reason }));
    this.#end(worldName, one);
  }

  #end(worldName: string, { reader }: Connected): void {
    this.disconnect(worldName, reader);
    reader.end();
  }

  #of(worldName: string): Connected[] {
    return [...(this.#connected.get(worldName)?.values() ?? [])];
  }

  *#all(): Generator<Connected> {
    for (const readers of this.#connected.values()) yield* readers.values();
  }

  #toAll(bytes: Buffer): void {
    for (const worldName of [...this.#connected.keys()])
      for (const one of this.#of(worldName)) this.#write(worldName, one, bytes);
  }

  close(): void {
    clearInterval(this.#heartbeat);
    this.#tell();
    for (const { reader } of this.#all()) reader.end();
    this.#connected.clear();
  }
}
