import { StartError } from "../host/start-error.ts";
import { realTime, setRealTime } from "../storage/real-time.ts";
import type { SharedDatabase } from "./database.ts";

/** A node whose clock is further from the database's has no worlds: who reads one of the two is misled (D98). */
const MOST_OFF_MS = 5_000;
/** A clock that is this much elsewhere than it should be after what has passed was set. Less of it no lease notices. */
const STEP_MS = 1_000;

/** What a statement answers, among others, for {@link DatabaseClock.heard}. */
export const DATABASE_TIME = "(extract(epoch FROM clock_timestamp()) * 1000)::float8";

/** The clock of the database that nodes share, which they all go by, as one of them knows it. */
export class DatabaseClock {
  /** What the database's time is ahead of `performance.now()`. */
  #origin: number | null = null;
  /** How far this machine's clock was ahead when the database's was set: nothing that this machine could mend. */
  #borneMs = 0;

  /** Asks for it, before anything goes by it. @throws StartError where this machine's is another */
  async ask(database: SharedDatabase): Promise<void> {
    const sent = performance.now();
    const [row] = await database.run(`SELECT ${DATABASE_TIME} AS at`);
    this.heard(sent, Number(row?.at));
    if (!this.isOff) return;
    const seconds = Math.round(this.aheadMs / 1_000);
    const message = `The clock of this machine is ${Math.abs(seconds)} seconds ${seconds > 0 ? "ahead of" : "behind"} the one of the database of --cluster; at most ${MOST_OFF_MS / 1_000} are allowed. Have NTP set both, then start again.`;
    throw new StartError("bad_option", message);
  }

  /**
   * @param sent when the database was asked, by `performance.now()` @param at what it said, in milliseconds since 1970
   * @returns whether its clock was set since it was asked before
   */
  heard(sent: number, at: number): boolean {
    // It looked at its clock at some moment in between: what was known before is kept as long as it can be so.
    const [least, most] = [at - performance.now(), at - sent];
    const known = this.#origin;
    const origin = known !== null && known >= least && known <= most ? known : (least + most) / 2;
    this.#origin = origin;
    setRealTime(origin + performance.now());
    if (known === null || Math.abs(origin - known) < STEP_MS) return false;
    this.#borneMs = this.aheadMs;
    return true;
  }

  /** How far this machine's clock is ahead of it, in milliseconds; negative: behind. */
  get aheadMs(): number {
    return Date.now() - realTime();
  }

  get isOff(): boolean {
    const { aheadMs } = this;
    return Math.abs(aheadMs) > MOST_OFF_MS && Math.abs(aheadMs - this.#borneMs) > MOST_OFF_MS;
  }
}
