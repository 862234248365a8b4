import type { DeliveryRecord } from "../storage/delivery-records.ts";
import type { OutboxStore } from "../storage/outbox-store.ts";
import { afterTry, isAcknowledged, isLost, type Tried } from "./record.ts";

const bySeq = (one: DeliveryRecord, other: DeliveryRecord): number => one.seq - other.seq;

/**
 * What waits for one subscription, in the order it is to be tried (D73): page by page from the file, so that a backlog of
 * any length costs no more memory than a page, and a page no more than one look at the file.
 */
export class LaneQueue {
  readonly #lane: number;
  readonly #outbox: OutboxStore;
  /** Never tried, the first one last; and those after `#read`, if `#more` says that there may be some. */
  #fresh: DeliveryRecord[] = [];
  #read = 0;
  #more: boolean;
  /** Due again, the first one last. */
  #due: DeliveryRecord[] = [];
  /** When the file has something that is due again and not in hand, or null. */
  #retryAt: number | null;
  /** Lost with their connection: before all others. */
  #lost: DeliveryRecord[] = [];
  /** How many tries of a delivery, by its place, are under way or not yet in the file: it knows less than is known here. */
  readonly #ahead = new Map<number, number>();
  /** What was due again has failed: the next one is fresh, so that what keeps failing holds up nobody for longer. */
  #freshFirst = false;

  /**
   * @param lane its place among the lanes
   * @param waits whether the file holds something for it
   */
  constructor(lane: number, outbox: OutboxStore, waits: boolean) {
    this.#lane = lane;
    this.#outbox = outbox;
    this.#more = waits;
    this.#retryAt = waits ? outbox.nextRetryAt(lane) : null;
  }

  /** The file may hold deliveries that were never tried and are not known here. */
  touch(): void {
    this.#more = true;
  }

  /** Nothing was tried for a while: all that is due by now is due alike, and comes in event order. */
  beginAgain(): void {
    this.#due = [];
    this.#retryAt = this.#outbox.nextRetryAt(this.#lane);
    this.#freshFirst = false;
  }

  /** When there is something to try: now, at some time (milliseconds since 1970), or null for nothing that is known of. */
  nextAt(now: number): number | null {
    const inHand = this.#lost.length > 0 || this.#fresh.length > 0 || this.#due.length > 0;
    return inHand || this.#more ? now : this.#retryAt;
  }

  /** The next delivery to try, which is under way from now on. @param page how many are read from the file at once */
  take(now: number, page: number): DeliveryRecord | undefined {
    const delivery = this.#lost.shift() ?? this.#takeInTurn(now, page);
    if (delivery) this.#ahead.set(delivery.seq, (this.#ahead.get(delivery.seq) ?? 0) + 1);
    return delivery;
  }

  #takeInTurn(now: number, page: number): DeliveryRecord | undefined {
    const fresh = this.#freshFirst ? this.#takeFresh(page) : undefined;
    this.#freshFirst = false;
    return fresh ?? this.#takeDue(now, page) ?? this.#takeFresh(page);
  }

  #takeFresh(page: number): DeliveryRecord | undefined {
    if (this.#fresh.length === 0 && this.#more) {
      const found = this.#outbox.untried(this.#lane, this.#read, page);
      this.#more = found.length === page;
      this.#read = found.at(-1)?.seq ?? this.#read;
      this.#fresh = found.reverse();
    }
    return this.#fresh.pop();
  }

  #takeDue(now: number, page: number): DeliveryRecord | undefined {
    if (this.#due.length === 0 && this.#retryAt !== null && this.#retryAt <= now) {
      const limit = page + this.#ahead.size;
      const found = this.#outbox.dueAgain(this.#lane, now, limit);
      this.#retryAt = found.length < limit ? this.#outbox.nextRetryAt(this.#lane, now) : now;
      this.#due = found.filter(({ seq }) => !this.#ahead.has(seq)).reverse();
    }
    return this.#due.pop();
  }

  /** A try ended; what comes of it is not in the file yet. */
  ended(tried: Tried): void {
    const { sent } = tried;
    if (isLost(sent)) this.#lost = [...this.#lost, afterTry(sent.prepared.delivery, tried)].sort(bySeq);
    else if (!isAcknowledged(sent)) this.#freshFirst = sent.prepared.number > 1;
  }

  /** The file knows of a try. */
  recorded({ sent, settlement }: Tried): void {
    const { seq } = sent.prepared.delivery;
    const ahead = (this.#ahead.get(seq) ?? 1) - 1;
    if (ahead > 0) this.#ahead.set(seq, ahead);
    else this.#ahead.delete(seq);
    // What was lost is in hand; the file has it as due for the case that this process ends.
    const at = isLost(sent) ? null : settlement.next_attempt_at;
    if (at !== null && (this.#retryAt === null || at < this.#retryAt)) this.#retryAt = at;
  }
}
