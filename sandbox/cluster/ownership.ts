// The ownership of worlds: heartbeats, claims and releases in the database.
import { randomUUID } from "node:crypto";
import type { NodeRow } from "../contract/control/service-operations.ts";
import { isWorldName } from "../rules/worlds/world-name.ts";
import { realTime } from "../storage/real-time.ts";
import type { WorldEntry } from "../storage/service-database.ts";
import type { DatabaseError, Row, SharedDatabase } from "./database.ts";
import { DATABASE_TIME, DatabaseClock } from "./database-clock.ts";
import { OWNED_ROW_CONDITION, type Position } from "./world-store.ts";

/** A node is dead when its last heartbeat is older, by the database's clock. */
const DEAD_AFTER_MS = 5_000;
/** A node may respond for this time after sending its last confirmed heartbeat; the rest is for responses in transit. */
const LEASE_MS = 3_000;
/** Number of worlds without an owner that a node takes at a time to do their due work. */
const DUE_AT_ONCE = 16;
/** How soon to check whether an owner has released a requested world. */
const RELEASE_MS = 60;
/** A node that is silent for longer has missed a heartbeat, so it isn't asked for worlds. */
const MISSED_BEAT_MS = 2_000;
/** How soon to check a silent node again, whose heartbeat may only be late. */
const RECHECK_MS = 500;

/** A world that this node has taken. */
export interface Claim extends Position {
  readonly entry: WorldEntry;
  /** True if a dead node owned it. */
  readonly isTakeover: boolean;
}

/** The node that owns a world, and its base URL. */
export interface Owner {
  readonly node: string;
  readonly address: string;
}

/** A node's worlds according to the database: epochs by name. */
export type OwnedEpochs = Readonly<Record<string, number>>;

/** SQL expression for an age in milliseconds when the statement began; negative if the database's clock was set back. */
const ageMsSql = (column: string): string => `extract(epoch FROM now() - ${column}) * 1000`;
/** A heartbeat too new for the statement to see is confirmed later, and finds that its node counted as dead. */
const DEAD = `abs(${ageMsSql("beat")}) > ${DEAD_AFTER_MS}`;
const OWNED = "SELECT json_object_agg(name, epoch) FROM sandbox_worlds WHERE owner = $1";
const NODES = `SELECT id, address, CASE WHEN ${DEAD} THEN 'dead' WHEN drains THEN 'drains' ELSE 'serves' END AS state,
  (SELECT count(*)::int FROM sandbox_worlds WHERE owner = id) AS worlds, greatest(0, ${ageMsSql("beat")} / 1000)::float8 AS beat_seconds
  FROM sandbox_nodes`;
const ELSEWHERE = "WHERE snapshot IS NOT NULL AND owner IS DISTINCT FROM";

/** The stored entry of a world; defaults for a new one. */
const readEntry = ({ name, entry }: Row): WorldEntry => {
  const at = realTime();
  const defaults = { name: String(name), created_at: at, last_active_at: at };
  const stored = JSON.parse(String(entry ?? "{}")) as Partial<WorldEntry>;
  return { ...{ pinned: false, due_at: null, closed: null }, ...defaults, ...stored, name: defaults.name };
};

/** Keeps rows with valid world names, because names become file paths. */
const filterValidNames = (rows: readonly Row[]): Row[] => rows.filter(({ name }) => isWorldName(String(name)));

/** Two clocks, because one pauses while the machine sleeps and the other can be set. */
const readClocks = () => ({ wall: Date.now(), steady: performance.now() });
const elapsedMs = (then: ReturnType<typeof readClocks>): number =>
  Math.max(Date.now() - then.wall, performance.now() - then.steady);
const NEVER = { wall: Number.NEGATIVE_INFINITY, steady: Number.NEGATIVE_INFINITY };

/** Tracks which node owns which world, in the shared database and by its clock. */
export class Ownership {
  readonly node = randomUUID();
  readonly #database: SharedDatabase;
  readonly #beats: SharedDatabase;
  readonly clock = new DatabaseClock();
  #confirmed = NEVER;
  /** Duration of the last heartbeat query, in milliseconds. */
  latencyMs = 0;
  /** Error of the last heartbeat, or null. */
  failure: DatabaseError | null = null;
  /** True if an operator drains this node. */
  drains = false;

  /** @param beats a pool for heartbeats only */
  constructor(database: SharedDatabase, beats: SharedDatabase) {
    this.#database = database;
    this.#beats = beats;
  }

  /** Time since the last confirmed heartbeat was sent, in milliseconds. */
  get ageMs(): number {
    return elapsedMs(this.#confirmed);
  }

  /** True while no other node can have taken this node's worlds. */
  get isFresh(): boolean {
    return this.ageMs < LEASE_MS;
  }

  /**
   * Sends a heartbeat.
   *
   * @param address this node's base URL
   * @param found called with this node's worlds before the lease is renewed; null if other nodes may have taken any of
   *   them, because the last heartbeat was too old or the database's clock was set
   */
  async beat(address: string, found: (owned: OwnedEpochs | null) => void): Promise<void> {
    const sent = readClocks();
    const beat = `INSERT INTO sandbox_nodes (id, address, beat) VALUES ($1, $2, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET beat = clock_timestamp() RETURNING drains, ${DATABASE_TIME} AS at, (${OWNED}) AS owned`;
    const [row] = await this.#beats.run(beat, [this.node, address]).catch((error: DatabaseError) => {
      this.failure = error;
      throw error;
    });
    this.failure = null;
    this.latencyMs = performance.now() - sent.steady;
    this.drains = row?.drains === true;
    const isSet = this.clock.update(sent.steady, Number(row?.at));
    const wasDead = isSet || this.ageMs >= DEAD_AFTER_MS;
    found(wasDead ? null : ((row?.owned ?? {}) as OwnedEpochs));
    this.#confirmed = sent;
  }

  /** Operations on nodes, for operators. */
  readonly nodes = {
    list: async (): Promise<NodeRow[]> => (await this.#database.run(`${NODES} ORDER BY address, id`)) as NodeRow[],
    drain: async (id: string): Promise<NodeRow | undefined> => {
      await this.#database.run("UPDATE sandbox_nodes SET drains = true WHERE id = $1", [id]);
      const [row] = await this.#database.run(`${NODES} WHERE id = $1`, [id]);
      return row as NodeRow | undefined;
    },
  };

  async listAlive(): Promise<Set<string>> {
    const rows = await this.#database.run(`SELECT id FROM sandbox_nodes WHERE NOT ${DEAD}`);
    return new Set(rows.map(({ id }) => String(id)));
  }

  /** Releases all worlds and removes this node. */
  async stop(): Promise<void> {
    this.#confirmed = NEVER;
    await this.#database.run("UPDATE sandbox_worlds SET owner = NULL, wanted_by = NULL WHERE owner = $1", [this.node]);
    await this.#database.run("DELETE FROM sandbox_nodes WHERE id = $1", [this.node]);
  }

  /**
   * Takes a world without a live owner.
   *
   * @param asks true to request the world from its owner; otherwise returns the owner, unless it gives its worlds away
   * @returns the claim, the owner, or the milliseconds until the next try
   */
  async claim(name: string, asks: boolean): Promise<Claim | Owner | number> {
    const [found] = await this.#database.run(
      `SELECT w.epoch, w.owner, w.claimed_at, n.address, ${ageMsSql("n.beat")} AS silent FROM sandbox_worlds w
       LEFT JOIN sandbox_nodes n ON n.id = w.owner AND n.id <> $2 AND NOT ${DEAD} WHERE w.name = $1`,
      [name, this.node],
    );
    if (found && found.silent !== null) {
      const silent = Number(found.silent);
      if (silent > MISSED_BEAT_MS) return Math.min(RECHECK_MS, DEAD_AFTER_MS - silent);
      if (!asks && found.claimed_at !== null) return { node: String(found.owner), address: String(found.address) };
      const ask = "UPDATE sandbox_worlds SET wanted_by = $2 WHERE name = $1 AND owner <> $2 AND wanted_by IS NULL";
      await this.#database.run(ask, [name, this.node]);
      return RELEASE_MS;
    }
    // Takes the world only if its owner is still the one found above, which is dead or none.
    const [ours] = await this.#database.run(
      `INSERT INTO sandbox_worlds AS w (name, owner, epoch, claimed_at, due_at) VALUES ($1, $2, 1, clock_timestamp(), 0)
       ON CONFLICT (name) DO UPDATE SET owner = $2, epoch = w.epoch + 1, claimed_at = clock_timestamp(), wanted_by = NULL, due_at = 0
       WHERE w.epoch = $3 AND w.owner IS NOT DISTINCT FROM $4 RETURNING *`,
      [name, this.node, found?.epoch ?? 0, found?.owner ?? null],
    );
    if (!ours) return RELEASE_MS;
    const isTakeover = found !== undefined && found.owner !== null && found.owner !== this.node;
    const [epoch, seq] = [Number(ours.epoch), Number(ours.seq)];
    return { name, owner: this.node, epoch, seq, entry: readEntry(ours), isTakeover };
  }

  /**
   * Releases a world; deletes the row of a world that was never stored.
   *
   * @param entry the entry to publish; null if the world no longer exists; left out: the next owner finds out what is due
   * @param to the next owner, set in the same statement; null: the node that requested it, or none
   */
  async release(name: string, epoch: number, entry?: WorldEntry | null, to: string | null = null): Promise<void> {
    await this.#database.run(`DELETE FROM sandbox_worlds WHERE ${OWNED_ROW_CONDITION} AND seq = 0`, [
      name,
      this.node,
      epoch,
    ]);
    const next = "(SELECT id FROM sandbox_nodes WHERE id = coalesce($6, wanted_by))";
    const set = `owner = ${next}, wanted_by = NULL, due_at = $4, entry = coalesce($5, entry)`;
    const due_at = entry === undefined ? 0 : entry?.due_at;
    const values = [name, this.node, epoch, due_at ?? null, entry ? JSON.stringify(entry) : null, to];
    await this.#database.run(`UPDATE sandbox_worlds SET ${set} WHERE ${OWNED_ROW_CONDITION}`, values);
  }

  /** Lets other nodes take this node's worlds immediately. */
  async offerWorlds(): Promise<void> {
    await this.#database.run("UPDATE sandbox_worlds SET claimed_at = NULL WHERE owner = $1", [this.node]);
  }

  async publishEntry(epoch: number, entry: WorldEntry): Promise<void> {
    const update = `UPDATE sandbox_worlds SET entry = $4 WHERE ${OWNED_ROW_CONDITION}`;
    await this.#database.run(update, [entry.name, this.node, epoch, JSON.stringify(entry)]);
  }

  /** Returns this node's worlds, and the names of those that other nodes request. */
  async listOwned(): Promise<{ readonly owned: OwnedEpochs; readonly wanted: readonly string[] }> {
    const wanted = "SELECT json_agg(name) FROM sandbox_worlds WHERE owner = $1 AND wanted_by IS NOT NULL";
    const [row] = await this.#database.run(`SELECT (${OWNED}) AS owned, (${wanted}) AS wanted`, [this.node]);
    return { owned: (row?.owned ?? {}) as OwnedEpochs, wanted: (row?.wanted ?? []) as string[] };
  }

  /** Returns worlds with due work and without a live owner, longest overdue first. */
  async listDue(): Promise<string[]> {
    const free = "SELECT name, due_at FROM sandbox_worlds WHERE owner IS NULL AND due_at <= $1";
    const lost = `SELECT name, due_at FROM sandbox_nodes JOIN sandbox_worlds ON owner = id WHERE ${DEAD} AND due_at <= $1`;
    const select = `SELECT name FROM (${free} UNION ALL ${lost}) AS due ORDER BY due_at LIMIT ${DUE_AT_ONCE}`;
    return filterValidNames(await this.#database.run(select, [realTime()])).map(({ name }) => String(name));
  }

  /** Returns the number of worlds that this node does not own. */
  async countElsewhere(): Promise<number> {
    const [row] = await this.#database.run(`SELECT count(*) FROM sandbox_worlds ${ELSEWHERE} $1`, [this.node]);
    return Number(row?.count);
  }

  /** Returns the entries of worlds that this node does not own. */
  async elsewhere(): Promise<WorldEntry[]> {
    const select = `SELECT name, entry, owner FROM sandbox_worlds ${ELSEWHERE} $1`;
    const rows = filterValidNames(await this.#database.run(select, [this.node]));
    return rows.map((row) => ({ ...readEntry(row), node: row.owner === null ? null : String(row.owner) }));
  }
}
