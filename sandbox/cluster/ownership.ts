import { randomUUID } from "node:crypto";
import type { NodeRow } from "../contract/control/service-operations.ts";
import { isWorldName } from "../rules/worlds/world-name.ts";
import { realTime } from "../storage/real-time.ts";
import type { WorldEntry } from "../storage/service-database.ts";
import type { DatabaseError, Row, SharedDatabase } from "./database.ts";
import { DATABASE_TIME, DatabaseClock } from "./database-clock.ts";
import type { Position } from "./world-store.ts";

/** So long after its last beat a node is dead, by the database's clock. */
const DEAD_AFTER_MS = 5_000;
/** So long after it sent the last beat that was confirmed a node may answer; the rest is for an answer on its way. */
const LEASE_MS = 3_000;
/** How many worlds without an owner a node takes at a time for what is due in them. */
const DUE_AT_ONCE = 16;
/** How soon an owner that was asked may have given a world up. */
const GIVEN_MS = 60;
/** A node that was silent for so long has missed a beat: it is not asked. */
const SILENT_MS = 2_000;
/** It may only have been late: how soon that is looked at again. */
const AGAIN_MS = 500;

/** A world that is ours now. */
export interface Claimed extends Position {
  readonly entry: WorldEntry;
  /** Whether a node that died had it. */
  readonly isTakeover: boolean;
}

/** The node that has a world, and where it listens. */
export interface Owner {
  readonly node: string;
  readonly address: string;
}

/** What the worlds of a node are by the database: their epochs, by their names. */
export type Owned = Readonly<Record<string, number>>;

/** How long ago something was, when the statement began; less than nothing before the database's clock was set back. */
const ageOf = (column: string): string => `extract(epoch FROM now() - ${column}) * 1000`;
/** A beat that the statement can't see yet is confirmed later than that, and finds that it was dead. */
const DEAD = `abs(${ageOf("beat")}) > ${DEAD_AFTER_MS}`;
const OWNED = "SELECT json_object_agg(name, epoch) FROM sandbox_worlds WHERE owner = $1";
const NODES = `SELECT id, address, CASE WHEN ${DEAD} THEN 'dead' WHEN drains THEN 'drains' ELSE 'serves' END AS state,
  (SELECT count(*)::int FROM sandbox_worlds WHERE owner = id) AS worlds, greatest(0, ${ageOf("beat")} / 1000)::float8 AS beat_seconds
  FROM sandbox_nodes`;
const ELSEWHERE = "WHERE snapshot IS NOT NULL AND owner IS DISTINCT FROM";

/** What is noted of a world; of one of which nothing is yet, what is known of a new one. */
const entryIn = ({ name, entry }: Row): WorldEntry => {
  const at = realTime();
  const made = { name: String(name), created_at: at, last_active_at: at };
  const noted = JSON.parse(String(entry ?? "{}")) as Partial<WorldEntry>;
  return { ...{ pinned: false, due_at: null, closed: null }, ...made, ...noted, name: made.name };
};

/** Those with names that worlds can have: others would become files anywhere. */
const worldsIn = (rows: readonly Row[]): Row[] => rows.filter(({ name }) => isWorldName(String(name)));

/** Two clocks, because one stands still while the machine sleeps and the other can be set. */
const moment = () => ({ wall: Date.now(), steady: performance.now() });
const since = (then: ReturnType<typeof moment>): number =>
  Math.max(Date.now() - then.wall, performance.now() - then.steady);
const NEVER = { wall: Number.NEGATIVE_INFINITY, steady: Number.NEGATIVE_INFINITY };

/** Which node a world belongs to: in the shared database, on its clock. */
export class Ownership {
  readonly node = randomUUID();
  readonly #database: SharedDatabase;
  readonly #beats: SharedDatabase;
  readonly clock = new DatabaseClock();
  #confirmed = NEVER;
  /** How long the answer to the last beat took. */
  latencyMs = 0;
  /** Why the last beat was not confirmed. */
  failure: DatabaseError | null = null;
  /** Whether somebody has asked that this node gives its worlds away. */
  drains = false;

  /** @param beats where a beat waits behind nothing else */
  constructor(database: SharedDatabase, beats: SharedDatabase) {
    this.#database = database;
    this.#beats = beats;
  }

  /** How long ago the last beat that was confirmed was sent. */
  get ageMs(): number {
    return since(this.#confirmed);
  }

  /** Whether no other node can have taken a world of this one by now. */
  get isFresh(): boolean {
    return this.ageMs < LEASE_MS;
  }

  /**
   * Says that this node is alive.
   *
   * @param address where it listens
   * @param found called with its worlds before it may answer again; null: others may have taken any of them, because it was
   *   dead for them, or they for it while the database's clock was set
   */
  async beat(address: string, found: (owned: Owned | null) => void): Promise<void> {
    const sent = moment();
    const beat = `INSERT INTO sandbox_nodes (id, address, beat) VALUES ($1, $2, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET beat = clock_timestamp() RETURNING drains, ${DATABASE_TIME} AS at, (${OWNED}) AS owned`;
    const [said] = await this.#beats.run(beat, [this.node, address]).catch((error: DatabaseError) => {
      this.failure = error;
      throw error;
    });
    this.failure = null;
    this.latencyMs = performance.now() - sent.steady;
    this.drains = said?.drains === true;
    const isSet = this.clock.heard(sent.steady, Number(said?.at));
    const wasDead = isSet || this.ageMs >= DEAD_AFTER_MS;
    found(wasDead ? null : ((said?.owned ?? {}) as Owned));
    this.#confirmed = sent;
  }

  /** All nodes, and what an operator does with one. */
  readonly nodes = {
    list: async (): Promise<NodeRow[]> => (await this.#database.run(`${NODES} ORDER BY address, id`)) as NodeRow[],
    drain: async (id: string): Promise<NodeRow | undefined> => {
      await this.#database.run("UPDATE sandbox_nodes SET drains = true WHERE id = $1", [id]);
      const [row] = await this.#database.run(`${NODES} WHERE id = $1`, [id]);
      return row as NodeRow | undefined;
    },
  };

  /** The nodes that are not dead. */
  async alive(): Promise<Set<string>> {
    const rows = await this.#database.run(`SELECT id FROM sandbox_nodes WHERE NOT ${DEAD}`);
    return new Set(rows.map(({ id }) => String(id)));
  }

  /** Ends all claims. */
  async stop(): Promise<void> {
    this.#confirmed = NEVER;
    await this.#database.run("UPDATE sandbox_worlds SET owner = NULL, wanted_by = NULL WHERE owner = $1", [this.node]);
    await this.#database.run("DELETE FROM sandbox_nodes WHERE id = $1", [this.node]);
  }

  /**
   * Takes a world that nobody alive has.
   *
   * @param asks whether its owner is asked for it: otherwise calls go on to the owner, unless that one gives its worlds away
   * @returns a number: it may be had in so many milliseconds
   */
  async claim(name: string, asks: boolean): Promise<Claimed | Owner | number> {
    const [found] = await this.#database.run(
      `SELECT w.epoch, w.owner, w.claimed_at, n.address, ${ageOf("n.beat")} AS silent FROM sandbox_worlds w
       LEFT JOIN sandbox_nodes n ON n.id = w.owner AND n.id <> $2 AND NOT ${DEAD} WHERE w.name = $1`,
      [name, this.node],
    );
    if (found && found.silent !== null) {
      const silent = Number(found.silent);
      if (silent > SILENT_MS) return Math.min(AGAIN_MS, DEAD_AFTER_MS - silent);
      if (!asks && found.claimed_at !== null) return { node: String(found.owner), address: String(found.address) };
      const ask = "UPDATE sandbox_worlds SET wanted_by = $2 WHERE name = $1 AND owner <> $2 AND wanted_by IS NULL";
      await this.#database.run(ask, [name, this.node]);
      return GIVEN_MS;
    }
    // As it was found: an owner that was dead has nothing any more, and one that came since is another.
    const [ours] = await this.#database.run(
      `INSERT INTO sandbox_worlds AS w (name, owner, epoch, claimed_at, due_at) VALUES ($1, $2, 1, clock_timestamp(), 0)
       ON CONFLICT (name) DO UPDATE SET owner = $2, epoch = w.epoch + 1, claimed_at = clock_timestamp(), wanted_by = NULL, due_at = 0
       WHERE w.epoch = $3 AND w.owner IS NOT DISTINCT FROM $4 RETURNING *`,
      [name, this.node, found?.epoch ?? 0, found?.owner ?? null],
    );
    if (!ours) return GIVEN_MS;
    const isTakeover = found !== undefined && found.owner !== null && found.owner !== this.node;
    const [epoch, seq] = [Number(ours.epoch), Number(ours.seq)];
    return { name, owner: this.node, epoch, seq, entry: entryIn(ours), isTakeover };
  }

  /**
   * Gives a world up; one that was never stored is as if it had never been named.
   *
   * @param entry what others may know of it; null: there is none any more; left out: whoever takes it finds out what is due
   * @param to whose it is then; null: whoever asked for it, else nobody's. Nobody else takes it in between.
   */
  async release(name: string, epoch: number, entry?: WorldEntry | null, to: string | null = null): Promise<void> {
    const held = "name = $1 AND owner = $2 AND epoch = $3";
    await this.#database.run(`DELETE FROM sandbox_worlds WHERE ${held} AND seq = 0`, [name, this.node, epoch]);
    const next = "(SELECT id FROM sandbox_nodes WHERE id = coalesce($6, wanted_by))";
    const set = `owner = ${next}, wanted_by = NULL, due_at = $4, entry = coalesce($5, entry)`;
    const due_at = entry === undefined ? 0 : entry?.due_at;
    const values = [name, this.node, epoch, due_at ?? null, entry ? JSON.stringify(entry) : null, to];
    await this.#database.run(`UPDATE sandbox_worlds SET ${set} WHERE ${held}`, values);
  }

  /** Whoever wants a world of this node may have it at once. */
  async letAllMove(): Promise<void> {
    await this.#database.run("UPDATE sandbox_worlds SET claimed_at = NULL WHERE owner = $1", [this.node]);
  }

  /** Notes what others may know of a world. */
  async note(epoch: number, entry: WorldEntry): Promise<void> {
    const update = "UPDATE sandbox_worlds SET entry = $4 WHERE name = $1 AND owner = $2 AND epoch = $3";
    await this.#database.run(update, [entry.name, this.node, epoch, JSON.stringify(entry)]);
  }

  /** What this node has, and the names of what others ask for of that. */
  async look(): Promise<{ readonly owned: Owned; readonly wanted: readonly string[] }> {
    const wanted = "SELECT json_agg(name) FROM sandbox_worlds WHERE owner = $1 AND wanted_by IS NOT NULL";
    const [said] = await this.#database.run(`SELECT (${OWNED}) AS owned, (${wanted}) AS wanted`, [this.node]);
    return { owned: (said?.owned ?? {}) as Owned, wanted: (said?.wanted ?? []) as string[] };
  }

  /** Worlds that nobody alive has and in which something may be due, those that wait longest first. */
  async due(): Promise<string[]> {
    const free = "SELECT name, due_at FROM sandbox_worlds WHERE owner IS NULL AND due_at <= $1";
    const lost = `SELECT name, due_at FROM sandbox_nodes JOIN sandbox_worlds ON owner = id WHERE ${DEAD} AND due_at <= $1`;
    const select = `SELECT name FROM (${free} UNION ALL ${lost}) AS due ORDER BY due_at LIMIT ${DUE_AT_ONCE}`;
    return worldsIn(await this.#database.run(select, [realTime()])).map(({ name }) => String(name));
  }

  /** How many worlds there are that this node does not have. */
  async countElsewhere(): Promise<number> {
    const [row] = await this.#database.run(`SELECT count(*) FROM sandbox_worlds ${ELSEWHERE} $1`, [this.node]);
    return Number(row?.count);
  }

  /** What is noted of the worlds of others, and of nobody. */
  async elsewhere(): Promise<WorldEntry[]> {
    const select = `SELECT name, entry, owner FROM sandbox_worlds ${ELSEWHERE} $1`;
    const rows = worldsIn(await this.#database.run(select, [this.node]));
    return rows.map((row) => ({ ...entryIn(row), node: row.owner === null ? null : String(row.owner) }));
  }
}
