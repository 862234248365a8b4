import { type RecordStream, recordStreams } from "../storage/kept-records.ts";
import type { KeptRecord, Places } from "../storage/retention-store.ts";
import type { Stores } from "../storage/stores.ts";

/** What there is of it never exceeds so many, so that a search of all of them takes nobody's time. */
export const KEPT_EXCHANGES = 10_000;

const HOUR_MS = 3_600_000;
const MEBIBYTE = 1024 * 1024;
/** Records that are looked at, and rows that are measured, between two looks at the clock. */
const FEW = 32;
const MEASURED = 256;
/** Records that are long go fewer at a time: every page of theirs is read once more. */
const FEW_BYTES = 256 * 1024;
/** Too large a world is brought down to this part of what it may keep, so that it is not measured all the time. */
const DOWN_TO = 0.8;
/** And about so much of it goes before the rest is weighed again. */
const A_LITTLE = 1 / 32;
/** What waited when it was looked at may be settled by now: so often it is looked at again, sooner when most of it is. */
const LOOK_BACK_MS = 600_000;
const LOOK_BACK_SOON_MS = 10_000;
/** So many that must stay are looked at in one go; the next goes on behind them. */
const MOST_LEFT = 2_000;
/** What was measured counts as long as the file has not grown by more than this part of what may be kept. */
const STALE = 0.1;
/** With so much more than it may keep, forgetting has to hurry: it is written to as fast as it can be. */
const FAR_TOO_MUCH = 1.5;

/** What was made by a time and has not changed since another. */
interface Old {
  readonly time: number;
  readonly unchangedSince: number;
}
const always: Old = { time: Number.POSITIVE_INFINITY, unchangedSince: Number.POSITIVE_INFINITY };

const beginning = (): Places => ({ deliveries: 0, events: 0, requests: 0, log: 0 });

/** Forgets what a world need not keep, oldest first and a little at a time. */
export class Retention {
  readonly #stores: Stores;
  readonly #writes: () => number;
  #places = beginning();
  /** When it began with the oldest record the last time, and how often the world had been written to after that. */
  #lookedBack = { at: 0, writes: -1, waited: 0 };
  /** Whether something was left since then because it waits, and when what was settled late will be too old. */
  #left = { waits: false, until: Number.POSITIVE_INFINITY };
  /** How many were left in this go. */
  #leftNow = 0;
  /** How much there was when all was measured last, and how much of the file was in use then. */
  #measured: { total: number; used: number } | null = null;

  /** @param writes how often the world was written to */
  constructor(stores: Stores, writes: () => number) {
    this.#stores = stores;
    this.#writes = writes;
  }

  /** Whether something may have to be forgotten now, as far as can be told without looking. */
  get exceeded(): boolean {
    const { retention, requests } = this.#stores;
    return requests.count() > KEPT_EXCHANGES || retention.usedBytes() > this.#mostBytes();
  }

  #ageMs(): number {
    return this.#stores.retention.settings().max_age_hours * HOUR_MS;
  }

  #mostBytes(): number {
    return this.#stores.retention.settings().max_megabytes * MEBIBYTE;
  }

  /** Whether there is so much more than may be kept that it has to go sooner than in passing. */
  get hurries(): boolean {
    return this.#most() > FAR_TOO_MUCH * this.#mostBytes();
  }

  /** When there is something to forget; null: never, as far as is known. */
  nextAt(): number | null {
    if (this.#leftNow >= MOST_LEFT) return 0;
    const { retention } = this.#stores;
    const tooOldAt = recordStreams.flatMap((stream) => {
      const [oldest] = retention.after(stream, this.#places[stream], 1);
      return oldest ? oldest.since + this.#ageMs() + 1 : [];
    });
    const looksBackAt = this.#left.waits && this.#mayHaveSettled() ? this.#lookedBack.at : this.#left.until;
    const next = Math.min(...tooOldAt, Math.max(looksBackAt, this.#restsUntil()));
    return Number.isFinite(next) ? next : null;
  }

  /** Until when what was left is not looked at again. */
  #restsUntil(): number {
    const { at, waited } = this.#lookedBack;
    const mostIsSettled = this.#left.waits && this.#stores.outbox.count({ status: "pending" }) < waited / 2;
    return at + (mostIsSettled ? LOOK_BACK_SOON_MS : LOOK_BACK_MS);
  }

  #mayHaveSettled(): boolean {
    return this.#writes() !== this.#lookedBack.writes;
  }

  /** Something went wrong in the middle, and was undone. */
  beginAgain(): void {
    this.#places = beginning();
    this.#lookedBack = { at: 0, writes: -1, waited: 0 };
    this.#leftNow = 0;
    this.#measured = null;
  }

  /**
   * Forgets what is too old, exchanges beyond their number, and the oldest of what is too much. Each step is the work of
   * a millisecond or less; run it inside a write, many or few steps in one go.
   */
  *work(now: number): Generator<void, void, void> {
    const { retention } = this.#stores;
    this.#leftNow = 0;
    const mayLookBack = this.#mayHaveSettled() || now >= this.#left.until;
    const looksBack = mayLookBack && now >= this.#restsUntil();
    if (looksBack) {
      this.#places = beginning();
      this.#left = { waits: false, until: Number.POSITIVE_INFINITY };
    }
    yield* this.#upTo(now - this.#ageMs() - 1, true);
    yield* this.#fewerExchanges();
    yield* this.#lessInAll();
    retention.forgetLanes();
    if (!looksBack) return;
    const waited = this.#stores.outbox.count({ status: "pending" });
    this.#lookedBack = { at: now, writes: this.#writes(), waited };
  }

  /** @param wholly only what has not changed either since that time; else what was made until then */
  *#upTo(time: number, wholly = false): Generator<void, void, void> {
    const unchangedSince = wholly ? time : Number.POSITIVE_INFINITY;
    for (const stream of recordStreams) yield* this.#stream(stream, { time, unchangedSince });
  }

  *#stream(stream: RecordStream, old: Old, most = Number.POSITIVE_INFINITY): Generator<void, void, void> {
    const { retention } = this.#stores;
    const isLeft = (place: number): boolean => {
      const [next] = retention.after(stream, place, 1);
      return next !== undefined && next.since <= old.time;
    };
    for (let more = most; more > 0 && this.#leftNow < MOST_LEFT && isLeft(this.#places[stream]); ) {
      more -= this.#few(stream, old, more);
      yield;
    }
  }

  /** Looks at a few records, and forgets those of them that may go, each run of neighbours in one go. @returns how many */
  #few(stream: RecordStream, { time, unchangedSince }: Old, most: number): number {
    const { retention } = this.#stores;
    let [count, bytes] = [0, 0];
    /** Neighbours that go together. */
    let run: KeptRecord[] = [];
    const forget = (): void => {
      retention.forget(stream, run);
      run = [];
    };
    retention.lookAtWhatWaits();
    for (const record of retention.after(stream, this.#places[stream], FEW)) {
      if (record.since > time || count >= most || bytes > FEW_BYTES) break;
      this.#places[stream] = record.seq;
      const changedLate = record.settled !== null && record.settled > unchangedSince;
      if (record.settled === null || changedLate || retention.isAwaited(record)) {
        forget();
        this.#leave(record, changedLate);
      } else {
        run.push(record);
        count += 1;
        bytes += record.bytes;
      }
    }
    forget();
    if (this.#measured) {
      this.#measured.total -= bytes;
      this.#measured.used -= bytes;
    }
    return count;
  }

  #leave({ settled }: KeptRecord, changedLate: boolean): void {
    this.#leftNow += 1;
    if (changedLate && settled !== null) this.#left.until = Math.min(this.#left.until, settled + this.#ageMs() + 1);
    else this.#left.waits = true;
  }

  *#fewerExchanges(): Generator<void, void, void> {
    const excess = this.#stores.requests.count() - KEPT_EXCHANGES;
    if (excess <= 0) return;
    yield* this.#stream("requests", always, excess);
  }

  *#lessInAll(): Generator<void, void, void> {
    const most = this.#mostBytes();
    if (this.#most() <= most) return;
    const grown = this.#stores.retention.usedBytes() - (this.#measured?.used ?? 0);
    if (!this.#measured || grown > most * STALE) yield* this.#measure();
    const measured = this.#measured;
    if (!measured || measured.total <= most) return;
    const little = most * A_LITTLE;
    while (measured.total > most * DOWN_TO && this.#leftNow < MOST_LEFT) {
      const time = this.#nextTime(little);
      if (time === null) break;
      yield* this.#upTo(time);
    }
  }

  /** At most so much is kept: the file holds more than records, and these have not grown by more than it has. */
  #most(): number {
    const used = this.#stores.retention.usedBytes();
    return this.#measured ? Math.min(used, this.#measured.total + Math.max(0, used - this.#measured.used)) : used;
  }

  *#measure(): Generator<void, void, void> {
    const measured = { total: 0, used: this.#stores.retention.usedBytes() };
    for (const stream of recordStreams) {
      for (let place: number | null = 0; place !== null; ) {
        const { bytes, last } = this.#stores.retention.measure(stream, place, MEASURED);
        measured.total += bytes;
        place = last;
        yield;
      }
    }
    this.#measured = measured;
  }

  /** The time up to which the next few of all streams were made; fewer where they are long. */
  #nextTime(mostBytes: number): number | null {
    const times = recordStreams.flatMap((stream) => {
      let bytes = 0;
      const next = this.#stores.retention.after(stream, this.#places[stream], FEW).filter((record, index) => {
        bytes += record.bytes;
        return index === 0 || bytes <= mostBytes;
      });
      return next.at(-1)?.since ?? [];
    });
    return times.length === 0 ? null : Math.min(...times);
  }
}
