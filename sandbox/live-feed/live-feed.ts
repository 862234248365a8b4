import type { LiveControl, LiveEntry } from "../contract/live.ts";
import type { World } from "../worlds/world.ts";
import { readListedRows } from "./listed-rows.ts";

/** A connected reader, possibly of several worlds. */
export interface Reader {
  /** Sends bytes of a world. @returns the bytes of all worlds still buffered */
  write(bytes: Buffer, world: string): number;
  /** Sets the callback of a world for an empty buffer. */
  onDrain(run: () => void, world: string): void;
  /** @param world world to end; all by default */
  end(world?: string): void;
}

/** Buffered bytes at which a slow reader is dropped. It resumes from its last ID. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** Buffered bytes up to which a reader that catches up gets the next page. */
const MAX_AHEAD_BYTES = 256 * 1024;
const PAGE_ENTRIES = 200;
/** Entries sent first to a reader without a `Last-Event-ID`. */
const FIRST_ENTRIES = 50;
/** Largest gap that is replayed. Beyond it the reader must reload everything. */
const MAX_MISSED = 5_000;
const UNREADABLE = "the log cannot be read now; connect again to go on from the last id";
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = Buffer.from(": heartbeat\n\n");

/** Adds the current list rows to a change of a job, its parts or procurements. */
const withRows = (world: World, entry: LiveEntry): LiveEntry => {
  if (entry.kind !== "state" || entry.data.job_id === null) return entry;
  const { entity, id, job_id } = entry.data;
  try {
    return {
      ...entry,
      data: { ...entry.data, ...readListedRows(world, job_id, entity === "procurement" ? id : null) },
    };
  } catch {
    // Sends the change even if its file can't be read now, because it is durable.
    return entry;
  }
};

/** Serializes entries as server-sent events. */
const entryBytes = (world: World, entries: readonly LiveEntry[]): Buffer =>
  Buffer.from(
    entries
      .map((entry) => `id: ${entry.id}\nevent: ${entry.kind}\ndata: ${JSON.stringify(withRows(world, entry))}\n\n`)
      .join(""),
  );

export const controlBytes = <K extends keyof LiveControl>(name: K, data: LiveControl[K]): Buffer =>
  Buffer.from(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

interface ReaderState {
  readonly reader: Reader;
  /** Last entry sent. */
  cursor: number;
  /** True if it has caught up and receives new entries directly. */
  live: boolean;
}

/** Runs work in a readable world, opened if needed; undefined otherwise. */
type RunInWorld = <T>(name: string, work: (world: World) => T) => T | undefined;

/** Sends every entry of each world's log to its readers, in order, without gaps or repeats. */
export class LiveFeed {
  readonly #connected = new Map<string, Map<Reader, ReaderState>>();
  readonly #version: string;
  readonly #inWorld: RunInWorld;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(version: string, inWorld: RunInWorld) {
    this.#version = version;
    this.#inWorld = inWorld;
    this.#heartbeat = setInterval(() => {
      for (const worldName of [...this.#connected.keys()]) this.#toAll(worldName, HEARTBEAT);
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** @param lastId the reader's `Last-Event-ID`, or null */
  connect(world: World, lastId: number | null, reader: Reader): void {
    // Until then, new entries are part of the catch-up.
    const one: ReaderState = { reader, cursor: lastId ?? -1, live: false };
    const readers = this.#connected.get(world.name) ?? new Map<Reader, ReaderState>();
    readers.set(reader, one);
    this.#connected.set(world.name, readers);
    reader.onDrain(() => this.#catchUp(world.name, one), world.name);
    this.#begin(world, lastId, one);
  }

  #begin(world: World, lastId: number | null, one: ReaderState): void {
    if (this.#later(world, one, () => this.#inWorld(world.name, (same) => this.#begin(same, lastId, one)))) return;
    const { log } = world.stores;
    const { reader } = one;
    const ready = { world: world.name, version: this.#version, last_id: log.lastId() };
    reader.write(controlBytes("ready", ready), world.name);
    this.#reading(world.name, one, () => {
      if (lastId === null || !isGapless(world, lastId)) {
        const reset = controlBytes("reset", { reason: "missed entries are no longer stored" });
        if (lastId !== null) reader.write(reset, world.name);
        one.cursor = (log.newest(FIRST_ENTRIES)[0]?.id ?? 1) - 1;
      }
      this.#catchUp(world.name, one);
    });
  }

  /**
   * Postpones an act until the file's content may be shown, if the reader is still connected. @returns whether it waits
   */
  #later({ name, confirming }: World, one: ReaderState, act: () => void): boolean {
    if (!confirming) return false;
    void confirming.then(
      () => {
        if (this.#connected.get(name)?.has(one.reader)) act();
      },
      () => this.#drop(name, one, "the disk failed; connect again to go on from the last id"),
    );
    return true;
  }

  /** Runs a read. An unreadable log, as on a failing disk, disconnects only this reader. */
  #reading(worldName: string, one: ReaderState, read: () => void): void {
    try {
      read();
    } catch {
      this.#drop(worldName, one, UNREADABLE);
    }
  }

  /** Sends the next page of missed entries, and another after the buffer empties, until the reader has caught up. */
  #catchUp(name: string, one: ReaderState): void {
    const after = one.cursor;
    if (one.live || !this.#connected.get(name)?.has(one.reader)) return;
    this.#reading(name, one, () => {
      const next = this.#inWorld(name, (world) => {
        if (this.#later(world, one, () => this.#catchUp(name, one))) return "later";
        const rows = world.stores.log.after(after, PAGE_ENTRIES);
        return { last: rows.at(-1)?.id ?? after, all: rows.length < PAGE_ENTRIES, bytes: entryBytes(world, rows) };
      });
      if (!next) {
        this.#end(name, one);
        return;
      }
      if (next === "later") return;
      const waiting = next.bytes.length > 0 ? one.reader.write(next.bytes, name) : 0;
      one.cursor = next.last;
      if (waiting > MAX_AHEAD_BYTES) return;
      if (next.all) one.live = true;
      else setImmediate(() => this.#catchUp(name, one));
    });
  }

  disconnect(worldName: string, reader: Reader): void {
    const readers = this.#connected.get(worldName);
    readers?.delete(reader);
    if (readers?.size === 0) this.#connected.delete(worldName);
  }

  /** Number of connections to all worlds. */
  get readers(): number {
    return [...this.#connected.values()].reduce((sum, readers) => sum + readers.size, 0);
  }

  /** Sends new entries to a world's readers. */
  publish(world: World): void {
    const live = this.#of(world.name).filter((one) => one.live);
    if (live.length === 0) return;
    try {
      // All live readers are at the same position. Entries from before a restore are skipped.
      let last = Math.max(world.stores.log.gaplessFrom(), ...live.map(({ cursor }) => cursor));
      for (let more = true; more; ) {
        const entries = world.stores.log.after(last, PAGE_ENTRIES);
        more = entries.length === PAGE_ENTRIES;
        last = entries.at(-1)?.id ?? last;
        // Serialized once for all readers.
        if (entries.length > 0) this.#toAll(world.name, entryBytes(world, entries));
        for (const one of live) one.cursor = last;
      }
    } catch {
      for (const one of live) this.#drop(world.name, one, UNREADABLE);
    }
  }

  /** Tells the readers of a world that all their data is stale. */
  reset(worldName: string, reason: string): void {
    for (const one of this.#of(worldName)) one.live = true;
    this.#toAll(worldName, controlBytes("reset", { reason }));
  }

  /** Ends the streams of a world's readers, with a reason. They reconnect and resume from the last ID. */
  end(worldName: string, reason: string): void {
    for (const one of this.#of(worldName)) this.#drop(worldName, one, reason);
  }

  #toAll(worldName: string, bytes: Buffer): void {
    for (const one of this.#of(worldName)) {
      if (!one.live || one.reader.write(bytes, worldName) <= MAX_WAITING_BYTES) continue;
      this.#drop(worldName, one, "reads too slowly; connect again to go on from the last id");
    }
  }

  #drop(worldName: string, one: ReaderState, reason: string): void {
    one.reader.write(controlBytes("dropped", { reason }), worldName);
    this.#end(worldName, one);
  }

  #end(worldName: string, { reader }: ReaderState): void {
    this.disconnect(worldName, reader);
    reader.end(worldName);
  }

  #of(worldName: string): ReaderState[] {
    return [...(this.#connected.get(worldName)?.values() ?? [])];
  }

  close(): void {
    clearInterval(this.#heartbeat);
    for (const readers of this.#connected.values()) for (const { reader } of readers.values()) reader.end();
    this.#connected.clear();
  }
}

/** Checks whether all missed entries exist and are few enough to send. */
const isGapless = ({ stores: { log } }: World, lastId: number): boolean =>
  lastId >= log.gaplessFrom() && lastId <= log.lastId() && log.countAfter(lastId, MAX_MISSED + 1) <= MAX_MISSED;
