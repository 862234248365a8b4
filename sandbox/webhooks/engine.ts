import type { World } from "../worlds/world.ts";
import { Courtesy } from "./courtesy.ts";
import { Lane } from "./lane.ts";
import type { Tried } from "./record.ts";
import { Recorder } from "./recorder.ts";
import { Slots } from "./slots.ts";
import { Watch } from "./watch.ts";
import { WorldLanes } from "./world-lanes.ts";

/** How many deliveries are read ahead from the files, over all lanes; of one lane at most and at least so many. */
const READ_AHEAD = 8_192;
const LARGEST_PAGE = 256;
const SMALLEST_PAGE = 16;
const LONGEST_SLEEP_MS = 60_000;
/** A timer that comes so much too late was slept over, and others with it. */
const OVERSLEPT_MS = 5_000;
/** After a start or a sleep, what waits in many lanes begins within as many times this, and within the limit. */
const SPREAD_EACH_MS = 20;
const SPREAD_LIMIT_MS = 2_000;
/** When a lane is looked at again that could not be read. */
const UNREADABLE_MS = 1_000;
/** How long a stop waits for answers that are on their way. */
const STOP_MS = 500;

export interface EngineOptions {
  /** False: notifications stay visible as pending and nothing is sent. */
  readonly enabled: boolean;
  /** Whether an address a receiver's name resolved to may be connected to. */
  readonly allows: (address: string) => boolean;
  readonly onError: (error: unknown) => void;
}

/**
 * Delivers what the outboxes hold, at least once: prepared → sent → recorded, a lane for each subscription. What counts
 * is in the files; a restart goes on where they say, and what was under way or not yet recorded is tried again.
 */
export class DeliveryEngine {
  readonly #options: EngineOptions;
  readonly #worlds = new Map<World, WorldLanes>();
  readonly #slots = new Slots<Lane, World>();
  readonly #watch = new Watch();
  readonly #courtesy = new Courtesy<Lane>((lanes) => this.#goOnWith(lanes));
  /** Lanes whose tries ended in this turn of the event loop. */
  readonly #moved = new Set<Lane>();
  /** Lanes that wait until more of their world is written down. */
  readonly #heldUp = new Set<Lane>();
  #goingOn = false;
  #stopped = false;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** Looks for deliveries of a world. Call after a commit that queued some or changed subscriptions, and when it opens. */
  wake(world: World): void {
    if (this.#stopped || !this.#options.enabled) return;
    this.#courtesy.called();
    const lanes = this.#worlds.get(world) ?? this.#begin(world);
    if (lanes.looking) return;
    lanes.looking = true;
    // After the answers of the call that woke us have left: a consumer never delays its originator.
    setImmediate(() => this.#look(lanes));
  }

  #begin(world: World): WorldLanes {
    for (const known of [...this.#worlds.values()]) this.#isOver(known);
    const recorder = new Recorder(world, {
      recorded: (tries) => this.#recorded(lanes, tries),
      onError: this.#options.onError,
    });
    const services = {
      world,
      recorder,
      watch: this.#watch,
      allows: this.#options.allows,
      moved: (lane: Lane) => this.#move(lane),
    };
    const lanes: WorldLanes = new WorldLanes(world, recorder, {
      begun: (standing) => new Lane(standing, services),
      ended: (lane) => this.#forget(lane),
    });
    this.#worlds.set(world, lanes);
    return lanes;
  }

  #forget(lane: Lane): void {
    this.#slots.remove(lane);
    this.#courtesy.forget(lane);
    this.#moved.delete(lane);
    this.#heldUp.delete(lane);
  }

  /** Whether a world was reset, deleted or closed: nothing more is due in it. */
  #isOver(lanes: WorldLanes): boolean {
    if (!lanes.world.closed) return false;
    lanes.end();
    this.#worlds.delete(lanes.world);
    return true;
  }

  #look(lanes: WorldLanes): void {
    lanes.looking = false;
    if (this.#stopped || this.#isOver(lanes)) return;
    const { outdated, read } = lanes;
    try {
      lanes.refresh();
    } catch (error) {
      this.#options.onError(error);
      setTimeout(() => this.wake(lanes.world), UNREADABLE_MS).unref();
      return;
    }
    for (const id of lanes.world.stores.outbox.takeTouched()) {
      const lane = lanes.get(id);
      lane?.touch();
      if (lane && !outdated) this.#start(lane);
    }
    if (outdated) for (const lane of lanes.all()) this.#startWithin(lane, read ? 0 : this.#slots.size * SPREAD_EACH_MS);
    if (lanes.size === 0) this.#worlds.delete(lanes.world);
    this.#fill();
  }

  /** Starts a lane within a time, so that not all begin at once. */
  #startWithin(lane: Lane, limitMs: number): void {
    const wait = Math.random() * Math.min(limitMs, SPREAD_LIMIT_MS);
    const now = Date.now();
    const at = this.#nextAt(lane, now);
    if (at !== null && at <= now && wait >= 1) this.#startAt(lane, now + wait);
    else this.#start(lane);
  }

  /** When a lane has something to send; a little later where its file cannot be read now. */
  #nextAt(lane: Lane, now: number): number | null {
    try {
      return lane.nextAt(now);
    } catch (error) {
      this.#options.onError(error);
      return now + UNREADABLE_MS;
    }
  }

  /** Queues a lane for a slot when it has something to send, or for the time when it will have. */
  #start(lane: Lane): void {
    if (this.#slots.has(lane) || this.#heldUp.has(lane)) return;
    if (lane.timer) clearTimeout(lane.timer);
    lane.timer = null;
    const now = Date.now();
    const at = this.#nextAt(lane, now);
    if (at === null) return;
    if (at <= now) this.#slots.queue(lane, lane.world, lane.manner);
    else this.#startAt(lane, at);
  }

  #startAt(lane: Lane, at: number): void {
    if (lane.timer) clearTimeout(lane.timer);
    const wait = Math.min(Math.max(at - Date.now(), 1), LONGEST_SLEEP_MS);
    const due = Date.now() + wait;
    lane.timer = setTimeout(() => {
      lane.timer = null;
      if (this.#stopped || lane.world.closed) return;
      this.#startWithin(lane, Date.now() - due > OVERSLEPT_MS ? SPREAD_LIMIT_MS : 0);
      this.#fill();
    }, wait);
    lane.timer.unref();
  }

  #fill(): void {
    for (let lane = this.#slots.take(); lane; lane = this.#slots.take()) this.#send(lane);
  }

  /** Lets a lane that holds a slot send, and takes the slot when nothing of it is under way. */
  #send(lane: Lane): void {
    const lanes = this.#worlds.get(lane.world);
    if (!lanes || this.#isOver(lanes)) return;
    let again = 0;
    try {
      lanes.refresh();
      const page = Math.floor(READ_AHEAD / this.#slots.size);
      const { left } = this.#courtesy;
      // It may have ended with its subscription.
      if (!this.#slots.holds(lane)) return;
      if (left === 0) {
        this.#courtesy.wait(lane);
        return;
      }
      const { count, lagMs } = lane.send(Math.max(SMALLEST_PAGE, Math.min(LARGEST_PAGE, page)), left);
      if (count > 0) this.#courtesy.sent(count, lagMs);
    } catch (error) {
      this.#options.onError(error);
      again = UNREADABLE_MS;
    }
    if (!this.#slots.holds(lane) || lane.underWay > 0) return;
    this.#slots.remove(lane);
    if (lane.heldUp) this.#heldUp.add(lane);
    else if (again > 0) this.#startAt(lane, Date.now() + again);
    else this.#start(lane);
  }

  /** A lane goes on once all is read that came in this turn: so a connection that was closed is known to be. */
  #move(lane: Lane): void {
    this.#moved.add(lane);
    if (this.#goingOn) return;
    this.#goingOn = true;
    setImmediate(() => this.#goOn());
  }

  #goOn(): void {
    this.#goingOn = false;
    const lanes = [...this.#moved];
    this.#moved.clear();
    this.#goOnWith(lanes);
  }

  #goOnWith(lanes: readonly Lane[]): void {
    if (this.#stopped) return;
    for (const lane of lanes) {
      if (!this.#slots.holds(lane)) continue;
      if (!this.#slots.isContested(lane)) this.#send(lane);
      else if (lane.underWay === 0) {
        // Others wait for a slot: the next turn is theirs.
        this.#slots.remove(lane);
        this.#start(lane);
      }
    }
    this.#fill();
  }

  #recorded(lanes: WorldLanes, tries: readonly Tried[]): void {
    if (this.#stopped) return;
    const waiting = new Set<Lane>();
    for (const tried of tries) {
      const lane = lanes.get(tried.sent.prepared.delivery.subscription_id);
      lane?.recorded(tried);
      if (lane && tried.settlement.next_attempt_at !== null) waiting.add(lane);
    }
    for (const lane of this.#heldUp) {
      if (lane.heldUp) continue;
      this.#heldUp.delete(lane);
      waiting.add(lane);
    }
    for (const lane of waiting) this.#start(lane);
    // What they say of an address may have paused it.
    if (lanes.outdated) this.wake(lanes.world);
    this.#fill();
  }

  /** Waits a moment for the answers that are on their way, and writes them down; the rest stays pending in the files. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    const worlds = [...this.#worlds.values()];
    const isUnderWay = () => worlds.some((lanes) => lanes.all().some((lane) => lane.underWay > 0));
    const until = performance.now() + STOP_MS;
    while (isUnderWay() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
    this.#courtesy.stop();
    this.#watch.closeAll();
    for (const lanes of worlds) {
      await lanes.recorder.flush();
      lanes.end();
    }
    this.#worlds.clear();
  }
}
