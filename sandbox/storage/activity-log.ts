import { MOST_STRAYS, type StrayCall } from "../contract/control/activity-operations.ts";
import { type CountedFailures, type Failure, MINUTE_MS } from "../rules/worlds/activity.ts";
import type { ActivityQuery, ActivityRow, ActivityTable } from "./activity-store.ts";
import { realTime } from "./real-time.ts";

/** How long what went wrong is counted in memory before it is written down. */
const WRITE_AFTER_MS = 1_000;
/** So many different ones wait at most: what a full disk does not take of more is on the record of its world alone. */
const MOST_WAITING = 5_000;
/** Whoever names another program with each call counts as nobody from here on, in each world and minute. */
const MOST_AGENTS = 20;
/** The longest beginning of a program's name that is kept. */
const LONGEST_AGENT = 200;

/** What went wrong, when and where. `at` is real time, milliseconds since 1970. */
export interface NotedFailure {
  readonly world: string;
  readonly at: number;
  /** The call, or the delivery. */
  readonly id: string;
  readonly operation: string | null;
  readonly failure: Failure;
}

/**
 * Counts what goes wrong in all worlds. Nobody waits for it: it is counted in memory and written down about a second
 * later, so that a crash may lose as much of it. The records of the worlds are complete; these are counts of them.
 */
export class ActivityLog {
  readonly #table: ActivityTable;
  readonly #troubled: (error: unknown) => void;
  readonly #waiting = new Map<string, CountedFailures>();
  /** Calls to worlds that don't exist, which no world has on record. */
  #strays: StrayCall[] = [];
  /** The programs of the last minute, by world. */
  readonly #agents = new Map<string, Set<string>>();
  #agentsOf = 0;
  #timer: NodeJS.Timeout | null = null;
  #trimmedAt = 0;
  /** What is done to the table, one after the other. */
  #writing: Promise<void> = Promise.resolve();

  constructor(table: ActivityTable, troubled: (error: unknown) => void) {
    this.#table = table;
    this.#troubled = troubled;
  }

  note({ world, at, id, operation, failure: given }: NotedFailure): void {
    const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
    const failure = { ...given, user_agent: this.#agentOf(world, minute, given.user_agent) };
    const key = JSON.stringify([world, minute, failure]);
    const waiting = this.#waiting.get(key);
    if (!waiting && this.#waiting.size >= MOST_WAITING) return;
    const last = { last_at: at, last_id: id, last_operation: operation };
    this.#waiting.set(key, { ...{ minute, world, failure, count: (waiting?.count ?? 0) + 1 }, ...last });
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  #agentOf(world: string, minute: number, agent: string | null): string | null {
    if (agent === null) return null;
    if (minute > this.#agentsOf) {
      this.#agents.clear();
      this.#agentsOf = minute;
    }
    const known = this.#agents.get(world) ?? new Set();
    this.#agents.set(world, known);
    const kept = agent.slice(0, LONGEST_AGENT);
    if (!known.has(kept) && known.size >= MOST_AGENTS) return null;
    known.add(kept);
    return kept;
  }

  /** Keeps a call that named a world that doesn't exist. */
  keep(call: StrayCall): void {
    this.#strays.push(call);
    if (this.#strays.length > MOST_STRAYS) this.#strays.shift();
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  /** The calls that named worlds that don't exist, newest first. */
  async strays(): Promise<StrayCall[]> {
    await this.flush();
    return this.#table.strays();
  }

  /** What is counted by now. */
  async rows(of: ActivityQuery, after: number, limit: number): Promise<ActivityRow[]> {
    return this.#table.rows(of, after, limit);
  }

  /** Since when nothing is missing for want of room, as milliseconds since 1970. */
  async wholeSince(): Promise<number> {
    const dropped = await this.#table.dropped();
    return dropped === 0 ? 0 : dropped + MINUTE_MS;
  }

  /** Ends what is known of a world: its calls are no more. */
  forget(world: string): void {
    for (const [key, one] of this.#waiting) if (one.world === world) this.#waiting.delete(key);
    void this.#inTurn(() => this.#table.forget(world));
  }

  /** Writes down what waits. Resolves when it is written, or could not be: then it waits on. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    return this.#inTurn(async () => {
      await this.#keepStrays();
      const counted = [...this.#waiting.values()];
      if (counted.length === 0) return;
      this.#waiting.clear();
      const now = realTime();
      try {
        await this.#table.add(counted);
      } catch (error) {
        for (const one of counted) this.#putBack(one);
        throw error;
      }
      if (now - this.#trimmedAt < MINUTE_MS) return;
      this.#trimmedAt = now;
      await this.#table.trim(now);
    });
  }

  async #keepStrays(): Promise<void> {
    const strays = this.#strays;
    if (strays.length === 0) return;
    this.#strays = [];
    try {
      await this.#table.keep(strays);
    } catch (error) {
      this.#strays = [...strays, ...this.#strays].slice(-MOST_STRAYS);
      throw error;
    }
  }

  #putBack(one: CountedFailures): void {
    const key = JSON.stringify([one.world, one.minute, one.failure]);
    const since = this.#waiting.get(key);
    this.#waiting.set(key, since ? { ...since, count: since.count + one.count } : one);
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  #inTurn(work: () => unknown): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      try {
        await work();
      } catch (error) {
        this.#troubled(error);
      }
    });
    return this.#writing;
  }
}
