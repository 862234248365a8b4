// The time of the shared database, which all nodes use as theirs.
import { StartError } from "../host/start-error.ts";
import { realTime, setRealTime } from "../storage/real-time.ts";
import type { SharedDatabase } from "./database.ts";

/** A node whose clock differs more from the database's owns no worlds, because its timestamps would mislead (D98). */
const MAX_OFFSET_MS = 5_000;
/** A larger deviation from the monotonic clock means that the clock was set. Leases tolerate a smaller one. */
const STEP_MS = 1_000;

/** SQL expression for the database's time, in milliseconds since 1970; see {@link DatabaseClock.update}. */
export const DATABASE_TIME = "(extract(epoch FROM clock_timestamp()) * 1000)::float8";

/** Estimates the clock of the shared database, which all nodes use as their time. */
export class DatabaseClock {
  /** Database time minus `performance.now()`, in milliseconds. */
  #origin: number | null = null;
  /** Offset of this machine's clock when the database's clock was set. Tolerated, because this machine can't fix it. */
  #toleratedMs = 0;

  /** Queries the clock before anything uses it. @throws StartError if this machine's clock differs too much */
  async ask(database: SharedDatabase): Promise<void> {
    const sent = performance.now();
    const [row] = await database.run(`SELECT ${DATABASE_TIME} AS at`);
    this.update(sent, Number(row?.at));
    if (!this.isOff) return;
    const seconds = Math.round(this.aheadMs / 1_000);
    const message = `The clock of this machine is ${Math.abs(seconds)} seconds ${seconds > 0 ? "ahead of" : "behind"} the one of the database of --cluster; at most ${MAX_OFFSET_MS / 1_000} are allowed. Have NTP set both, then start again.`;
    throw new StartError("bad_option", message);
  }

  /**
   * Updates the estimate.
   *
   * @param sent when the query was sent, by `performance.now()` @param at the database's time, in milliseconds since 1970
   * @returns true if the database's clock was set since the last query
   */
  update(sent: number, at: number): boolean {
    // The database read its clock between sending and receiving. Keep the earlier estimate while it fits those bounds.
    const [least, most] = [at - performance.now(), at - sent];
    const known = this.#origin;
    const origin = known !== null && known >= least && known <= most ? known : (least + most) / 2;
    this.#origin = origin;
    setRealTime(origin + performance.now());
    if (known === null || Math.abs(origin - known) < STEP_MS) return false;
    this.#toleratedMs = this.aheadMs;
    return true;
  }

  /** Offset of this machine's clock, in milliseconds; negative if it is behind the database's. */
  get aheadMs(): number {
    return Date.now() - realTime();
  }

  get isOff(): boolean {
    const { aheadMs } = this;
    return Math.abs(aheadMs) > MAX_OFFSET_MS && Math.abs(aheadMs - this.#toleratedMs) > MAX_OFFSET_MS;
  }
}
