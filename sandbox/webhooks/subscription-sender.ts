import type { Policies } from "../contract/control/policies.ts";
import type { DeliveryRecord } from "../storage/delivery-records.ts";
import { realTime } from "../storage/real-time.ts";
import type { SubscriptionRecord } from "../storage/subscriptions-store.ts";
import type { World } from "../worlds/world.ts";
import { sendingTo, type Ways } from "./listeners.ts";
import { prepare } from "./prepare.ts";
import { attemptOutcome, type Recorder } from "./record.ts";
import type { Schedule } from "./schedule.ts";
import type { Sending, Sent } from "./send.ts";

/** How many positions are read from the file at once, of what is new and of what is due again. */
const PAGE = 64;
/** When it is looked again whether the recorder has room. */
const FULL_MS = 50;
const LONGEST_SLEEP_MS = 60_000;
/** When a file is looked at again that could not be read. */
const UNREADABLE_MS = 1_000;

/** Works in a world that is open while the work lasts; undefined when there is none of that name any more. */
export type WithWorld = <T>(world: string, work: (world: World) => T) => T | undefined;

export interface SendingServices extends Ways {
  readonly look: WithWorld;
  readonly schedule: Schedule;
  readonly onError: (error: unknown) => void;
  /** Learns of every attempt that has ended; left out: nobody counts them. */
  readonly attempted?: ((sent: Sent) => void) | undefined;
  /** Whether what a world holds by now may leave. Left out: it may. */
  readonly mayLeave?: ((world: string) => Promise<boolean>) | undefined;
}

/** finishing: the attempt under way is its last; ended: what comes of that one counts for nothing. */
type Phase = "going" | "paused" | "finishing" | "ended";

interface Ready {
  readonly delivery: DeliveryRecord;
  readonly secret: string;
  readonly retries: Policies["webhook_retries"];
}

/**
 * Sends the deliveries of one subscription, one notification after the other, in event order (D73). It keeps what the file
 * doesn't have yet; a restart begins with the file.
 */
export class SubscriptionSender {
  readonly #world: string;
  readonly #subscription: SubscriptionRecord;
  readonly #services: SendingServices;
  readonly #recorder: Recorder;
  readonly #sender: Sending;
  #phase: Phase;
  #acknowledgedLast: boolean;
  /** Positions of what is due, as read from the file, in the order it is to be sent. */
  #due: number[] = [];
  /** Deliveries that were sent while the file still has them as due. */
  readonly #unrecorded = new Set<number>();
  #wake: () => void = () => undefined;
  readonly #loop: Promise<void>;

  constructor(world: string, subscription: SubscriptionRecord, recorder: Recorder, services: SendingServices) {
    this.#world = world;
    this.#subscription = subscription;
    this.#services = services;
    this.#recorder = recorder;
    this.#sender = sendingTo(world, subscription.url, services);
    this.#acknowledgedLast = subscription.failing_since === null && subscription.last_success_at !== null;
    this.#phase = subscription.paused_at === null ? "going" : "paused";
    this.#loop = this.#run();
  }

  /** Something may be due that was not before. */
  wake(): void {
    this.#wake();
  }

  /** While it is paused what is under way goes on, and nothing more is sent. */
  set paused(paused: boolean) {
    const phase = paused ? "paused" : "going";
    if (this.#phase === phase || this.#phase === "finishing" || this.#phase === "ended") return;
    this.#phase = phase;
    this.#due = [];
    this.#wake();
  }

  /** Sends nothing more. Resolves when the attempt under way has ended and is handed to the recorder. */
  finish(): Promise<void> {
    if (this.#phase !== "ended") this.#phase = "finishing";
    this.#wake();
    return this.#loop;
  }

  /** Ends it with what is under way, as if that had not been sent. */
  end(): void {
    this.#phase = "ended";
    this.#sender.close();
    this.#wake();
  }

  async #run(): Promise<void> {
    // After the answers of the call that woke us have left.
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

  /** After what could not be sent, until the file is looked at again. */
  #rest(): Promise<void> {
    this.#due = [];
    return this.#sleep(this.#services.schedule.clock.now() + UNREADABLE_MS);
  }

  /** Until a moment, or until it is woken. */
  #sleep(until: number | null): Promise<void> {
    return new Promise((resolve) => {
      const ms =
        until === null
          ? LONGEST_SLEEP_MS
          : Math.min(Math.max(until - this.#services.schedule.clock.now(), 1), LONGEST_SLEEP_MS);
      const timer = setTimeout(resolve, ms).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** When there is something to send: now, at some time (milliseconds since 1970), or null for nothing that is known of. */
  #nextAt(now: number): number | null {
    if (this.#recorder.isFull) return now + FULL_MS;
    if (this.#due.length > 0) return now;
    const retryAt = this.#services.look(this.#world, ({ stores: { outbox, credentials } }) => {
      const { seq, integration_id } = this.#subscription;
      // Without the integration's secret nothing can be signed, so its notifications wait.
      if (!credentials.findByIntegration(integration_id)) return null;
      const found = outbox.due(seq, now, PAGE + this.#unrecorded.size);
      this.#due = found.filter((position) => !this.#unrecorded.has(position));
      return outbox.nextRetryAt(seq, now);
    });
    return this.#due.length > 0 ? now : (retryAt ?? null);
  }

  /** The next that is due, with what it needs to be sent; undefined when it no longer waits. */
  #ready(): Ready | undefined {
    const seq = this.#due.shift();
    if (seq === undefined || this.#phase !== "going") return undefined;
    return this.#services.look(this.#world, ({ stores, policies }) => {
      const delivery = stores.outbox.at(seq);
      const secret = stores.credentials.findByIntegration(this.#subscription.integration_id)?.webhook_secret;
      if (delivery?.status !== "pending" || secret === undefined) return undefined;
      return { delivery, secret, retries: policies.webhook_retries };
    });
  }

  #isGoing(): boolean {
    return this.#phase === "going";
  }

  /** One attempt: schedule → prepare → send → record. */
  async #deliver(): Promise<void> {
    const release = await this.#services.schedule.slot(this.#world, this.#acknowledgedLast);
    try {
      const ready = this.#ready();
      if (!ready) return;
      const { mayLeave } = this.#services;
      if (mayLeave && !(await mayLeave(this.#world))) return await this.#rest();
      if (!this.#isGoing()) return;
      const sent = await this.#sender.send(prepare(ready.delivery, ready.secret, realTime()));
      // It is not attempted again before somebody is there.
      if (sent === null) return await this.#rest();
      this.#acknowledgedLast = sent.acknowledged;
      this.#services.attempted?.(sent);
      if (this.#phase !== "ended") void this.#record(sent, ready.retries);
    } finally {
      release();
    }
  }

  async #record(sent: Sent, retries: Ready["retries"]): Promise<void> {
    const endedAt = realTime();
    const { seq } = sent.prepared.delivery;
    this.#unrecorded.add(seq);
    await this.#recorder.add({
      sent,
      outcome: attemptOutcome(sent, retries, endedAt, Math.random(), this.#services.schedule.clock.now()),
      endedAt,
    });
    this.#unrecorded.delete(seq);
    // When it is due again is in the file now.
    this.#wake();
  }
}
