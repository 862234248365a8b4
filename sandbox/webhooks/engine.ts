import type { World } from "../worlds/world.ts";
import { Listeners } from "./listeners.ts";
import { type FinishedAttempt, Recorder, recordAttempts } from "./record.ts";
import { Schedule } from "./schedule.ts";
import { type SendingServices, SubscriptionSender } from "./subscription-sender.ts";

/** Wait before an unreadable file is read again. */
const UNREADABLE_MS = 1_000;
/** Wait for outstanding responses on a stop. */
const STOP_MS = 500;

export interface EngineOptions extends Omit<SendingServices, "schedule" | "listeners"> {
  /** False keeps notifications pending and visible, and sends nothing. */
  readonly enabled: boolean;
  /** Called for a failed attempt, once it is recorded. */
  readonly failed?: ((world: World, attempted: FinishedAttempt) => void) | undefined;
}

type WithName = Pick<World, "name">;

interface DeliveringWorld {
  readonly name: string;
  readonly recorder: Recorder;
  /** By subscription ID. */
  readonly senders: Map<string, SubscriptionSender>;
  /** Version of the subscriptions at the last read; null before it. */
  version: number | null;
  /** True if a check for new deliveries is scheduled. */
  isScheduled: boolean;
}

/**
 * Delivers the outboxes of all worlds at least once: subscription-sender → schedule → prepare → send → record → health.
 * State lives in the files: a restart continues from them, and repeats attempts that weren't recorded. Worlds are known
 * by name, and leased only for a read or a write.
 */
export class DeliveryEngine {
  /** Developer machines that receive over a stream. */
  readonly listeners = new Listeners();
  readonly #options: EngineOptions;
  readonly #services: SendingServices;
  readonly #worlds = new Map<string, DeliveringWorld>();
  #stopped = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#services = { ...options, schedule: new Schedule(), listeners: this.listeners };
  }

  /**
   * Checks a world for deliveries. Call when it opens or is deleted, and after a commit that queued deliveries or
   * changed subscriptions.
   */
  wake({ name }: WithName): void {
    if (this.#stopped || !this.#options.enabled) return;
    const known = this.#worlds.get(name) ?? this.#add(name);
    if (known.isScheduled) return;
    known.isScheduled = true;
    // Runs after the call's response was sent, so a receiver never delays it.
    setImmediate(() => this.#checkDue(known));
  }

  #add(name: string): DeliveringWorld {
    const { withWorld, onError, failed } = this.#options;
    const write = async (attempts: Parameters<typeof recordAttempts>[1]): Promise<void> => {
      await withWorld(name, async (world) => {
        const recorded = await recordAttempts(world, attempts);
        for (const one of recorded) if (!one.sent.acknowledged) failed?.(world, one);
      });
      // The results may have paused the subscription.
      this.wake({ name });
    };
    const recorder = new Recorder(write, onError);
    const known: DeliveringWorld = { name, recorder, senders: new Map(), version: null, isScheduled: false };
    this.#worlds.set(name, known);
    return known;
  }

  #checkDue(known: DeliveringWorld): void {
    known.isScheduled = false;
    if (this.#stopped) return;
    try {
      const exists = this.#options.withWorld(known.name, (world) => {
        if (known.version !== world.stores.subscriptions.version) this.#refresh(known, world);
        for (const id of world.stores.outbox.clearTouched()) known.senders.get(id)?.wake();
        return true;
      });
      if (exists && known.senders.size > 0) return;
    } catch (error) {
      this.#options.onError(error);
      setTimeout(() => this.wake(known), UNREADABLE_MS).unref();
      return;
    }
    for (const sender of known.senders.values()) sender.end();
    this.#worlds.delete(known.name);
  }

  /** Starts, ends and pauses senders to match the stored subscriptions. */
  #refresh(known: DeliveringWorld, { stores: { subscriptions } }: World): void {
    const { name, recorder, senders } = known;
    const { version } = subscriptions;
    const listed = new Map(subscriptions.list().map((one) => [one.id, one]));
    for (const [id, sender] of senders) {
      if (listed.has(id)) continue;
      sender.end();
      senders.delete(id);
    }
    for (const [id, one] of listed) {
      const sender = senders.get(id) ?? new SubscriptionSender(name, one, recorder, this.#services);
      senders.set(id, sender);
      sender.paused = one.paused_at !== null || this.#services.listeners.isAway(name, one.url);
      sender.wake();
    }
    // Updated last: if the file can't be read, everything is read again.
    known.version = version;
  }

  /** A developer machine connected or disconnected, which starts or stops its deliveries. */
  listenersChanged(world: World): void {
    world.stores.subscriptions.clearCache();
    this.wake(world);
  }

  /** Resolves when all finished attempts of a world are recorded. */
  async written({ name }: WithName): Promise<void> {
    await this.#worlds.get(name)?.recorder.flush();
  }

  /** Waits briefly for outstanding responses and records them. Other deliveries stay pending in the files. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const worlds = [...this.#worlds.values()];
    const senders = worlds.flatMap((known) => [...known.senders.values()]);
    const finished = Promise.all(senders.map((sender) => sender.finish()));
    await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, STOP_MS))]);
    for (const sender of senders) sender.end();
    for (const { recorder } of worlds) await recorder.flush();
    this.#worlds.clear();
  }
}
