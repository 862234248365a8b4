import type { DeliveryRecord } from "../storage/delivery-records.ts";
import type { OutboxStore } from "../storage/outbox-store.ts";

/** How many deliveries are read from the file at once. */
const PAGE = 64;

/**
 * What waits for one subscription, in the order it is to be sent (D73): read page by page, so that a backlog of any
 * length costs no more memory than a page. What was sent and is not recorded yet is known here alone.
 */
export class Outbox {
  readonly #subscription: number;
  readonly #store: OutboxStore;
  /** Never attempted, in event order; the file has more after `#read` if `#more` says so. */
  #fresh: DeliveryRecord[] = [];
  #read = 0;
  #more: boolean;
  /** Due again, in event order; the file has more from `#retryAt` on, unless that is null. */
  #retries: DeliveryRecord[] = [];
  #retryAt: number | null;
  /** What the file still holds as due. */
  readonly #unrecorded = new Set<number>();
  /** A retry has failed: something that was never attempted goes first, so that what keeps failing holds up nobody. */
  #freshFirst = false;

  /** @param subscription its `seq` @param waits whether the file holds something for it */
  constructor(subscription: number, store: OutboxStore, waits: boolean) {
    this.#subscription = subscription;
    this.#store = store;
    this.#more = waits;
    this.#retryAt = waits ? store.nextRetryAt(subscription) : null;
  }

  /** The file may hold deliveries that were never attempted and are not known here. */
  queued(): void {
    this.#more = true;
  }

  /** Other times may be due now than before. */
  rescheduled(): void {
    this.#retries = [];
    this.#retryAt = this.#store.nextRetryAt(this.#subscription);
    this.#freshFirst = false;
  }

  /** When there is something to send: now, at some time (milliseconds since 1970), or null for nothing that is known of. */
  nextAt(now: number): number | null {
    return this.#fresh.length > 0 || this.#retries.length > 0 || this.#more ? now : this.#retryAt;
  }

  /** The next delivery to send, which is under way from now on. */
  next(now: number): DeliveryRecord | undefined {
    if (this.#fresh.length === 0 && this.#more) this.#readFresh();
    if (this.#retries.length === 0 && this.#retryAt !== null && this.#retryAt <= now) this.#readRetries(now);
    const [fresh, retry] = [this.#fresh[0], this.#retries[0]];
    const isFresh = fresh && (this.#freshFirst || !retry || fresh.seq < retry.seq);
    const delivery = isFresh ? this.#fresh.shift() : this.#retries.shift();
    if (delivery) this.#unrecorded.add(delivery.seq);
    return delivery;
  }

  #readFresh(): void {
    this.#fresh = this.#store.neverAttempted(this.#subscription, this.#read, PAGE);
    this.#more = this.#fresh.length === PAGE;
    this.#read = this.#fresh.at(-1)?.seq ?? this.#read;
  }

  #readRetries(now: number): void {
    const limit = PAGE + this.#unrecorded.size;
    const found = this.#store.dueAgain(this.#subscription, now, limit);
    this.#retryAt = found.length < limit ? this.#store.nextRetryAt(this.#subscription, now) : now;
    this.#retries = found.filter(({ seq }) => !this.#unrecorded.has(seq));
  }

  /** An attempt ended; what comes of it is not in the file yet. */
  ended({ attempts_made }: DeliveryRecord, acknowledged: boolean): void {
    this.#freshFirst = !acknowledged && attempts_made > 0;
  }

  /** The file knows of an attempt. @param nextAt when the next one is due */
  recorded({ seq }: DeliveryRecord, nextAt: number | null): void {
    this.#unrecorded.delete(seq);
    if (nextAt !== null && (this.#retryAt === null || nextAt < this.#retryAt)) this.#retryAt = nextAt;
  }
}
