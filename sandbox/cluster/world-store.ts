import { randomUUID } from "node:crypto";
import fs from "node:fs";
import type { Ask, Row, SharedDatabase } from "./database.ts";
import { applyPages, unpackFile } from "./pages.ts";

/** What is stored of large contents is in rows of so many bytes. */
export const PART_BYTES = 1024 * 1024;
const LOG_ROWS_AT_ONCE = 200;

/** Who holds a world, and how far what is appended to it has come. */
export interface Position {
  readonly name: string;
  readonly owner: string;
  readonly epoch: number;
  readonly seq: number;
}

/** Another machine holds the world by now, or nobody does. */
export class FencedError extends Error {
  constructor(name: string) {
    super(`world ${name} is not this node's any more`);
    this.name = "FencedError";
  }
}

/** Contents in parts of {@link PART_BYTES}. */
export const partsOf = (bytes: Buffer): Buffer[] => {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += PART_BYTES) parts.push(bytes.subarray(at, at + PART_BYTES));
  return parts;
};

const HELD = "name = $1 AND owner = $2 AND epoch = $3";
const held = ({ name, owner, epoch }: Position): unknown[] => [name, owner, epoch];

const mustBeHeld = ({ name }: Position, rows: readonly Row[]): void => {
  if (rows.length !== 1) throw new FencedError(name);
};

/** The contents of all worlds in the shared database. Only a world's owner adds to it: every change checks that. */
export class WorldStore {
  readonly #database: SharedDatabase;

  constructor(database: SharedDatabase) {
    this.#database = database;
  }

  /** Appends what a commit changed, as `seq + 1`. @throws FencedError */
  async append(at: Position, packed: Buffer): Promise<void> {
    const rows = await this.#database.run(
      `WITH held AS (UPDATE sandbox_worlds SET seq = seq + 1 WHERE ${HELD} AND seq = $4 RETURNING seq)
       INSERT INTO sandbox_log (world, seq, epoch, pages) SELECT $1::text, held.seq, $3::bigint, $5::bytea FROM held RETURNING seq`,
      [...held(at), at.seq, packed],
    );
    mustBeHeld(at, rows);
  }

  /** Stores a world that is another one than before, or new, as `seq + 1`. @throws FencedError */
  async replace(at: Position, packed: Buffer): Promise<void> {
    const snapshot = await this.#upload(at.name, packed);
    await this.#database.transaction(async (ask) => {
      const set = "snapshot = $5, seq = seq + 1, base_seq = seq + 1";
      const update = `UPDATE sandbox_worlds SET ${set} WHERE ${HELD} AND seq = $4 RETURNING seq`;
      mustBeHeld(at, await ask(update, [...held(at), at.seq, snapshot]));
      await this.#clear(ask, at.name, at.seq + 1, snapshot);
    });
  }

  /** Stores all that was appended up to `at.seq` as one snapshot, in place of that part of the log. @throws FencedError */
  async trim(at: Position, packed: Buffer): Promise<void> {
    const snapshot = await this.#upload(at.name, packed);
    await this.#database.transaction(async (ask) => {
      const update = `UPDATE sandbox_worlds SET snapshot = $5, base_seq = $4 WHERE ${HELD} AND base_seq <= $4 RETURNING seq`;
      mustBeHeld(at, await ask(update, [...held(at), at.seq, snapshot]));
      await this.#clear(ask, at.name, at.seq, snapshot);
    });
  }

  /** A world is no more, as `seq + 1`: its numbers go on where another of its name begins. @throws FencedError */
  async end(at: Position): Promise<void> {
    await this.#database.transaction(async (ask) => {
      const set = "snapshot = NULL, entry = NULL, seq = seq + 1, base_seq = seq + 1";
      const update = `UPDATE sandbox_worlds SET ${set} WHERE ${HELD} AND seq = $4 RETURNING seq`;
      mustBeHeld(at, await ask(update, [...held(at), at.seq]));
      await this.#clear(ask, at.name, at.seq + 1, null);
    });
  }

  /** Not part of the world yet: nobody waits for the row of the world meanwhile. */
  async #upload(world: string, packed: Buffer): Promise<string> {
    const snapshot = randomUUID();
    for (const [part, bytes] of partsOf(packed).entries()) {
      const insert = "INSERT INTO sandbox_snapshots (world, snapshot, part, bytes) VALUES ($1, $2, $3, $4)";
      await this.#database.run(insert, [world, snapshot, part, bytes]);
    }
    return snapshot;
  }

  async #clear(ask: Ask, world: string, upTo: number, snapshot: string | null): Promise<void> {
    await ask("DELETE FROM sandbox_log WHERE world = $1 AND seq <= $2", [world, upTo]);
    await ask("DELETE FROM sandbox_snapshots WHERE world = $1 AND snapshot IS DISTINCT FROM $2::uuid", [
      world,
      snapshot,
    ]);
  }

  /**
   * Writes a world's file as it was last appended to.
   *
   * @returns whether there is such a world; where there is none nothing is written
   */
  async load(name: string, file: string): Promise<boolean> {
    const [world] = await this.#database.run("SELECT snapshot, base_seq, seq FROM sandbox_worlds WHERE name = $1", [
      name,
    ]);
    if (!world || world.snapshot === null) return false;
    const parts: Buffer[] = [];
    for (;;) {
      const select = "SELECT bytes FROM sandbox_snapshots WHERE world = $1 AND snapshot = $2 AND part = $3";
      const [row] = await this.#database.run(select, [name, world.snapshot, parts.length]);
      if (!row) break;
      parts.push(row.bytes as Buffer);
    }
    fs.writeFileSync(file, await unpackFile(Buffer.concat(parts)));
    const descriptor = fs.openSync(file, "r+");
    try {
      await this.#replay(name, descriptor, Number(world.base_seq), Number(world.seq));
    } finally {
      fs.closeSync(descriptor);
    }
    return true;
  }

  /** @throws where a number is missing: a world is never served in part */
  async #replay(name: string, descriptor: number, after: number, upTo: number): Promise<void> {
    for (let last = after; last < upTo; ) {
      const select = `SELECT seq, pages FROM sandbox_log WHERE world = $1 AND seq > $2 ORDER BY seq LIMIT ${LOG_ROWS_AT_ONCE}`;
      const rows = await this.#database.run(select, [name, last]);
      if (rows.length === 0) throw new Error(`the log of world ${name} ends at ${last}, before ${upTo}`);
      for (const { seq, pages } of rows) {
        if (Number(seq) !== last + 1)
          throw new Error(`the log of world ${name} has nothing between ${last} and ${seq}`);
        await applyPages(descriptor, pages as Buffer);
        last = Number(seq);
      }
    }
  }
}
