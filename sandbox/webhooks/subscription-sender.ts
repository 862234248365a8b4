import type { Policies } from "../contract/control/policies.ts";
import type { DeliveryRecord } from "../storage/delivery-records.ts";
import { realTime } from "../storage/real-time.ts";
import type { SubscriptionRecord } from "../storage/subscriptions-store.ts";
import type { World } from "../worlds/world.ts";
import { createSender, type SenderOptions } from "./listeners.ts";
import { prepare } from "./prepare.ts";
import { createOutcome, type Recorder } from "./record.ts";
import type { Schedule } from "./schedule.ts";
import type { Sending, SentAttempt } from "./send.ts";

/** Deliveries read at once, for new and for retried ones each. */
const PAGE_DELIVERIES = 64;
/** Wait before a full recorder is checked again. */
const FULL_MS = 50;
const MAX_SLEEP_MS = 60_000;
/** Wait before an unreadable file is read again. */
const UNREADABLE_MS = 1_000;

/** Runs work in an open world; undefined if it no longer exists. */
export type WithWorld = <T>(world: string, work: (world: World) => T) => T | undefined;

export interface SendingServices extends SenderOptions {
  readonly withWorld: WithWorld;
  readonly schedule: Schedule;
  readonly onError: (error: unknown) => void;
  /** Called after each attempt. */
  readonly attempted?: ((sent: SentAttempt) => void) | undefined;
  /** Checks whether the world's current content may be sent. Always by default. */
  readonly mayLeave?: ((world: string) => Promise<boolean>) | undefined;
}

/** finishing: the running attempt is the last; ended: its result is ignored. */
type Phase = "going" | "paused" | "finishing" | "ended";

interface Ready {
  readonly delivery: DeliveryRecord;
  readonly secret: string;
  readonly retries: Policies["webhook_retries"];
}

/**
 * Sends a subscription's deliveries one by one, in event order (D73). Keeps only unrecorded state, so a restart begins
 * with the file.
 */
export class SubscriptionSender {
  readonly #world: string;
  readonly #subscription: SubscriptionRecord;
  readonly #services: SendingServices;
  readonly #recorder: Recorder;
  readonly #sender: Sending;
  #phase: Phase;
  #acknowledgedLast: boolean;
  /** `seq` of due deliveries read from the file, in sending order. */
  #due: number[] = [];
  /** Deliveries already sent but not yet recorded. */
  readonly #unrecorded = new Set<number>();
  #wake: () => void = () => undefined;
  readonly #loop: Promise<void>;

  constructor(world: string, subscription: SubscriptionRecord, recorder: Recorder, services: SendingServices) {
    this.#world = world;
    this.#subscription = subscription;
    this.#services = services;
    this.#recorder = recorder;
    this.#sender = createSender(world, subscription.url, services);
    this.#acknowledgedLast = subscription.failing_since === null && subscription.last_success_at !== null;
    this.#phase = subscription.paused_at === null ? "going" : "paused";
    this.#loop = this.#run();
  }

  /** Checks for newly due deliveries. */
  wake(): void {
    this.#wake();
  }

  /** Pausing lets the running attempt finish and starts no other. */
  set paused(paused: boolean) {
    const phase = paused ? "paused" : "going";
    if (this.#phase === phase || this.#phase === "finishing" || this.#phase === "ended") return;
    this.#phase = phase;
    this.#due = [];
    this.#wake();
  }

  /** Starts no further attempt. Resolves when the running one has ended and reached the recorder. */
  finish(): Promise<void> {
    if (this.#phase !== "ended") this.#phase = "finishing";
    this.#wake();
    return this.#loop;
  }

  /** Aborts, ignoring the running attempt. */
  end(): void {
    this.#phase = "ended";
    this.#sender.close();
    this.#wake();
  }

  async #run(): Promise<void> {
    // Runs after the waking call's response was sent.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#phase === "going" || this.#phase === "paused") {
      try {
        const until = this.#phase === "paused" ? null : this.#nextAt(this.#services.schedule.clock.now());
        if (until === null || until > this.#services.schedule.clock.now()) await this.#sleep(until);
        else await this.#deliver();
      } catch (error) {
        this.#services.onError(error);
        await this.#rest();
      }
    }
  }

  /** Waits before the file is read again. */
  #rest(): Promise<void> {
    this.#due = [];
    return this.#sleep(this.#services.schedule.clock.now() + UNREADABLE_MS);
  }

  /** Waits until a time or a wake-up. */
  #sleep(until: number | null): Promise<void> {
    return new Promise((resolve) => {
      const ms =
        until === null
          ? MAX_SLEEP_MS
          : Math.min(Math.max(until - this.#services.schedule.clock.now(), 1), MAX_SLEEP_MS);
      const timer = setTimeout(resolve, ms).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Time of the next delivery, in milliseconds since 1970: now, later, or null if none is known. */
  #nextAt(now: number): number | null {
    if (this.#recorder.isFull) return now + FULL_MS;
    if (this.#due.length > 0) return now;
    const retryAt = this.#services.withWorld(this.#world, ({ stores: { outbox, credentials } }) => {
      const { seq, integration_id } = this.#subscription;
      // Nothing can be signed without the integration's secret, so its notifications wait.
      if (!credentials.findByIntegration(integration_id)) return null;
      const found = outbox.due(seq, now, PAGE_DELIVERIES + this.#unrecorded.size);
      this.#due = found.filter((position) => !this.#unrecorded.has(position));
      return outbox.nextRetryAt(seq, now);
    });
    return this.#due.length > 0 ? now : (retryAt ?? null);
  }

  /** Next due delivery with its secret; undefined if it no longer waits. */
  #ready(): Ready | undefined {
    const seq = this.#due.shift();
    if (seq === undefined || this.#phase !== "going") return undefined;
    return this.#services.withWorld(this.#world, ({ stores, policies }) => {
      const delivery = stores.outbox.at(seq);
      const secret = stores.credentials.findByIntegration(this.#subscription.integration_id)?.webhook_secret;
      if (delivery?.status !== "pending" || secret === undefined) return undefined;
      return { delivery, secret, retries: policies.webhook_retries };
    });
  }

  #isGoing(): boolean {
    return this.#phase === "going";
  }

  /** Runs one attempt: schedule → prepare → send → record. */
  async #deliver(): Promise<void> {
    const release = await this.#services.schedule.slot(this.#world, this.#acknowledgedLast);
    try {
      const ready = this.#ready();
      if (!ready) return;
      const { mayLeave } = this.#services;
      if (mayLeave && !(await mayLeave(this.#world))) return await this.#rest();
      if (!this.#isGoing()) return;
      const sent = await this.#sender.send(prepare(ready.delivery, ready.secret, realTime()));
      // Waits until a machine is connected.
      if (sent === null) return await this.#rest();
      this.#acknowledgedLast = sent.acknowledged;
      this.#services.attempted?.(sent);
      if (this.#phase !== "ended") void this.#record(sent, ready.retries);
    } finally {
      release();
    }
  }

  async #record(sent: SentAttempt, retries: Ready["retries"]): Promise<void> {
    const endedAt = realTime();
    const { seq } = sent.prepared.delivery;
    this.#unrecorded.add(seq);
    await this.#recorder.add({
      sent,
      outcome: createOutcome(sent, retries, endedAt, Math.random(), this.#services.schedule.clock.now()),
      endedAt,
    });
    this.#unrecorded.delete(seq);
    // The next due time is in the file now.
    this.#wake();
  }
}
