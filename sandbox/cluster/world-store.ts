import { randomUUID } from "node:crypto";
import fs from "node:fs";
import type { Row, SharedDatabase } from "./database.ts";
import { applyPages, unpackFile } from "./pages.ts";

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
    super(`world ${name} is not this node’s any more`);
    this.name = "FencedError";
  }
}

const HELD = "name = $1 AND owner = $2 AND epoch = $3";
const held = ({ name, owner, epoch, seq }: Position): unknown[] => [name, owner, epoch, seq];

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
      [...held(at), packed],
    );
    mustBeHeld(at, rows);
  }

  /**
   * Stores a whole world, in place of its log up to there.
   *
   * @param seq `at.seq`: the same world as was appended by then; one more: another one than before, or a new one
   * @param packed null: it is no more. Its numbers go on where another of its name begins. @throws FencedError
   */
  async rebase(at: Position, seq: number, packed: Buffer | null): Promise<void> {
    const snapshot = packed && randomUUID();
    // Not part of the world yet: nobody waits for the row of the world meanwhile.
    if (packed && snapshot) await this.#database.put(snapshot, packed);
    const set = "snapshot = $6, base_seq = $5::bigint, seq = greatest(seq, $5::bigint)";
    const fits = seq === at.seq ? "base_seq <= $4" : "seq = $4";
    const rows = await this.#database.run(
      `WITH earlier AS (SELECT snapshot FROM sandbox_worlds WHERE name = $1),
       held AS (UPDATE sandbox_worlds SET ${set}${packed ? "" : ", entry = NULL"} WHERE ${HELD} AND ${fits} RETURNING name),
       folded AS (DELETE FROM sandbox_log USING held WHERE world = held.name AND sandbox_log.seq <= $5),
       replaced AS (DELETE FROM sandbox_blobs USING held, earlier WHERE id = earlier.snapshot)
       SELECT name FROM held`,
      [...held(at), seq, snapshot],
    );
    mustBeHeld(at, rows);
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
    fs.writeFileSync(file, await unpackFile(await this.#database.get(String(world.snapshot))));
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
