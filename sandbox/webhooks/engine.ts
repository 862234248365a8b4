import type { World } from "../worlds/world.ts";
import { Listeners } from "./listeners.ts";
import { type Attempted, Recorder, record } from "./record.ts";
import { Schedule } from "./schedule.ts";
import { type SendingServices, SubscriptionSender } from "./subscription-sender.ts";

/** When a file is looked at again that could not be read. */
const UNREADABLE_MS = 1_000;
/** How long a stop waits for answers that are on their way. */
const STOP_MS = 500;

export interface EngineOptions extends Omit<SendingServices, "schedule" | "listeners"> {
  /** False: notifications stay visible as pending and nothing is sent. */
  readonly enabled: boolean;
  /** Is told of an attempt that failed, once it is on record. */
  readonly failed?: ((world: World, attempted: Attempted) => void) | undefined;
}

type Named = Pick<World, "name">;

interface DeliveringWorld {
  readonly name: string;
  readonly recorder: Recorder;
  /** By the subscription's id. */
  readonly senders: Map<string, SubscriptionSender>;
  /** Of the subscriptions, when they were last read. */
  version: number;
  /** Whether somebody is about to look for what is new. */
  looking: boolean;
}

/**
 * Delivers what the outboxes of worlds hold, at least once: subscription-sender → schedule → prepare → send → record → health.
 * The files have the truth; a restart goes on from them, and an attempt that was under way or not yet recorded is sent
 * again. Worlds are known by name, and opened for the moment of a read or a write.
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
   * Looks for deliveries of a world. Call after a commit that queued some or changed subscriptions, when it opens, and
   * when it is gone.
   */
  wake({ name }: Named): void {
    if (this.#stopped || !this.#options.enabled) return;
    const known = this.#worlds.get(name) ?? this.#add(name);
    if (known.looking) return;
    known.looking = true;
    // After the answers of the call that woke us have left: a receiver never delays its originator.
    setImmediate(() => this.#look(known));
  }

  #add(name: string): DeliveringWorld {
    const { look, onError, failed } = this.#options;
    const write = async (attempts: Parameters<typeof record>[1]): Promise<void> => {
      await look(name, async (world) => {
        const kept = await record(world, attempts);
        for (const one of kept) if (!one.sent.acknowledged) failed?.(world, one);
      });
      // The outcome of these attempts may have paused the subscription.
      this.wake({ name });
    };
    const recorder = new Recorder(write, onError);
    const known: DeliveringWorld = { name, recorder, senders: new Map(), version: -1, looking: false };
    this.#worlds.set(name, known);
    return known;
  }

  #look(known: DeliveringWorld): void {
    known.looking = false;
    if (this.#stopped) return;
    try {
      const isThere = this.#options.look(known.name, (world) => {
        if (known.version !== world.stores.subscriptions.version) this.#refresh(known, world);
        for (const id of world.stores.outbox.clearTouched()) known.senders.get(id)?.wake();
        return true;
      });
      if (isThere && known.senders.size > 0) return;
    } catch (error) {
      this.#options.onError(error);
      setTimeout(() => this.wake(known), UNREADABLE_MS).unref();
      return;
    }
    for (const sender of known.senders.values()) sender.end();
    this.#worlds.delete(known.name);
  }

  /** Begins, ends and pauses as the subscriptions of the file are now. */
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
    // Not before: where the file cannot be read, all of it is read again.
    known.version = version;
  }

  /** A laptop came or went: what waits for it is sent, or waits. */
  listenersChanged(world: World): void {
    world.stores.subscriptions.clearCache();
    this.wake(world);
  }

  /** Resolves when the attempts that have ended in a world by now are written down. */
  async written({ name }: Named): Promise<void> {
    await this.#worlds.get(name)?.recorder.flush();
  }

  /** Waits a moment for the answers that are on their way, and writes them down; the rest stays pending in the files. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
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
