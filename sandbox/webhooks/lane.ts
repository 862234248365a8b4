import type { Standing } from "../storage/subscriptions-store.ts";
import type { World } from "../worlds/world.ts";
import { Connection, type Outcome } from "./connection.ts";
import { LaneQueue } from "./lane-queue.ts";
import { Pace } from "./pace.ts";
import { type Address, addressOf, type Prepared, prepare, requestBytes } from "./prepare.ts";
import { isAcknowledged, settlementOf, type Tried } from "./record.ts";
import type { Recorder } from "./recorder.ts";
import { sentOf } from "./send.ts";
import type { Manner } from "./slots.ts";
import type { Watch } from "./watch.ts";

/** What a lane works with. */
export interface LaneServices {
  readonly world: World;
  readonly recorder: Recorder;
  readonly watch: Watch;
  /** Whether an address a receiver's name resolved to may be connected to. */
  readonly allows: (address: string) => boolean;
  /** Tries of the lane ended: it may send again. */
  readonly moved: (lane: Lane) => void;
}

/** One subscription: what waits for it, its connection, and how many notifications may be under way on that. */
export class Lane {
  readonly world: World;
  readonly subscriptionId: string;
  readonly #integrationId: string;
  readonly #services: LaneServices;
  readonly #address: Address;
  readonly #queue: LaneQueue;
  readonly #connection: Connection<Prepared>;
  readonly #pace = new Pace();
  #manner: Manner;
  /** Set by whoever starts it at its time. */
  timer: NodeJS.Timeout | null = null;
  #paused = false;

  constructor(standing: Standing, services: LaneServices) {
    this.world = services.world;
    this.subscriptionId = standing.id;
    this.#integrationId = standing.integration_id;
    this.#services = services;
    // Before the last start it may have hung: only who is known to acknowledge is trusted.
    this.#manner = standing.last_success_at !== null && standing.consecutive_failures === 0 ? "answers" : "unknown";
    this.#address = addressOf(standing.url);
    this.#queue = new LaneQueue(standing.lane, services.world.stores.outbox, standing.pending > 0);
    this.#connection = new Connection<Prepared>(this.#address.target, services.allows, {
      ended: (prepared, outcome) => this.#ended(prepared, outcome),
      settled: () => services.moved(this),
    });
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Whether nothing is sent, whatever waits. */
  set paused(paused: boolean) {
    if (this.#paused && !paused) this.#queue.beginAgain();
    this.#paused = paused;
  }

  /** How its receiver behaved when it was last asked. */
  get manner(): Manner {
    return this.#manner;
  }

  get underWay(): number {
    return this.#connection.underWay;
  }

  /** Whether so much of its world is not written down yet that nothing more should be sent. */
  get heldUp(): boolean {
    return this.#services.recorder.full;
  }

  /** The file may hold deliveries that are not known here. */
  touch(): void {
    this.#queue.touch();
  }

  /** What an integration that is not known here is notified of cannot be signed, and waits. */
  #secret(): string | null {
    return this.world.stores.credentials.byIntegration(this.#integrationId)?.webhook_secret ?? null;
  }

  /** When there is something to send: now, at some time (milliseconds since 1970), or null for nothing that is known of. */
  nextAt(now: number): number | null {
    return this.#paused || this.#secret() === null ? null : this.#queue.nextAt(now);
  }

  /**
   * Sends as many as may be under way.
   *
   * @param page how many are read from the file at once
   * @param most how many may leave now
   * @returns how many left, and for how long the first of them had waited for its first try, in milliseconds
   */
  send(page: number, most: number): { readonly count: number; readonly lagMs: number } {
    const none = { count: 0, lagMs: 0 };
    const secret = this.#secret();
    if (this.#paused || secret === null || this.heldUp) return none;
    if (!this.#pace.keeps || this.#connection.wornOut(performance.now())) {
      if (this.underWay > 0) return none;
      this.#connection.close();
    }
    const now = Date.now();
    const prepared: Prepared[] = [];
    const many = Math.min(most, this.#pace.window - this.underWay);
    while (prepared.length < many) {
      const delivery = this.#queue.take(now, page);
      if (!delivery) break;
      prepared.push(prepare(delivery, secret, now, this.#address.host));
    }
    const [first] = prepared;
    if (first === undefined) return none;
    const requests = prepared.map((one) => requestBytes(this.#address.path, one));
    this.#connection.send(prepared, Buffer.concat(requests));
    this.#services.watch.add(this.#connection);
    const { attempts_made, created_at } = first.delivery;
    return { count: prepared.length, lagMs: attempts_made === 0 ? now - created_at : 0 };
  }

  #ended(prepared: Prepared, outcome: Outcome): void {
    const sent = sentOf(prepared, outcome);
    const endedAt = Date.now();
    const settlement = settlementOf(sent, this.world.policies.webhook_retries, endedAt, Math.random());
    const tried: Tried = { sent, settlement, endedAt };
    this.#manner = outcome.timedOut ? "hangs" : "answers";
    if (sent.lost) this.#pace.lost();
    else this.#pace.ended({ acknowledged: isAcknowledged(sent), durationMs: sent.durationMs });
    this.#queue.ended(tried);
    this.#services.recorder.add(tried);
  }

  /** The file knows of a try of this lane. */
  recorded(tried: Tried): void {
    this.#queue.recorded(tried);
  }

  /** Ends it. What is under way is not told of. */
  close(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.#connection.close();
    this.#services.watch.remove(this.#connection);
  }
}
