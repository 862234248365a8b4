import { MAX_STRAY_CALLS, type StrayCall } from "../contract/control/activity-operations.ts";
import { type CountedFailures, type Failure, MINUTE_MS } from "../rules/worlds/activity.ts";
import type { ActivityQuery, ActivityRow, ActivityTable } from "./activity-store.ts";
import { realTime } from "./real-time.ts";

/** Time that failures are counted in memory before they are written. */
const WRITE_AFTER_MS = 1_000;
/** Cap on distinct counts in memory. While the disk is full, further failures are only in their world's own records. */
const MAX_BUFFERED = 5_000;
/**
 * Limit on names for each world and minute: a client that changes its name with each call counts as anonymous after
 * that.
 */
const MAX_AGENTS_PER_MINUTE = 20;
/** Stored length of a client's name, in characters. */
const MAX_AGENT_CHARS = 200;

/** One failure. `at` is real time, milliseconds since 1970. */
export interface NotedFailure {
  readonly world: string;
  readonly at: number;
  /** ID of the call or the delivery. */
  readonly id: string;
  readonly operation: string | null;
  readonly failure: Failure;
}

/**
 * Counts failures across all worlds. Counts are buffered and written about a second later, so a crash may lose the last
 * second. The worlds' own records stay complete.
 */
export class ActivityLog {
  readonly #table: ActivityTable;
  readonly #onError: (error: unknown) => void;
  readonly #waiting = new Map<string, CountedFailures>();
  /** Calls to unknown worlds, which are in no world's records. */
  #strays: StrayCall[] = [];
  /** Client names of the last minute, by world. */
  readonly #agents = new Map<string, Set<string>>();
  #agentsMinute = 0;
  #timer: NodeJS.Timeout | null = null;
  #trimmedAt = 0;
  /** Serializes access to the table. */
  #writing: Promise<void> = Promise.resolve();

  constructor(table: ActivityTable, onError: (error: unknown) => void) {
    this.#table = table;
    this.#onError = onError;
  }

  note({ world, at, id, operation, failure: given }: NotedFailure): void {
    const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
    const failure = { ...given, user_agent: this.#countedAgent(world, minute, given.user_agent) };
    const key = JSON.stringify([world, minute, failure]);
    const waiting = this.#waiting.get(key);
    if (!waiting && this.#waiting.size >= MAX_BUFFERED) return;
    const last = { last_at: at, last_id: id, last_operation: operation };
    this.#waiting.set(key, { ...{ minute, world, failure, count: (waiting?.count ?? 0) + 1 }, ...last });
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  #countedAgent(world: string, minute: number, agent: string | null): string | null {
    if (agent === null) return null;
    if (minute > this.#agentsMinute) {
      this.#agents.clear();
      this.#agentsMinute = minute;
    }
    const known = this.#agents.get(world) ?? new Set();
    this.#agents.set(world, known);
    const storedAgent = agent.slice(0, MAX_AGENT_CHARS);
    if (!known.has(storedAgent) && known.size >= MAX_AGENTS_PER_MINUTE) return null;
    known.add(storedAgent);
    return storedAgent;
  }

  /** Records a call to an unknown world. */
  keep(call: StrayCall): void {
    this.#strays.push(call);
    if (this.#strays.length > MAX_STRAY_CALLS) this.#strays.shift();
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  /** Calls to unknown worlds as JSON, newest first. */
  async strays(): Promise<string[]> {
    await this.flush();
    return this.#table.strays();
  }

  /** Stored counts; those of about the last second may be missing. */
  async rows(of: ActivityQuery, after: number, limit: number): Promise<ActivityRow[]> {
    return this.#table.rows(of, after, limit);
  }

  /** @returns the time since which no rows were dropped for space, in milliseconds since 1970 */
  async wholeSince(): Promise<number> {
    const dropped = await this.#table.dropped();
    return dropped === 0 ? 0 : dropped + MINUTE_MS;
  }

  /** Deletes the counts of a world that no longer exists. */
  deleteWorld(world: string): void {
    for (const [key, one] of this.#waiting) if (one.world === world) this.#waiting.delete(key);
    void this.#inTurn(() => this.#table.deleteWorld(world));
  }

  /** Writes the buffered counts. Resolves in any case; counts that couldn't be written stay buffered. */
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
      this.#strays = [...strays, ...this.#strays].slice(-MAX_STRAY_CALLS);
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
        this.#onError(error);
      }
    });
    return this.#writing;
  }
}
