import type { LiveControl, LiveEntry } from "../contract/live.ts";
import type { World } from "../worlds/world.ts";
import { listedRows } from "./listed-rows.ts";

/** One connected reader, as the feed sees it; it may be connected to several worlds. */
export interface Reader {
  /** Sends bytes of a world; answers how many of all still wait to leave. */
  write(bytes: Buffer, world: string): number;
  /** Calls `run` of a world, in place of an earlier one, whenever everything has left of what had to wait. */
  onDrain(run: () => void, world: string): void;
  /** @param world nothing more comes of this one; left out: of none */
  end(world?: string): void;
}

/** How much may wait for a slow reader before it is dropped; it resumes from the last id it saw. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
/** A reader that catches up is sent the next page when no more than this waits for it. */
const MOST_AHEAD_BYTES = 256 * 1024;
const PAGE = 200;
/** A reader without a `Last-Event-ID` is first sent the newest so many. */
const NEWEST = 50;
/** A gap of more entries than this is not replayed; the reader has to read everything anew. */
const MOST_MISSED = 5_000;
const UNREADABLE = "the log cannot be read now; connect again to go on from the last id";
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = Buffer.from(": heartbeat\n\n");

/** A change of a job, its parts or its procurements, with the rows that the lists have of them now. */
const withRows = (world: World, entry: LiveEntry): LiveEntry => {
  if (entry.kind !== "state" || entry.data.job_id === null) return entry;
  const { entity, id, job_id } = entry.data;
  try {
    return { ...entry, data: { ...entry.data, ...listedRows(world, job_id, entity === "procurement" ? id : null) } };
  } catch {
    // The change is durable and is told, also where its file cannot be read now.
    return entry;
  }
};

/** Entries as they go over the wire (server-sent events). */
const entryBytes = (world: World, entries: readonly LiveEntry[]): Buffer =>
  Buffer.from(
    entries
      .map((entry) => `id: ${entry.id}\nevent: ${entry.kind}\ndata: ${JSON.stringify(withRows(world, entry))}\n\n`)
      .join(""),
  );

/** A named message that is no entry of the log. */
export const namedBytes = <K extends keyof LiveControl>(name: K, data: LiveControl[K]): Buffer =>
  Buffer.from(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

interface Connected {
  readonly reader: Reader;
  /** It has been sent everything up to this entry. */
  cursor: number;
  /** It has all there is, and is sent what happens. */
  live: boolean;
}

/** Works in the world of a name, opened if need be; undefined where there is none that can be read. */
type InWorld = <T>(name: string, work: (world: World) => T) => T | undefined;

/** Sends every entry of each world's log to its readers, in order, without gaps or repeats. */
export class LiveFeed {
  readonly #connected = new Map<string, Map<Reader, Connected>>();
  readonly #version: string;
  readonly #inWorld: InWorld;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(version: string, inWorld: InWorld) {
    this.#version = version;
    this.#inWorld = inWorld;
    this.#heartbeat = setInterval(() => {
      for (const worldName of [...this.#connected.keys()]) this.#toAll(worldName, HEARTBEAT);
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** @param lastId the reader's `Last-Event-ID`, or null */
  connect(world: World, lastId: number | null, reader: Reader): void {
    // Until it has begun, what happens is for it to catch up with.
    const one: Connected = { reader, cursor: lastId ?? -1, live: false };
    const readers = this.#connected.get(world.name) ?? new Map<Reader, Connected>();
    readers.set(reader, one);
    this.#connected.set(world.name, readers);
    reader.onDrain(() => this.#catchUp(world.name, one), world.name);
    this.#begin(world, lastId, one);
  }

  #begin(world: World, lastId: number | null, one: Connected): void {
    if (this.#later(world, one, () => this.#inWorld(world.name, (same) => this.#begin(same, lastId, one)))) return;
    const { log } = world.stores;
    const { reader } = one;
    const ready = { world: world.name, version: this.#version, last_id: log.lastId() };
    reader.write(namedBytes("ready", ready), world.name);
    this.#reading(world.name, one, () => {
      if (lastId === null || !isGapless(world, lastId)) {
        const reset = namedBytes("reset", { reason: "what was missed is no longer kept" });
        if (lastId !== null) reader.write(reset, world.name);
        one.cursor = (log.newest(NEWEST)[0]?.id ?? 1) - 1;
      }
      this.#catchUp(world.name, one);
    });
  }

  /** Has a reader that is still there wait until all that the world's file holds may be shown. @returns whether it waits */
  #later({ name, confirming }: World, one: Connected, act: () => void): boolean {
    if (!confirming) return false;
    void confirming.then(
      () => {
        if (this.#connected.get(name)?.has(one.reader)) act();
      },
      () => this.#drop(name, one, "the disk failed; connect again to go on from the last id"),
    );
    return true;
  }

  /** A log that cannot be read now, as on a failing disk, is the end for whoever wants to read it, and for nobody else. */
  #reading(worldName: string, one: Connected, read: () => void): void {
    try {
      read();
    } catch {
      this.#drop(worldName, one, UNREADABLE);
    }
  }

  /** Sends a reader the next page of what it missed, and another when that has left, until it has all. */
  #catchUp(name: string, one: Connected): void {
    const after = one.cursor;
    if (one.live || !this.#connected.get(name)?.has(one.reader)) return;
    this.#reading(name, one, () => {
      const next = this.#inWorld(name, (world) => {
        if (this.#later(world, one, () => this.#catchUp(name, one))) return "later";
        const rows = world.stores.log.after(after, PAGE);
        return { last: rows.at(-1)?.id ?? after, all: rows.length < PAGE, bytes: entryBytes(world, rows) };
      });
      if (!next) {
        this.#end(name, one);
        return;
      }
      if (next === "later") return;
      const waiting = next.bytes.length > 0 ? one.reader.write(next.bytes, name) : 0;
      one.cursor = next.last;
      if (waiting > MOST_AHEAD_BYTES) return;
      if (next.all) one.live = true;
      else setImmediate(() => this.#catchUp(name, one));
    });
  }

  disconnect(worldName: string, reader: Reader): void {
    const readers = this.#connected.get(worldName);
    readers?.delete(reader);
    if (readers?.size === 0) this.#connected.delete(worldName);
  }

  /** How many are connected, to all worlds. */
  get readers(): number {
    return [...this.#connected.values()].reduce((sum, readers) => sum + readers.size, 0);
  }

  /** Sends the readers of a world what happened since they were last sent something. */
  publish(world: World): void {
    if (!this.#connected.has(world.name)) return;
    const live = this.#of(world.name).filter((one) => one.live);
    if (live.length === 0) return;
    try {
      // What one of them has, all have: between their entries is nothing. What a restored world had before is no news.
      let last = Math.max(world.stores.log.gaplessFrom(), ...live.map(({ cursor }) => cursor));
      for (let more = true; more; ) {
        const entries = world.stores.log.after(last, PAGE);
        more = entries.length === PAGE;
        last = entries.at(-1)?.id ?? last;
        // Once for all readers, however many there are.
        if (entries.length > 0) this.#toAll(world.name, entryBytes(world, entries));
        for (const one of live) one.cursor = last;
      }
    } catch {
      for (const one of live) this.#drop(world.name, one, UNREADABLE);
    }
  }

  /** Sends the readers of a world that all they know of it is stale. */
  reset(worldName: string, reason: string): void {
    for (const one of this.#of(worldName)) one.live = true;
    this.#toAll(worldName, namedBytes("reset", { reason }));
  }

  /** Ends the streams of a world's readers, with a reason; they connect again and go on from the last id. */
  end(worldName: string, reason: string): void {
    for (const one of this.#of(worldName)) this.#drop(worldName, one, reason);
  }

  #toAll(worldName: string, bytes: Buffer): void {
    for (const one of this.#of(worldName)) {
      if (!one.live || one.reader.write(bytes, worldName) <= MOST_WAITING_BYTES) continue;
      this.#drop(worldName, one, "reads too slowly; connect again to go on from the last id");
    }
  }

  #drop(worldName: string, one: Connected, reason: string): void {
    one.reader.write(namedBytes("dropped", { reason }), worldName);
    this.#end(worldName, one);
  }

  #end(worldName: string, { reader }: Connected): void {
    this.disconnect(worldName, reader);
    reader.end(worldName);
  }

  #of(worldName: string): Connected[] {
    return [...(this.#connected.get(worldName)?.values() ?? [])];
  }

  close(): void {
    clearInterval(this.#heartbeat);
    for (const readers of this.#connected.values()) for (const { reader } of readers.values()) reader.end();
    this.#connected.clear();
  }
}

/** Whether all that a reader missed is there, and not too much to be sent. */
const isGapless = ({ stores: { log } }: World, lastId: number): boolean =>
  lastId >= log.gaplessFrom() && lastId <= log.lastId() && log.countAfter(lastId, MOST_MISSED + 1) <= MOST_MISSED;
