import type { SubscriptionRecord } from "../storage/subscriptions-store.ts";
import type { World } from "../worlds/world.ts";
import { Outbox } from "./outbox.ts";
import { prepare } from "./prepare.ts";
import { type Attempted, outcomeOf, Recorder } from "./record.ts";
import { type LastAttempt, Schedule } from "./schedule.ts";
import { type Reach, Sender, type Sent } from "./send.ts";

const LONGEST_SLEEP_MS = 60_000;
/** When a file is looked at again that could not be read. */
const UNREADABLE_MS = 1_000;
/** How long a stop waits for answers that are on their way. */
const STOP_MS = 500;

export interface EngineOptions extends Reach {
  /** False: notifications stay visible as pending and nothing is sent. */
  readonly enabled: boolean;
  readonly onError: (error: unknown) => void;
}

/** A subscription that is delivered to. */
interface Delivering {
  readonly world: World;
  readonly integrationId: string;
  readonly outbox: Outbox;
  readonly sender: Sender;
  paused: boolean;
  lastAttempt: LastAttempt;
  underWay: boolean;
  ended: boolean;
  timer: NodeJS.Timeout | null;
}

interface DeliveringWorld {
  readonly world: World;
  readonly recorder: Recorder;
  /** By the subscription's id. */
  readonly subscriptions: Map<string, Delivering>;
  /** Of the subscriptions, when they were last read. */
  version: number;
  /** Whether somebody is about to look for what is new. */
  looking: boolean;
  /** Whether subscriptions wait until more of their attempts is written down. */
  heldUp: boolean;
}

/**
 * Delivers what the outboxes hold, at least once: outbox → schedule → prepare → send → record → health. What counts is in
 * the files; a restart goes on where they say, and what was under way or not yet recorded is sent again.
 */
export class DeliveryEngine {
  readonly #options: EngineOptions;
  readonly #worlds = new Map<World, DeliveringWorld>();
  readonly #schedule = new Schedule<Delivering>((one) => this.#send(one));
  #stopped = false;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** Looks for deliveries of a world. Call after a commit that queued some or changed subscriptions, and when it opens. */
  wake(world: World): void {
    if (this.#stopped || !this.#options.enabled) return;
    const known = this.#worlds.get(world) ?? this.#add(world);
    if (known.looking) return;
    known.looking = true;
    // After the answers of the call that woke us have left: a receiver never delays its originator.
    setImmediate(() => this.#look(known));
  }

  #add(world: World): DeliveringWorld {
    for (const known of [...this.#worlds.values()]) this.#isOver(known);
    const recorder = new Recorder(world, {
      recorded: (attempts) => this.#recorded(known, attempts),
      onError: this.#options.onError,
    });
    const known: DeliveringWorld = {
      world,
      recorder,
      subscriptions: new Map(),
      version: -1,
      looking: false,
      heldUp: false,
    };
    this.#worlds.set(world, known);
    return known;
  }

  /** Whether a world was reset, deleted or closed: nothing more is due in it. */
  #isOver(known: DeliveringWorld): boolean {
    if (!known.world.closed) return false;
    for (const id of [...known.subscriptions.keys()]) this.#end(known, id);
    this.#worlds.delete(known.world);
    return true;
  }

  #end(known: DeliveringWorld, id: string): void {
    const one = known.subscriptions.get(id);
    if (!one) return;
    known.subscriptions.delete(id);
    one.ended = true;
    if (one.timer) clearTimeout(one.timer);
    one.sender.close();
    this.#schedule.done(one);
  }

  #look(known: DeliveringWorld): void {
    known.looking = false;
    if (this.#stopped || this.#isOver(known)) return;
    try {
      if (known.version !== known.world.stores.subscriptions.version) this.#refresh(known);
    } catch (error) {
      this.#options.onError(error);
      setTimeout(() => this.wake(known.world), UNREADABLE_MS).unref();
      return;
    }
    for (const id of known.world.stores.outbox.clearTouched()) {
      const one = known.subscriptions.get(id);
      one?.outbox.queued();
      if (one) this.#continue(one);
    }
    if (known.subscriptions.size === 0) this.#worlds.delete(known.world);
  }

  /** Begins, ends and pauses as the subscriptions are now. */
  #refresh(known: DeliveringWorld): void {
    const { subscriptions } = known.world.stores;
    const { version } = subscriptions;
    const listed = subscriptions.list();
    const ids = new Set(listed.map(({ id }) => id));
    for (const id of [...known.subscriptions.keys()]) if (!ids.has(id)) this.#end(known, id);
    for (const record of listed) {
      const one = known.subscriptions.get(record.id) ?? this.#begin(known.world, record);
      known.subscriptions.set(record.id, one);
      if (one.paused && record.paused_at === null) one.outbox.rescheduled();
      one.paused = record.paused_at !== null;
      this.#continue(one);
    }
    // Not before: where the file cannot be read, all of it is read again.
    known.version = version;
  }

  #begin(world: World, record: SubscriptionRecord): Delivering {
    const { seq, integration_id, url, pending, failing_since, last_success_at } = record;
    return {
      ...{
        world,
        integrationId: integration_id,
        paused: false,
        lastAttempt: failing_since !== null ? "failed" : last_success_at !== null ? "acknowledged" : "none",
        underWay: false,
        ended: false,
        timer: null,
      },
      outbox: new Outbox(seq, world.stores.outbox, pending > 0),
      sender: new Sender(url, this.#options),
    };
  }

  /** Lets a subscription wait for a slot when it has something to send, or for the time when it will have. */
  #continue(one: Delivering): void {
    if (one.underWay || one.paused || one.ended || this.#stopped) return;
    const now = Date.now();
    const at = one.outbox.nextAt(now);
    if (at === null) return;
    if (at <= now) this.#schedule.add(one);
    else this.#continueAt(one, at);
  }

  #continueAt(one: Delivering, at: number): void {
    if (one.timer) clearTimeout(one.timer);
    const wait = Math.min(Math.max(at - Date.now(), 1), LONGEST_SLEEP_MS);
    one.timer = setTimeout(() => this.#continue(one), wait);
    one.timer.unref();
  }

  /** Sends the next notification of a subscription that holds a slot. */
  #send(one: Delivering): void {
    let attempt: Promise<Sent> | undefined;
    try {
      attempt = this.#attempt(one);
    } catch (error) {
      this.#options.onError(error);
      this.#continueAt(one, Date.now() + UNREADABLE_MS);
    }
    if (attempt === undefined) {
      this.#schedule.done(one);
      return;
    }
    one.underWay = true;
    void attempt.then((sent) => this.#sent(one, sent));
  }

  #attempt(one: Delivering): Promise<Sent> | undefined {
    const { world, integrationId, outbox, sender } = one;
    const known = this.#worlds.get(world);
    if (this.#stopped || one.paused || world.closed || !known) return undefined;
    known.heldUp ||= known.recorder.full;
    if (known.heldUp) return undefined;
    // What an integration that is not known here is notified of cannot be signed, and waits.
    const secret = world.stores.credentials.byIntegration(integrationId)?.webhook_secret;
    const now = Date.now();
    const delivery = secret === undefined ? undefined : outbox.next(now);
    if (secret === undefined || delivery === undefined) return undefined;
    return sender.send(prepare(delivery, secret, now));
  }

  #sent(one: Delivering, sent: Sent): void {
    one.underWay = false;
    one.lastAttempt = sent.acknowledged ? "acknowledged" : sent.overdue ? "overdue" : "failed";
    const recorder = this.#worlds.get(one.world)?.recorder;
    // Its subscription or its world has ended, or it was cut off by a stop: then it is as if it had not been sent.
    if (!one.ended && !one.world.closed && recorder && !(this.#stopped && !sent.acknowledged)) {
      const endedAt = Date.now();
      const outcome = outcomeOf(sent, one.world.policies.webhook_retries, endedAt, Math.random());
      one.outbox.ended(sent.prepared.delivery, sent.acknowledged);
      recorder.add({ sent, outcome, endedAt });
    }
    this.#schedule.done(one);
    this.#continue(one);
  }

  #recorded(known: DeliveringWorld, attempts: readonly Attempted[]): void {
    const goOn = new Set<Delivering>();
    for (const { sent, outcome } of attempts) {
      const { delivery } = sent.prepared;
      const one = known.subscriptions.get(delivery.subscription_id);
      one?.outbox.recorded(delivery, outcome.next_attempt_at);
      if (one && outcome.next_attempt_at !== null) goOn.add(one);
    }
    const released = known.heldUp && !known.recorder.full;
    if (released) known.heldUp = false;
    for (const one of released ? known.subscriptions.values() : goOn) this.#continue(one);
    // What the attempts say of an address may have paused it.
    if (known.version !== known.world.stores.subscriptions.version) this.wake(known.world);
  }

  /** Resolves when the attempts that have ended in a world by now are written down. */
  async written(world: World): Promise<void> {
    await this.#worlds.get(world)?.recorder.flush();
  }

  /** Waits a moment for the answers that are on their way, and writes them down; the rest stays pending in the files. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    const worlds = [...this.#worlds.values()];
    const isUnderWay = () => worlds.some((known) => [...known.subscriptions.values()].some((one) => one.underWay));
    const until = performance.now() + STOP_MS;
    while (isUnderWay() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const known of worlds) {
      await known.recorder.flush();
      for (const id of [...known.subscriptions.keys()]) this.#end(known, id);
    }
    this.#worlds.clear();
  }
}
