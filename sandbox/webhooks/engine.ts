import type { World } from "../worlds/world.ts";
import { prepare } from "./prepare.ts";
import { record } from "./record.ts";
import { createSender, type Sender } from "./send.ts";

/** How many tries are under way at once, over all worlds; a subscription has at most one. */
const MOST_IN_FLIGHT = 64;
const LONGEST_SLEEP_MS = 60_000;

interface Lanes {
  /** Subscriptions with a try under way: the next of theirs waits, so that each receives in event order (D73). */
  readonly busy: Set<string>;
  timer: NodeJS.Timeout | null;
}

export interface EngineOptions {
  /** False: notifications stay visible as pending and nothing is sent. */
  readonly enabled: boolean;
  /** Whether an address a receiver's name resolved to may be connected to. */
  readonly allows: (address: string) => boolean;
  readonly onError: (error: unknown) => void;
}

/**
 * Delivers what the outboxes hold, at least once: prepared → sent → recorded. All state is in the files; a restart
 * goes on where they say, and what was under way is tried again.
 */
export class DeliveryEngine {
  readonly #options: EngineOptions;
  readonly #sender: Sender;
  readonly #lanes = new Map<World, Lanes>();
  readonly #abort = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #stopped = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#sender = createSender(options.allows);
  }

  /** Looks for due deliveries of a world, now. Call after a commit that queued some, and when a world opens. */
  wake(world: World): void {
    if (this.#stopped || !this.#options.enabled) return;
    const lanes = this.#lanes.get(world) ?? { busy: new Set<string>(), timer: null };
    this.#lanes.set(world, lanes);
    if (lanes.timer) clearTimeout(lanes.timer);
    // After the answers of the call that woke us have left: a consumer never delays its originator.
    lanes.timer = setTimeout(() => this.#pump(world, lanes), 0);
  }

  /** A world was reset or closed: nothing more is due in it. */
  forget(world: World): void {
    const lanes = this.#lanes.get(world);
    if (lanes?.timer) clearTimeout(lanes.timer);
    this.#lanes.delete(world);
  }

  #pump(world: World, lanes: Lanes): void {
    lanes.timer = null;
    if (this.#stopped) return;
    if (world.closed) {
      this.forget(world);
      return;
    }
    const room = MOST_IN_FLIGHT - this.#running.size;
    if (room > 0) {
      for (const delivery of world.stores.outbox.due(Date.now(), lanes.busy, room)) {
        lanes.busy.add(delivery.subscription_id);
        const run = this.#deliver(world, delivery)
          .catch(this.#options.onError)
          .finally(() => {
            lanes.busy.delete(delivery.subscription_id);
            this.#running.delete(run);
            this.#pumpAll();
          });
        this.#running.add(run);
      }
    }
    this.#sleep(world, lanes);
  }

  /** A slot is free: every world may use it, in turn. */
  #pumpAll(): void {
    if (this.#stopped) return;
    for (const [world, lanes] of this.#lanes) {
      if (lanes.timer) clearTimeout(lanes.timer);
      this.#pump(world, lanes);
    }
  }

  #sleep(world: World, lanes: Lanes): void {
    const due = world.stores.outbox.nextDueAt();
    if (due === null) return;
    const wait = Math.min(Math.max(due - Date.now(), lanes.busy.size > 0 ? 250 : 5), LONGEST_SLEEP_MS);
    lanes.timer = setTimeout(() => this.#pump(world, lanes), wait);
    lanes.timer.unref();
  }

  async #deliver(world: World, delivery: Parameters<typeof prepare>[0]): Promise<void> {
    const credential = world.stores.credentials.byIntegration(delivery.integration_id);
    if (!credential) return;
    const sent = await this.#sender.send(prepare(delivery, credential.webhook_secret, Date.now()), this.#abort.signal);
    // Ended by a stop: unrecorded, so that the next start tries it again.
    if (this.#stopped || world.closed) return;
    await record(world, sent);
  }

  /** Ends what is under way; it stays pending in the files. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    for (const lanes of this.#lanes.values()) if (lanes.timer) clearTimeout(lanes.timer);
    this.#abort.abort();
    await Promise.allSettled(this.#running);
    await this.#sender.close();
  }
}
