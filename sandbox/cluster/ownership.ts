import { randomUUID } from "node:crypto";
import type { WorldEntry } from "../storage/service-database.ts";
import type { SharedDatabase } from "./database.ts";
import type { Position } from "./world-store.ts";

const BEAT_EVERY_MS = 1_000;
/** So long after its last beat a node is dead, by the database's clock. */
const DEAD_AFTER_MS = 5_000;
/** So long after it sent the last beat that was confirmed a node may answer; the rest is for an answer on its way. */
const LEASE_MS = 3_000;
/** A world moves from a node that is alive at most so often. */
const MOVES_EVERY_MS = 5_000;
/** How many worlds without an owner a node takes at a time for what is due in them. */
const DUE_AT_ONCE = 16;

/** A world that is ours now; or when to look again, in milliseconds, and whether it comes by then or is only free to move. */
export type Claim =
  | { readonly epoch: number; readonly seq: number; readonly entry: WorldEntry | null }
  | { readonly againMs: number; readonly isComing: boolean };

/** How soon an owner that was asked may have given a world up. */
const GIVEN_MS = 60;
/** A node that was silent for so long has missed a beat: it is not asked. */
const SILENT_MS = 2_000;

/** Where a node listens, and what it is. */
export interface NodeAbout {
  readonly address: string;
  readonly version: string;
}

/** What is noted of a world for those who do not hold it. */
export interface Noted {
  readonly entry: WorldEntry | null;
  /** When something is due in it, in milliseconds since 1970. */
  readonly due_at: number | null;
}

const DEAD = `beat < clock_timestamp() - interval '${DEAD_AFTER_MS} milliseconds'`;
const WITHOUT_OWNER = `(owner IS NULL OR NOT EXISTS (SELECT 1 FROM sandbox_nodes n WHERE n.id = owner AND NOT n.${DEAD}))`;

const entryIn = (text: unknown): WorldEntry | null =>
  typeof text === "string" ? (JSON.parse(text) as WorldEntry) : null;

/** Two clocks, because one stands still while the machine sleeps and the other can be set. */
const moment = () => ({ wall: Date.now(), steady: performance.now() });
const since = (then: ReturnType<typeof moment>): number =>
  Math.max(Date.now() - then.wall, performance.now() - then.steady);

/** Which node a world belongs to: in the shared database, on its clock. */
export class Ownership {
  readonly node = randomUUID();
  readonly #database: SharedDatabase;
  #confirmed = { wall: Number.NEGATIVE_INFINITY, steady: Number.NEGATIVE_INFINITY };
  #timer: NodeJS.Timeout | null = null;

  constructor(database: SharedDatabase) {
    this.#database = database;
  }

  /** Whether no other node can have taken a world of this one by now. */
  get isFresh(): boolean {
    return since(this.#confirmed) < LEASE_MS;
  }

  /**
   * Says every second that this node is alive.
   *
   * @param wasDead awaited before the node may answer again: others may have taken its worlds
   */
  async start(node: NodeAbout, wasDead: () => Promise<void>, failed: (error: unknown) => void): Promise<void> {
    const { address, version } = node;
    await this.#database.run("DELETE FROM sandbox_nodes WHERE beat < clock_timestamp() - interval '1 day'");
    const beat = async (): Promise<void> => {
      const sent = moment();
      const insert = "INSERT INTO sandbox_nodes (id, address, version, beat) VALUES ($1, $2, $3, clock_timestamp())";
      await this.#database.run(`${insert} ON CONFLICT (id) DO UPDATE SET beat = clock_timestamp()`, [
        this.node,
        address,
        version,
      ]);
      if (since(this.#confirmed) >= DEAD_AFTER_MS) await wasDead();
      this.#confirmed = sent;
    };
    await beat();
    const next = (): void => {
      this.#timer = setTimeout(() => void beat().catch(failed).finally(next), BEAT_EVERY_MS).unref();
    };
    next();
  }

  /** Ends the beats, and all claims with them. */
  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#confirmed = { wall: Number.NEGATIVE_INFINITY, steady: Number.NEGATIVE_INFINITY };
    await this.#database.run("UPDATE sandbox_worlds SET owner = NULL, wanted_by = NULL WHERE owner = $1", [this.node]);
    await this.#database.run("DELETE FROM sandbox_nodes WHERE id = $1", [this.node]);
  }

  /**
   * Takes a world that nobody alive has; otherwise asks its owner for it. What is due in it nobody can say from now on.
   *
   * @param isCalled whether calls arrive for it here: otherwise it may move on at once
   */
  async claim(name: string, isCalled: boolean): Promise<Claim> {
    const age = (column: string): string => `extract(epoch FROM clock_timestamp() - ${column}) * 1000`;
    const [found] = await this.#database.run(
      `SELECT w.wanted_by, ${age("w.claimed_at")} AS held, ${age("n.beat")} AS silent FROM sandbox_worlds w
       JOIN sandbox_nodes n ON n.id = w.owner WHERE w.name = $1 AND w.owner <> $2 AND NOT n.${DEAD}`,
      [name, this.node],
    );
    if (!found) return this.#take(name, isCalled);
    const silent = Number(found.silent);
    if (silent > SILENT_MS) return { againMs: DEAD_AFTER_MS - silent, isComing: true };
    const movesIn = found.held === null ? 0 : MOVES_EVERY_MS - Number(found.held);
    if (movesIn > 0) return { againMs: movesIn, isComing: false };
    if (found.wanted_by === null) {
      const ask = "UPDATE sandbox_worlds SET wanted_by = $2 WHERE name = $1 AND owner <> $2";
      await this.#database.run(ask, [name, this.node]);
    }
    return { againMs: GIVEN_MS, isComing: true };
  }

  #take(name: string, isCalled: boolean): Promise<Claim> {
    return this.#database.transaction(async (ask) => {
      await ask("INSERT INTO sandbox_worlds (name) VALUES ($1) ON CONFLICT (name) DO NOTHING", [name]);
      const [world] = await ask("SELECT owner FROM sandbox_worlds WHERE name = $1 FOR UPDATE", [name]);
      const owner = world?.owner ?? null;
      if (owner !== null && owner !== this.node) {
        // Locked, so that it is not found dead here and says meanwhile that it is alive.
        const [alive] = await ask(`SELECT 1 FROM sandbox_nodes WHERE id = $1 AND NOT ${DEAD} FOR SHARE`, [owner]);
        if (alive) return { againMs: GIVEN_MS, isComing: true };
      }
      const claimed = isCalled ? "clock_timestamp()" : "NULL";
      const set = `owner = $2, epoch = epoch + 1, claimed_at = ${claimed}, wanted_by = NULL, due_at = 0`;
      const [ours] = await ask(`UPDATE sandbox_worlds SET ${set} WHERE name = $1 RETURNING epoch, seq, entry`, [
        name,
        this.node,
      ]);
      return { epoch: Number(ours?.epoch), seq: Number(ours?.seq), entry: entryIn(ours?.entry) };
    });
  }

  /** Gives a world up; one that was never stored is as if it had never been named. */
  async release({ name, owner, epoch }: Position, { entry, due_at }: Noted): Promise<void> {
    const held = "name = $1 AND owner = $2 AND epoch = $3";
    await this.#database.run(`DELETE FROM sandbox_worlds WHERE ${held} AND seq = 0`, [name, owner, epoch]);
    const set = "owner = NULL, wanted_by = NULL, due_at = $4, entry = CASE WHEN snapshot IS NULL THEN NULL ELSE $5 END";
    const values = [name, owner, epoch, due_at, entry && JSON.stringify(entry)];
    await this.#database.run(`UPDATE sandbox_worlds SET ${set} WHERE ${held}`, values);
  }

  /** Whoever wants a world of this node may have it at once. */
  async letAllMove(): Promise<void> {
    await this.#database.run("UPDATE sandbox_worlds SET claimed_at = NULL WHERE owner = $1", [this.node]);
  }

  /** Gives up what this node claimed and does not have. */
  async disown(name: string): Promise<void> {
    const set = "owner = NULL, wanted_by = NULL";
    await this.#database.run(`UPDATE sandbox_worlds SET ${set} WHERE name = $1 AND owner = $2`, [name, this.node]);
  }

  /** Notes what others may know of worlds of this node. */
  async note(entries: readonly WorldEntry[]): Promise<void> {
    const names = entries.map(({ name }) => name);
    const texts = entries.map((entry) => JSON.stringify(entry));
    await this.#database.run(
      `UPDATE sandbox_worlds w SET entry = u.entry FROM unnest($2::text[], $3::text[]) AS u (name, entry)
       WHERE w.name = u.name AND w.owner = $1 AND w.snapshot IS NOT NULL`,
      [this.node, names, texts],
    );
  }

  /** The worlds that belong to this node, with their epochs. */
  async owned(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#database.run("SELECT name, epoch FROM sandbox_worlds WHERE owner = $1", [this.node]);
    return new Map(rows.map(({ name, epoch }) => [String(name), Number(epoch)]));
  }

  /** Those of them that other nodes ask for. */
  async wanted(): Promise<string[]> {
    const select = "SELECT name FROM sandbox_worlds WHERE owner = $1 AND wanted_by IS NOT NULL";
    return (await this.#database.run(select, [this.node])).map(({ name }) => String(name));
  }

  /** Worlds that nobody alive has and in which something may be due, those that wait longest first. */
  async due(): Promise<string[]> {
    const select = `SELECT name FROM sandbox_worlds WHERE due_at <= $1 AND ${WITHOUT_OWNER} ORDER BY due_at LIMIT ${DUE_AT_ONCE}`;
    return (await this.#database.run(select, [Date.now()])).map(({ name }) => String(name));
  }

  /** What is noted of the worlds of others, and of nobody. */
  async elsewhere(): Promise<WorldEntry[]> {
    const select = "SELECT entry FROM sandbox_worlds WHERE snapshot IS NOT NULL AND owner IS DISTINCT FROM $1";
    return (await this.#database.run(select, [this.node])).flatMap(({ entry }) => entryIn(entry) ?? []);
  }
}
