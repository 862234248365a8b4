// Contents of worlds in the database: snapshots and the log of commits.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import type { FoundIntegration, Integration } from "../storage/integrations-store.ts";
import type { WorldEntry } from "../storage/service-database.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { SharedDatabase } from "./database.ts";
import { applyPages, unpackFile } from "./pages.ts";

/** Number of log rows to unpack in parallel and then write without yielding. */
const LOG_ROWS_AT_ONCE = 20;

/** The owner of a world, and the number of its last append. */
export interface Position {
  readonly name: string;
  readonly owner: string;
  readonly epoch: number;
  readonly seq: number;
}

/** Another node owns the world, or this node can't be sure of its ownership. The caller should try again. */
export class NotHeldError extends NotDurableError {
  constructor(name: string) {
    super(
      undefined,
      `The world ${name} is moving to another node. Try again in a moment; check first whether a change was made.`,
    );
    this.name = "NotHeldError";
  }
}

/** SQL condition for the row of a world while its owner is unchanged. */
export const OWNED_ROW_CONDITION = "name = $1 AND owner = $2 AND epoch = $3";

/** Stores the contents of all worlds in the shared database. Every change checks that the writer owns the world. */
export class WorldStore {
  readonly #database: SharedDatabase;
  /** Bytes appended by this node, and number of changes refused because another node owned the world. */
  appended = 0;
  refused = 0;

  constructor(database: SharedDatabase) {
    this.#database = database;
  }

  /** Runs a statement that returns one row if the world is still owned. @throws NotHeldError */
  async #runHeld({ name, owner, epoch, seq }: Position, text: string, ...values: unknown[]): Promise<void> {
    const rows = await this.#database.run(text, [name, owner, epoch, seq, ...values]);
    if (rows.length === 1) return;
    this.refused += 1;
    throw new NotHeldError(name);
  }

  /** Appends a commit as `seq + 1`. @param entry the entry to publish with it @throws NotHeldError */
  async append(at: Position, packed: Buffer, entry: WorldEntry | null): Promise<void> {
    const set = "seq = seq + 1, entry = coalesce($6, entry)";
    await this.#runHeld(
      at,
      `WITH held AS (UPDATE sandbox_worlds SET ${set} WHERE ${OWNED_ROW_CONDITION} AND seq = $4 RETURNING seq)
       INSERT INTO sandbox_log (world, seq, epoch, pages) SELECT $1::text, held.seq, $3::bigint, $5::bytea FROM held RETURNING seq`,
      packed,
      entry && JSON.stringify(entry),
    );
    this.appended += packed.length;
  }

  /**
   * Stores a whole world, and deletes its log up to `seq`.
   *
   * @param seq `at.seq` for the state appended by then; one more for the next state, or for another world
   * @param packed null if the world no longer exists; a new world of the same name continues its numbers
   * @param entry the entry to publish with it; null: the published one stays, unless the world no longer exists
   * @param isOther true if it is a different world from before, whose integrations are deleted @throws NotHeldError
   */
  async rebase(
    at: Position,
    seq: number,
    packed: Buffer | null,
    entry: WorldEntry | null = null,
    isOther = seq > at.seq,
  ): Promise<void> {
    const snapshot = packed && randomUUID();
    // Stored first, so that the slow part doesn't lock the world's row.
    if (packed && snapshot) await this.#database.put(snapshot, packed);
    const published = "CASE WHEN $6::text IS NOT NULL THEN coalesce($8, entry) END";
    const set = `snapshot = $6, base_seq = $5::bigint, seq = greatest(seq, $5::bigint), entry = ${published}`;
    const fits = seq === at.seq ? "base_seq <= $4" : "seq = $4";
    await this.#runHeld(
      at,
      `WITH earlier AS (SELECT snapshot FROM sandbox_worlds WHERE name = $1),
       held AS (UPDATE sandbox_worlds SET ${set} WHERE ${OWNED_ROW_CONDITION} AND ${fits} RETURNING name),
       folded AS (DELETE FROM sandbox_log USING held WHERE world = held.name AND sandbox_log.seq <= $5),
       replaced AS (DELETE FROM sandbox_blobs USING held, earlier WHERE id = earlier.snapshot),
       forgotten AS (DELETE FROM sandbox_integrations USING held WHERE world = held.name AND $7)
       SELECT name FROM held`,
      ...[seq, snapshot, isOther, entry && JSON.stringify(entry)],
    );
  }

  /** Returns true if a world is stored, or a node has taken its name. */
  async exists(name: string): Promise<boolean> {
    const select = "SELECT 1 FROM sandbox_worlds WHERE name = $1 AND (owner IS NOT NULL OR snapshot IS NOT NULL)";
    return (await this.#database.run(select, [name])).length > 0;
  }

  /** Adds integrations of a world to the index. @throws NotHeldError */
  async index(at: Position, some: readonly Integration[]): Promise<void> {
    const secrets = some.map(({ integration_id, webhook_secret }) => [integration_id, webhook_secret]);
    await this.#runHeld(
      at,
      `WITH held AS (SELECT name FROM sandbox_worlds WHERE ${OWNED_ROW_CONDITION} AND seq = $4 FOR UPDATE),
       known AS (INSERT INTO sandbox_integrations SELECT key, name, value FROM held, jsonb_each_text($5)
         ON CONFLICT (integration_id, world) DO UPDATE SET webhook_secret = excluded.webhook_secret)
       SELECT name FROM held`,
      JSON.stringify(Object.fromEntries(secrets)),
    );
  }

  /** Finds the world of an integration. @param first the preferred world */
  async find(id: string, first: string): Promise<FoundIntegration | null> {
    const select =
      "SELECT world, webhook_secret FROM sandbox_integrations WHERE integration_id = $1 ORDER BY world <> $2, world LIMIT 1";
    const [found] = await this.#database.run(select, [id, first]);
    return found ? { world: String(found.world), webhook_secret: String(found.webhook_secret) } : null;
  }

  /**
   * Writes the latest stored state of a world to a file, while its owner may continue to append.
   *
   * @returns the size of its log, in bytes; null if no such world exists; then no file is written
   */
  async load(name: string, file: string): Promise<number | null> {
    const select = "SELECT snapshot, base_seq, seq FROM sandbox_worlds WHERE name = $1";
    const [world] = await this.#database.run(select, [name]);
    if (!world || world.snapshot === null) return null;
    const descriptor = fs.openSync(file, "w");
    try {
      fs.writeFileSync(descriptor, await unpackFile(await this.#database.get(String(world.snapshot))));
      return await this.#replay(name, descriptor, Number(world.base_seq), Number(world.seq));
    } catch (error) {
      const [now] = await this.#database.run(select, [name]);
      if (now?.snapshot === world.snapshot) throw error;
    } finally {
      fs.closeSync(descriptor);
    }
    // The owner replaced the snapshot during the read.
    return this.load(name, file);
  }

  /** @returns the bytes read @throws Error for a gap in the log, so that a world is never served in part */
  async #replay(name: string, descriptor: number, after: number, upTo: number): Promise<number> {
    let read = 0;
    for (let last = after; last < upTo; ) {
      const select = `SELECT seq, pages FROM sandbox_log WHERE world = $1 AND seq > $2 ORDER BY seq LIMIT ${LOG_ROWS_AT_ONCE}`;
      const rows = await this.#database.run(select, [name, last]);
      if (rows.length === 0) throw new Error(`the log of world ${name} ends at ${last}, before ${upTo}`);
      const unpacked = await Promise.all(rows.map(({ pages }) => unpackFile(pages as Buffer)));
      for (const [at, { seq, pages }] of rows.entries()) {
        if (Number(seq) !== last + 1)
          throw new Error(`the log of world ${name} has nothing between ${last} and ${seq}`);
        applyPages(descriptor, unpacked[at] ?? Buffer.of());
        read += (pages as Buffer).length;
        last = Number(seq);
      }
    }
    return read;
  }
}
