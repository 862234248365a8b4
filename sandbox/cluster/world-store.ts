import { randomUUID } from "node:crypto";
import fs from "node:fs";
import type { FoundIntegration, Integration } from "../storage/integrations-store.ts";
import type { WorldEntry } from "../storage/service-database.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { SharedDatabase } from "./database.ts";
import { applyPages, unpackFile } from "./pages.ts";

/** Of a commit each: unpacked beside each other, then written while nothing else goes on. */
const LOG_ROWS_AT_ONCE = 20;

/** Who holds a world, and how far what is appended to it has come. */
export interface Position {
  readonly name: string;
  readonly owner: string;
  readonly epoch: number;
  readonly seq: number;
}

/** Another node has the world, or this one can't be sure that it has it: the caller tries again. */
export class NotHeldError extends NotDurableError {
  constructor(name: string) {
    super(
      undefined,
      `The world ${name} is moving to another node. Try again in a moment; check first whether a change was made.`,
    );
    this.name = "NotHeldError";
  }
}

const HELD = "name = $1 AND owner = $2 AND epoch = $3";

/** The contents of all worlds in the shared database. Only a world's owner adds to it: every change checks that. */
export class WorldStore {
  readonly #database: SharedDatabase;
  /** How much this node has appended, in bytes, and how often it was refused to change a world that another one had. */
  appended = 0;
  refused = 0;

  constructor(database: SharedDatabase) {
    this.#database = database;
  }

  /** Runs a statement that returns one row where the world is still held. @throws NotHeldError */
  async #runHeld({ name, owner, epoch, seq }: Position, text: string, ...values: unknown[]): Promise<void> {
    const rows = await this.#database.run(text, [name, owner, epoch, seq, ...values]);
    if (rows.length === 1) return;
    this.refused += 1;
    throw new NotHeldError(name);
  }

  /** Appends what a commit changed, as `seq + 1`. @param entry what others may know of the world by then @throws NotHeldError */
  async append(at: Position, packed: Buffer, entry: WorldEntry | null): Promise<void> {
    const set = "seq = seq + 1, entry = coalesce($6, entry)";
    await this.#runHeld(
      at,
      `WITH held AS (UPDATE sandbox_worlds SET ${set} WHERE ${HELD} AND seq = $4 RETURNING seq)
       INSERT INTO sandbox_log (world, seq, epoch, pages) SELECT $1::text, held.seq, $3::bigint, $5::bytea FROM held RETURNING seq`,
      packed,
      entry && JSON.stringify(entry),
    );
    this.appended += packed.length;
  }

  /**
   * Stores a whole world, in place of its log up to there.
   *
   * @param seq `at.seq`: the same world as was appended by then; one more: what comes next, or another world
   * @param packed null: it is no more. Its numbers go on where another of its name begins.
   * @param isOther whether it is another world than before: the integrations of that are found no longer @throws NotHeldError
   */
  async rebase(at: Position, seq: number, packed: Buffer | null, isOther = seq > at.seq): Promise<void> {
    const snapshot = packed && randomUUID();
    // Not part of the world yet: nobody waits for the row of the world meanwhile.
    if (packed && snapshot) await this.#database.put(snapshot, packed);
    const set = "snapshot = $6, base_seq = $5::bigint, seq = greatest(seq, $5::bigint)";
    const fits = seq === at.seq ? "base_seq <= $4" : "seq = $4";
    await this.#runHeld(
      at,
      `WITH earlier AS (SELECT snapshot FROM sandbox_worlds WHERE name = $1),
       held AS (UPDATE sandbox_worlds SET ${set}${packed ? "" : ", entry = NULL"} WHERE ${HELD} AND ${fits} RETURNING name),
       folded AS (DELETE FROM sandbox_log USING held WHERE world = held.name AND sandbox_log.seq <= $5),
       replaced AS (DELETE FROM sandbox_blobs USING held, earlier WHERE id = earlier.snapshot),
       forgotten AS (DELETE FROM sandbox_integrations USING held WHERE world = held.name AND $7)
       SELECT name FROM held`,
      ...[seq, snapshot, isOther],
    );
  }

  /** Whether a world is stored, or some node has taken its name. */
  async exists(name: string): Promise<boolean> {
    const select = "SELECT 1 FROM sandbox_worlds WHERE name = $1 AND (owner IS NOT NULL OR snapshot IS NOT NULL)";
    return (await this.#database.run(select, [name])).length > 0;
  }

  /** Has integrations of a world be found, until another one is stored in its place. @throws NotHeldError */
  async index(at: Position, some: readonly Integration[]): Promise<void> {
    const secrets = some.map(({ integration_id, webhook_secret }) => [integration_id, webhook_secret]);
    await this.#runHeld(
      at,
      `WITH held AS (SELECT name FROM sandbox_worlds WHERE ${HELD} AND seq = $4 FOR UPDATE),
       known AS (INSERT INTO sandbox_integrations SELECT key, name, value FROM held, jsonb_each_text($5)
         ON CONFLICT (integration_id, world) DO UPDATE SET webhook_secret = excluded.webhook_secret)
       SELECT name FROM held`,
      JSON.stringify(Object.fromEntries(secrets)),
    );
  }

  /** In which world an integration is, `first` before others. */
  async find(id: string, first: string): Promise<FoundIntegration | null> {
    const select =
      "SELECT world, webhook_secret FROM sandbox_integrations WHERE integration_id = $1 ORDER BY world <> $2, world LIMIT 1";
    const [found] = await this.#database.run(select, [id, first]);
    return found ? { world: String(found.world), webhook_secret: String(found.webhook_secret) } : null;
  }

  /**
   * Writes a world's file as it was last appended to, whoever goes on appending meanwhile.
   *
   * @returns how many bytes are in its log; null: there is no such world, and nothing is written
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
    // Its owner stored it anew meanwhile.
    return this.load(name, file);
  }

  /** @returns how many bytes it read @throws where a number is missing: a world is never served in part */
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
