// The worlds that this node owns: takes, keeps, moves and releases them.
import fs from "node:fs";
import path from "node:path";
import { hasFreeSpace } from "../host/data-folder.ts";
import { isWorldName } from "../rules/worlds/world-name.ts";
import type { FoundIntegration, Integration } from "../storage/integrations-store.ts";
import type { WorldEntry } from "../storage/service-database.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { Figure } from "../telemetry/metrics.ts";
import type { Sharing } from "../worlds/sharing.ts";
import type { World } from "../worlds/world.ts";
import type { Worlds } from "../worlds/worlds.ts";
import { DatabaseError, type SharedDatabase } from "./database.ts";
import type { Forwarding } from "./forwarding.ts";
import { HeldWorld } from "./held-world.ts";
import type { OwnedEpochs, Owner, Ownership } from "./ownership.ts";
import type { SharedAccess } from "./shared-access.ts";
import type { SharedFiles } from "./shared-files.ts";
import { NotHeldError, type Position, type WorldStore } from "./world-store.ts";

const BEAT_MS = 1_000;
/** How often to check for worlds that other nodes have taken or requested. */
const OWNED_CHECK_MS = 100;
/** Longest time that a call waits for its worlds and data: longer than detecting a dead owner, or draining a world. */
const CALL_WAIT_MS = 7_000;
/** Returns the deadline of a call that starts to wait now, on the clock of `performance.now()`. */
export const getCallDeadline = (): number => performance.now() + CALL_WAIT_MS;
const LEAVING_POLL_MS = 5;
/** Longest time that a leaving world waits for its calls. */
const DRAIN_MS = 2_000;
const CHECK_EVERY_MS = 1_000;
/** How often a world may move to the node that most of its calls arrive at, and the share of calls it takes. */
const MOVE_EVERY_MS = 5_000;
const MOVE_SHARE = 2 / 3;
/** Balancers check health every second, so within this time they notice that a node refuses calls. */
const RECENT_CHECK_MS = 5_000;
const REFUSAL_NOTICE_MS = 2_500;
/** Longest time for earlier calls to end; equal to the grace period of a stop. */
const LAST_CALLS_MS = 8_000;
const CLEAR_EVERY_MS = 3_600_000;
/** A disk with less free space counts as full. */
const MIN_FREE_BYTES = 1024 * 1024;

/** Reasons for moving all worlds to other nodes. */
const REASONS = {
  "is full": "The disk of this node is full",
  "has a wrong clock": "The clock of this node is wrong by the database’s, and NTP should set both",
  "is drained": "This node is drained",
};
const describeReason = (why: keyof typeof REASONS): string => `${REASONS[why]}, so its worlds move to other nodes.`;

/** Parts of the service that a node needs to join the cluster. */
export interface Shared {
  readonly worlds: Worlds;
  readonly files: SharedFiles;
  readonly access: SharedAccess;
  readonly database: SharedDatabase;
  readonly forwarding: Forwarding;
  /** Base URL at which other nodes reach this node. */
  readonly address: string;
  /** True if this node takes worlds without an owner to do their due work. */
  readonly deliveries: boolean;
  /** Logs what happens to worlds on this node. */
  readonly log: (what: string, about: Readonly<Record<string, unknown>>) => void;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits for a promise until a deadline, then returns `late()`. The work itself continues, for later calls. */
export const waitUntilDeadline = <T>(until: number, coming: Promise<T>, late: () => T): Promise<T> => {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, Math.max(0, until - performance.now()));
  return Promise.race([coming, over.promise.then(late)]).finally(() => clearTimeout(timer));
};

/** The worlds that a cluster node owns. Acquires and releases them, and replicates every commit to shared storage. */
export class Cluster implements Sharing {
  readonly #store: WorldStore;
  readonly #ownership: Ownership;
  readonly #onError: (error: unknown) => void;
  readonly #held = new Map<string, HeldWorld>();
  readonly #claims = new Map<string, Promise<Owner | number | null>>();
  /** Missing worlds, each with the key of the call that looked for it. Cleared every second. */
  readonly #absent = new Set<string>();
  /** Owners of worlds that were called at this node. Cleared every second. */
  readonly #owners = new Map<string, Owner>();
  /** Number of calls that wait for a world. */
  #waiting = 0;
  readonly #timers: NodeJS.Timeout[] = [];
  /** Number of worlds taken, and those of them taken from dead nodes. */
  #takes = 0;
  #takeovers = 0;
  /** How often other nodes considered this node dead. */
  #deaths = 0;
  /** Number of worlds of other nodes, as of the last time this node took an unused name. */
  others = 0;
  /** Time of the last health check, in milliseconds since 1970. */
  checkedAt = 0;
  /** Reason to send calls to other nodes; null if calls are welcome. */
  drainReason: "stops" | keyof typeof REASONS | null = null;
  /** Error message for calls that need a world this node no longer takes. */
  #refusal: string | null = null;
  #shared: Shared | null = null;

  constructor(store: WorldStore, ownership: Ownership, onError: (error: unknown) => void) {
    this.#store = store;
    this.#ownership = ownership;
    this.#onError = onError;
  }

  /** @throws DatabaseError if the lease has expired, so another node may have taken any of its worlds */
  assertFresh(): void {
    if (!this.#ownership.isFresh) throw this.#ownership.failure ?? new DatabaseError();
  }

  /** Sends the first heartbeat, then starts to take and release worlds. */
  async join(shared: Shared): Promise<void> {
    this.#shared = shared;
    const beat = (): Promise<void> => {
      const before = [...this.#held.values()];
      return this.#ownership.beat(shared.address, (owned) =>
        owned ? this.#loseTaken(before, owned) : this.#loseAll(),
      );
    };
    await beat();
    this.#every(BEAT_MS, beat);
    this.#every(OWNED_CHECK_MS, () => this.#checkOwned());
    this.#every(CHECK_EVERY_MS, async () => this.#clearCaches());
    this.#every(CHECK_EVERY_MS, () => shared.forwarding.endDead(() => this.#ownership.listAlive()));
    this.#every(MOVE_EVERY_MS, async () => this.#moveToCallers());
    this.#every(CHECK_EVERY_MS, () => shared.access.pull());
    this.#every(CHECK_EVERY_MS, () => this.#checkOwnHealth());
    this.#every(CLEAR_EVERY_MS, () => shared.database.clear());
    if (shared.deliveries) this.#every(CHECK_EVERY_MS, () => this.#takeDue());
  }

  #clearCaches(): void {
    this.#absent.clear();
    this.#owners.clear();
  }

  #every(ms: number, act: () => Promise<unknown>): void {
    let acting = false;
    const once = async (): Promise<void> => {
      if (acting) return;
      acting = true;
      await act().catch(this.#onError);
      acting = false;
    };
    this.#timers.push(setInterval(() => void once(), ms).unref());
  }

  /** @throws NotHeldError while the service starts */
  get shared(): Shared {
    if (!this.#shared) throw new NotHeldError("default");
    return this.#shared;
  }

  owns(name: string): boolean {
    return (this.#held.get(name)?.phase ?? "gone") !== "gone";
  }

  get positions(): Position[] {
    return [...this.#held.values()].filter(({ phase }) => phase !== "gone");
  }

  /** @throws NotHeldError */
  #requireHeld(name: string): HeldWorld {
    const held = this.#held.get(name);
    if (!held || held.phase === "gone") throw new NotHeldError(name);
    return held;
  }

  changing(name: string): void {
    this.#requireHeld(name).changing();
  }

  async replicate(world: World): Promise<void> {
    await this.#requireHeld(world.name).replicate(world);
  }

  indexed(name: string, all: readonly Integration[]): void {
    this.#requireHeld(name).integrations = all;
  }

  find(id: string, first: string): Promise<FoundIntegration | null> {
    return this.#store.find(id, first);
  }

  /** Metrics: name, description, and a function that returns the current value. */
  get figures(): readonly Figure[] {
    const [store, ownership] = [this.#store, this.#ownership];
    return [
      ["sandbox_worlds_held", "Worlds that this node holds", () => this.#held.size],
      ["sandbox_claims_total", "Worlds that this node took", () => this.#takes],
      ["sandbox_takeovers_total", "Worlds that this node took from nodes that had died", () => this.#takeovers],
      ["sandbox_forwarded_total", "Calls that this node sent on to others", () => this.#shared?.forwarding.sent ?? 0],
      ["sandbox_refused_appends_total", "Changes that were refused: another node had the world", () => store.refused],
      ["sandbox_appended_bytes_total", "Bytes that this node appended to the logs of worlds", () => store.appended],
      [
        "sandbox_lease_age_seconds",
        "Time since the last beat that was confirmed was sent",
        () => ownership.ageMs / 1_000,
      ],
      ["sandbox_database_seconds", "Time that the last beat took", () => ownership.latencyMs / 1_000],
      [
        "sandbox_clock_offset_seconds",
        "Time that this machine’s clock is ahead of the database’s",
        () => ownership.clock.aheadMs / 1_000,
      ],
    ];
  }

  get node(): string {
    return this.#ownership.node;
  }

  elsewhere(): Promise<WorldEntry[]> {
    return this.#ownership.elsewhere();
  }

  async load(name: string, file: string): Promise<boolean> {
    return (await this.#store.load(name, file)) !== null;
  }

  /**
   * Returns true if a world is stored or some node owns it. Also true for an invalid name, which later checks refuse.
   *
   * @param key the caller's; a missing world is cached per key, because a later call with another key may find it
   */
  async canExist(name: unknown, key = ""): Promise<boolean> {
    if (typeof name !== "string" || !isWorldName(name)) return true;
    if (this.#held.has(name) || this.#owners.has(name)) return true;
    const absentKey = `${name} ${key}`;
    if (this.#absent.has(absentKey)) return false;
    const exists = await this.#store.exists(name);
    if (!exists) this.#absent.add(absentKey);
    return exists;
  }

  /** Returns the cached owner of a world; never queries the database. */
  findCachedOwner(name: string): Owner | undefined {
    return this.#held.has(name) ? undefined : this.#owners.get(name);
  }

  /** Call when the cached owner no longer has the world. */
  dropCachedOwner(name: string): void {
    this.#owners.delete(name);
  }

  /**
   * Keeps a world on this node until {@link done}.
   *
   * @param until a deadline from {@link getCallDeadline} @param asks true to request the world from its owner and wait for it
   * @returns the world, or its owner if `asks` is false @throws NotHeldError
   */
  async hold(name: string, until: number, asks: true): Promise<HeldWorld>;
  async hold(name: string, until: number, asks: boolean): Promise<HeldWorld | Owner>;
  async hold(name: string, until: number, asks: boolean): Promise<HeldWorld | Owner> {
    this.#waiting += 1;
    try {
      for (;;) {
        this.assertFresh();
        const held = this.#held.get(name);
        if (held?.phase === "here") {
          held.users += 1;
          return held;
        }
        const known = asks || held ? undefined : this.#owners.get(name);
        const found = known ?? (held ? LEAVING_POLL_MS : await this.#joinClaim(name, until, asks));
        if (found === null) continue;
        if (typeof found === "object" && !asks) return found;
        // Another call started this claim without a request to the owner.
        const againMs = typeof found === "object" ? LEAVING_POLL_MS : found;
        if (performance.now() + againMs > until) throw new NotHeldError(name);
        await pause(againMs);
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  /**
   * Joins or starts a claim. A claim that outlasts its call continues, for later calls.
   *
   * @returns null if this node owns the world now; a number: milliseconds until the next try
   */
  #joinClaim(name: string, until: number, asks: boolean): Promise<Owner | number | null> {
    const claiming = this.#claims.get(name) ?? this.#claim(name, asks).finally(() => this.#claims.delete(name));
    this.#claims.set(name, claiming);
    return waitUntilDeadline<Owner | number | null>(until, claiming, () => Number.POSITIVE_INFINITY);
  }

  async #claim(name: string, asks: boolean): Promise<Owner | number | null> {
    if (this.#refusal) throw new NotDurableError(undefined, this.#refusal);
    const deaths = this.#deaths;
    const claim = await this.#ownership.claim(name, asks);
    if (typeof claim === "number") return claim;
    if ("address" in claim) {
      this.#owners.set(name, claim);
      return claim;
    }
    const file = this.shared.worlds.getFilePath(name);
    let inLog: number | null = null;
    try {
      // Opening the file applies the world's own keys, so they must be current.
      await this.shared.access.pull();
      inLog = await this.#store.load(name, `${file}.new`);
      // The call may create the world, and the limit counts all nodes' worlds.
      if (inLog === null) this.others = await this.#ownership.countElsewhere();
      if (deaths !== this.#deaths) throw new NotHeldError(name);
      if (inLog !== null) {
        fs.renameSync(`${file}.new`, file);
        this.shared.worlds.admin.takeOver(claim.entry);
      }
    } catch (error) {
      fs.rmSync(`${file}.new`, { force: true });
      await this.#ownership.release(name, claim.epoch);
      throw error;
    }
    const lose = (held: HeldWorld): void => void this.#leave(held);
    const context = { store: this.#store, worlds: this.shared.worlds, onError: this.#onError, lose };
    this.#held.set(name, new HeldWorld(claim, inLog ?? 0, context));
    this.#takes += 1;
    if (claim.isTakeover) this.#takeovers += 1;
    const how = claim.isTakeover ? "took a world from a node that died" : "took a world";
    if (inLog !== null) this.shared.log(how, { world: name, epoch: claim.epoch });
    return null;
  }

  /** Ends a call's use of a world. A world that was named but never created is released. */
  done(held: HeldWorld): void {
    held.users -= 1;
    if (held.users === 0 && held.phase === "here" && !held.replaced && !this.shared.worlds.has(held.name))
      void this.#release(held);
  }

  /**
   * Resolves when a response may show the world's current content: it is stored, and this node still owns it.
   * `World.confirming` covers commits only, neither a replaced file nor the lease that even reads need.
   *
   * @throws NotHeldError
   */
  async confirm(name: string, held = this.#requireHeld(name)): Promise<void> {
    await held.awaitStored();
    if (held.phase === "gone") throw new NotHeldError(name);
    this.assertFresh();
  }

  /** Stores and releases a world. @param to the next owner; left out: the node that requested it */
  async #release(held: HeldWorld, to?: string): Promise<void> {
    held.phase = "leaving";
    const until = Date.now() + DRAIN_MS;
    while (held.users > 0 && Date.now() < until) await pause(LEAVING_POLL_MS);
    await this.#leave(held, await held.storeAll().catch(this.#onError), to);
  }

  /** @param entry the entry to publish; left out: the local copy is stale, so nothing is published */
  async #leave(held: HeldWorld, entry?: WorldEntry | null | void, to?: string): Promise<void> {
    if (held.phase === "gone") return;
    held.phase = "gone";
    const { name: world, epoch } = held;
    // A world that was named but never created isn't logged.
    if (this.shared.worlds.getEntry(world))
      this.shared.log(entry ? "released a world" : "lost a world", { world, epoch });
    try {
      // No response uses the world from here on, so the next owner needn't wait until its file is closed.
      if (entry !== undefined) await this.#ownership.release(world, epoch, entry, to).catch(this.#onError);
      this.shared.files.leave(held.name);
      await this.shared.worlds.admin.leave(held.name, "the world moves to another node; connect again to go on");
    } catch (error) {
      this.#onError(error);
    }
    this.#held.delete(held.name);
  }

  /** Publishes a world's entry. Waits for pending appends first, which would overwrite it with an older one. */
  async publishEntry(held: HeldWorld): Promise<void> {
    await held.awaitStored();
    const entry = held.takeEntry();
    if (entry) await this.#ownership.publishEntry(held.epoch, entry);
  }

  async #checkOwned(): Promise<void> {
    const before = [...this.#held.values()];
    const { owned, wanted } = await this.#ownership.listOwned();
    this.#loseTaken(before, owned);
    for (const name of wanted) {
      const held = this.#held.get(name);
      if (held?.phase === "here") void this.#release(held);
      else if (!held && !this.#claims.has(name)) await this.#ownership.release(name, owned[name] ?? 0);
    }
    // Worlds that another node gave to this one.
    const others = new Set(before.map(({ name }) => name));
    for (const name of Object.keys(owned)) if (!others.has(name) && !this.owns(name)) void this.#take(name);
  }

  /** Moves each world to the node that sent most of its recent calls. */
  #moveToCallers(): void {
    for (const held of this.#held.values()) {
      const [[node, calls] = ["", 0]] = [...held.calls].sort(([, one], [, other]) => other - one);
      const all = [...held.calls.values()].reduce((sum, count) => sum + count, 0);
      held.calls.clear();
      if (held.phase === "here" && calls > 0 && node !== this.node && calls >= all * MOVE_SHARE)
        void this.#release(held, node);
    }
  }

  /** Loads and opens a world that has due work, or that another node gave to this one. */
  async #take(name: string): Promise<void> {
    if (this.drainReason) return;
    const held = await this.hold(name, getCallDeadline(), false).catch(this.#onError);
    if (!held || "address" in held) return;
    this.shared.worlds.withIntactWorld(name, () => undefined);
    this.done(held);
  }

  async #takeDue(): Promise<void> {
    for (const name of this.drainReason ? [] : await this.#ownership.listDue()) await this.#take(name);
  }

  /** @param before the worlds held before the query: those taken since are not in `owned` */
  #loseTaken(before: readonly HeldWorld[], owned: OwnedEpochs): void {
    for (const held of before) if (owned[held.name] !== held.epoch) void this.#leave(held);
  }

  /** Call when other nodes may have taken any world, because they considered this node dead. */
  #loseAll(): void {
    this.#deaths += 1;
    for (const held of this.#held.values()) void this.#leave(held);
  }

  /** Moves all worlds to other nodes while the disk is full, the clock is wrong, or an operator drains the node. */
  async #checkOwnHealth(): Promise<void> {
    if (this.drainReason === "stops") return;
    const { clock, drains } = this.#ownership;
    const isFull = !hasFreeSpace(path.dirname(this.shared.worlds.getFilePath("default")), MIN_FREE_BYTES);
    const why = isFull ? "is full" : clock.isOff ? "has a wrong clock" : drains ? "is drained" : null;
    if (why === this.drainReason) return;
    this.drainReason = why;
    this.#refusal = null;
    if (why === null) return;
    if (why === "is drained") this.shared.log(describeReason(why), {});
    else this.#onError(new Error(describeReason(why)));
    await this.leave(why);
    if (this.drainReason !== why) return;
    this.#refusal = `${describeReason(why)} Try again in a moment.`;
    this.#releaseAll();
  }

  /** Fails health checks, lets other nodes take worlds immediately, and waits for balancers and running calls. */
  async leave(why: NonNullable<Cluster["drainReason"]> = "stops"): Promise<void> {
    this.drainReason = why;
    if (Date.now() - this.checkedAt > RECENT_CHECK_MS) return;
    await this.#ownership.offerWorlds().catch(this.#onError);
    await pause(REFUSAL_NOTICE_MS);
    // A balancer aborts running calls once the node no longer listens.
    const isCalled = (): boolean => this.#waiting > 0 || [...this.#held.values()].some(({ users }) => users > 0);
    for (const until = Date.now() + LAST_CALLS_MS; isCalled() && Date.now() < until; ) await pause(LEAVING_POLL_MS);
  }

  #releaseAll(): void {
    for (const held of this.#held.values()) if (held.phase === "here") void this.#release(held);
  }

  /** Stores and releases all worlds. Later changes are lost. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#shared?.forwarding.stop();
    for (; this.#held.size > 0; await pause(LEAVING_POLL_MS)) this.#releaseAll();
    // If the database fails, the worlds become free when the last heartbeat is too old.
    await this.#ownership.stop().catch(this.#onError);
  }
}
