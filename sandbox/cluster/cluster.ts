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
import type { Owned, Owner, Ownership } from "./ownership.ts";
import type { SharedAccess } from "./shared-access.ts";
import type { SharedFiles } from "./shared-files.ts";
import { NotHeldError, type Position, type WorldStore } from "./world-store.ts";

const BEAT_EVERY_MS = 1_000;
/** How often it is looked whether other nodes have taken worlds, or ask for some. */
const OWNED_EVERY_MS = 100;
/** How long a call waits for its worlds, and what else it needs: longer than an owner is dead for sure, or may keep one. */
const WAITS_MS = 7_000;
/** Until when a call waits that begins to, by `performance.now()`. */
export const waitsUntil = (): number => performance.now() + WAITS_MS;
const LEAVING_POLL_MS = 5;
/** How long a world that is to move waits for the calls in it. */
const DRAIN_MS = 2_000;
const LOOK_EVERY_MS = 1_000;
/** How often a world may move to where most of its calls arrive, and of how many calls those are. */
const MOVES_EVERY_MS = 5_000;
const MOST = 2 / 3;
/** A balancer asks every second whether a node is well; in this time one that sends its calls away is found out. */
const CHECKED_LATELY_MS = 5_000;
const SENT_AWAY_MS = 2_500;
/** How long the calls that came before that have, as long as a stop gives them afterwards. */
const ENDING_MS = 8_000;
const CLEARED_EVERY_MS = 3_600_000;
/** Of so many worlds at a time it is noted what is in them. */
const NOTED_AT_ONCE = 20;
/** A disk is full that does not take so much more. */
const ROOM_BYTES = 1024 * 1024;

/** Why a node has its worlds go elsewhere. */
const REASONS = {
  "is full": "The disk of this node is full",
  "has a wrong clock": "The clock of this node is wrong by the database’s, and NTP should set both",
  "is drained": "This node is drained",
};
const saidOf = (why: keyof typeof REASONS): string => `${REASONS[why]}, so its worlds move to other nodes.`;

/** What a node shares with others. */
export interface Shared {
  readonly worlds: Worlds;
  readonly files: SharedFiles;
  readonly access: SharedAccess;
  readonly database: SharedDatabase;
  readonly forwarding: Forwarding;
  /** Where this node listens. */
  readonly address: string;
  /** Whether worlds are taken for what is due in them. */
  readonly deliveries: boolean;
  /** Is told what becomes of worlds here, for the log. */
  readonly said: (what: string, about: Readonly<Record<string, unknown>>) => void;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits for something that a call needs, which goes on coming where it takes too long. @param late is called then */
export const inTime = <T>(until: number, coming: Promise<T>, late: () => T): Promise<T> => {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, Math.max(0, until - performance.now()));
  return Promise.race([coming, over.promise.then(late)]).finally(() => clearTimeout(timer));
};

/** The worlds of a node among several: takes and gives them up, and has all that is committed in them stored where others find it. */
export class Cluster implements Sharing {
  readonly #store: WorldStore;
  readonly #ownership: Ownership;
  readonly #troubled: (error: unknown) => void;
  readonly #held = new Map<string, HeldWorld>();
  readonly #claims = new Map<string, Promise<Owner | number | null>>();
  /** The worlds that didn't exist when they were last called, each with the key of that call: emptied every second. */
  readonly #absent = new Set<string>();
  /** The nodes that have worlds which were called here: emptied every second, too. */
  readonly #owners = new Map<string, Owner>();
  /** The calls that wait for a world. */
  #waiting = 0;
  readonly #timers: NodeJS.Timeout[] = [];
  /** How many worlds it took, and how many of them from nodes that had died. */
  #takes = 0;
  #takeovers = 0;
  /** How often this node was dead for the others. */
  #deaths = 0;
  /** How many worlds it did not have when it last took the name of none. */
  others = 0;
  /** When somebody last asked whether it is well, in milliseconds since 1970. */
  checkedAt = 0;
  /** Why calls had better go to other nodes; null: they are welcome. */
  sendsAway: "stops" | keyof typeof REASONS | null = null;
  /** What is said to calls for worlds that it does not take any more. */
  #refusal: string | null = null;
  #shared: Shared | null = null;

  constructor(store: WorldStore, ownership: Ownership, troubled: (error: unknown) => void) {
    this.#store = store;
    this.#ownership = ownership;
    this.#troubled = troubled;
  }

  /** @throws DatabaseError: another node may have taken any of its worlds */
  mustBeFresh(): void {
    if (!this.#ownership.isFresh) throw this.#ownership.failure ?? new DatabaseError();
  }

  /** From now on worlds come and go. */
  async join(shared: Shared): Promise<void> {
    this.#shared = shared;
    const beat = (): Promise<void> => {
      const before = [...this.#held.values()];
      return this.#ownership.beat(shared.address, (owned) =>
        owned ? this.#loseTaken(before, owned) : this.#loseAll(),
      );
    };
    await beat();
    this.#every(BEAT_EVERY_MS, beat);
    this.#every(OWNED_EVERY_MS, () => this.#lookAtOwned());
    this.#every(LOOK_EVERY_MS, () => this.#noteSome());
    this.#every(LOOK_EVERY_MS, async () => this.#forget());
    this.#every(LOOK_EVERY_MS, () => shared.forwarding.endDead(() => this.#ownership.alive()));
    this.#every(MOVES_EVERY_MS, async () => this.#moveToCallers());
    this.#every(LOOK_EVERY_MS, () => shared.access.pull());
    this.#every(LOOK_EVERY_MS, () => this.#lookAtItself());
    this.#every(CLEARED_EVERY_MS, () => shared.database.clear());
    if (shared.deliveries) this.#every(LOOK_EVERY_MS, () => this.#takeDue());
  }

  #forget(): void {
    this.#absent.clear();
    this.#owners.clear();
  }

  #every(ms: number, act: () => Promise<unknown>): void {
    let acting = false;
    const once = async (): Promise<void> => {
      if (acting) return;
      acting = true;
      await act().catch(this.#troubled);
      acting = false;
    };
    this.#timers.push(setInterval(() => void once(), ms).unref());
  }

  /** @throws NotHeldError: the service is still starting */
  get shared(): Shared {
    if (!this.#shared) throw new NotHeldError("default");
    return this.#shared;
  }

  owns(name: string): boolean {
    return (this.#held.get(name)?.phase ?? "gone") !== "gone";
  }

  /** The worlds that are this node's. */
  get positions(): Position[] {
    return [...this.#held.values()].filter(({ phase }) => phase !== "gone");
  }

  /** @throws NotHeldError */
  #heldOf(name: string): HeldWorld {
    const held = this.#held.get(name);
    if (!held || held.phase === "gone") throw new NotHeldError(name);
    return held;
  }

  changing(name: string): void {
    this.#heldOf(name).changing();
  }

  async replicate(world: World): Promise<void> {
    await this.#heldOf(world.name).replicate(world);
  }

  indexed(name: string, all: readonly Integration[]): void {
    this.#heldOf(name).integrations = all;
  }

  find(id: string, first: string): Promise<FoundIntegration | null> {
    return this.#store.find(id, first);
  }

  /** What is told of it to who looks after it: a name each, what it is, and its value by now. */
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
   * Whether some node has a world, or it is stored.
   *
   * @param key of whoever asks: what one caller finds absent is looked up again for another, whose key may be in it by then
   */
  async mayExist(name: unknown, key = ""): Promise<boolean> {
    if (typeof name !== "string" || !isWorldName(name)) return true;
    if (this.#held.has(name) || this.#owners.has(name)) return true;
    const asked = `${name} ${key}`;
    if (this.#absent.has(asked)) return false;
    const exists = await this.#store.exists(name);
    if (!exists) this.#absent.add(asked);
    return exists;
  }

  /** The node that has a world, where that is known without a look. */
  ownerOf(name: string): Owner | undefined {
    return this.#held.has(name) ? undefined : this.#owners.get(name);
  }

  /** A world may be elsewhere by now than where it was. */
  moved(name: string): void {
    this.#owners.delete(name);
  }

  /**
   * Takes part in a world; each call has to {@link done} it.
   *
   * @param until as {@link waitsUntil} @param asks whether another node that has it is asked for it, and waited for
   * @returns or that node, where it isn't @throws NotHeldError
   */
  async hold(name: string, until: number, asks: true): Promise<HeldWorld>;
  async hold(name: string, until: number, asks: boolean): Promise<HeldWorld | Owner>;
  async hold(name: string, until: number, asks: boolean): Promise<HeldWorld | Owner> {
    this.#waiting += 1;
    try {
      for (;;) {
        this.mustBeFresh();
        const held = this.#held.get(name);
        if (held?.phase === "here") {
          held.users += 1;
          return held;
        }
        const known = asks || held ? undefined : this.#owners.get(name);
        const found = known ?? (held ? LEAVING_POLL_MS : await this.#claimed(name, until, asks));
        if (found === null) continue;
        if (typeof found === "object" && !asks) return found;
        // Another call found it, and did not ask for it.
        const againMs = typeof found === "object" ? LEAVING_POLL_MS : found;
        if (performance.now() + againMs > until) throw new NotHeldError(name);
        await pause(againMs);
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  /**
   * A world that takes longer than its call is waited for goes on coming, for calls that follow.
   *
   * @returns null: the world is this node's now; a number: when to look again, in milliseconds
   */
  #claimed(name: string, until: number, asks: boolean): Promise<Owner | number | null> {
    const claiming = this.#claims.get(name) ?? this.#claim(name, asks).finally(() => this.#claims.delete(name));
    this.#claims.set(name, claiming);
    return inTime<Owner | number | null>(until, claiming, () => Number.POSITIVE_INFINITY);
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
      // The keys that the world may have for itself are put in when its file is opened.
      await this.shared.access.pull();
      inLog = await this.#store.load(name, `${file}.new`);
      // Its call may create it.
      if (inLog === null) this.others = await this.#ownership.countElsewhere();
      if (deaths !== this.#deaths) throw new NotHeldError(name);
      if (inLog !== null) {
        fs.renameSync(`${file}.new`, file);
        this.shared.worlds.takeOver(claim.entry);
      }
    } catch (error) {
      fs.rmSync(`${file}.new`, { force: true });
      await this.#ownership.release(name, claim.epoch);
      throw error;
    }
    const lose = (held: HeldWorld): void => void this.#leave(held);
    const around = { store: this.#store, worlds: this.shared.worlds, troubled: this.#troubled, lose };
    this.#held.set(name, new HeldWorld(claim, inLog ?? 0, around));
    this.#takes += 1;
    if (claim.isTakeover) this.#takeovers += 1;
    const how = claim.isTakeover ? "took a world from a node that died" : "took a world";
    if (inLog !== null) this.shared.said(how, { world: name, epoch: claim.epoch });
    return null;
  }

  /** Ends a call's part in a world. One that is not there was only named. */
  done(held: HeldWorld): void {
    held.users -= 1;
    if (held.users === 0 && held.phase === "here" && !held.replaced && !this.shared.worlds.has(held.name))
      void this.#give(held);
  }

  /**
   * Resolves when all that is in a world by now may leave: it is stored, and still this node's. `World.confirming`, for
   * which calls wait on one machine too, knows of commits alone: neither of a file that took a world's place, nor of the
   * lease, without which not even what is only read may leave.
   *
   * @throws NotHeldError
   */
  async confirm(name: string, held = this.#heldOf(name)): Promise<void> {
    await held.settled();
    if (held.phase === "gone") throw new NotHeldError(name);
    this.mustBeFresh();
  }

  /** Gives a world up, with all that is in it stored. @param to the node that it is for; left out: whichever wants it */
  async #give(held: HeldWorld, to?: string): Promise<void> {
    held.phase = "leaving";
    const until = Date.now() + DRAIN_MS;
    while (held.users > 0 && Date.now() < until) await pause(LEAVING_POLL_MS);
    await this.#leave(held, await held.last().catch(this.#troubled), to);
  }

  /** @param noted as it is given up with; left out: what is here of it counts for nothing */
  async #leave(held: HeldWorld, noted?: WorldEntry | null | void, to?: string): Promise<void> {
    if (held.phase === "gone") return;
    held.phase = "gone";
    const { name: world, epoch } = held;
    // One that was only named is none.
    if (this.shared.worlds.getEntry(world))
      this.shared.said(noted ? "gave a world up" : "lost a world", { world, epoch });
    try {
      // From here on nothing leaves from it, so that others need not wait until its file is closed.
      if (noted !== undefined) await this.#ownership.release(world, epoch, noted, to).catch(this.#troubled);
      this.shared.files.leave(held.name);
      await this.shared.worlds.leave(held.name, "the world moves to another node; connect again to go on");
    } catch (error) {
      this.#troubled(error);
    }
    this.#held.delete(held.name);
  }

  /** Notes for others what is in a world by now. An append that is under way would say what was in it before. */
  async note(held: HeldWorld): Promise<void> {
    await held.settled();
    const entry = held.noted();
    if (entry) await this.#ownership.note(held.epoch, entry);
  }

  async #noteSome(): Promise<void> {
    const unnoted = [...this.#held.values()].filter((held) => held.unnoted);
    for (const held of unnoted.slice(0, NOTED_AT_ONCE)) await this.note(held);
  }

  async #lookAtOwned(): Promise<void> {
    const before = [...this.#held.values()];
    const { owned, wanted } = await this.#ownership.look();
    this.#loseTaken(before, owned);
    for (const name of wanted) {
      const held = this.#held.get(name);
      if (held?.phase === "here") void this.#give(held);
      else if (!held && !this.#claims.has(name)) await this.#ownership.release(name, owned[name] ?? 0);
    }
    // What another node gave to this one.
    const others = new Set(before.map(({ name }) => name));
    for (const name of Object.keys(owned)) if (!others.has(name) && !this.owns(name)) void this.#take(name);
  }

  /** Gives the worlds away of which another node sent most calls lately. */
  #moveToCallers(): void {
    for (const held of this.#held.values()) {
      const [[node, calls] = ["", 0]] = [...held.calls].sort(([, one], [, other]) => other - one);
      const all = [...held.calls.values()].reduce((sum, count) => sum + count, 0);
      held.calls.clear();
      if (held.phase === "here" && calls > 0 && node !== this.node && calls >= all * MOST) void this.#give(held, node);
    }
  }

  /** Has a world that belongs to nobody, or to this node, be here: something is due in it, or it was given. */
  async #take(name: string): Promise<void> {
    if (this.sendsAway) return;
    const held = await this.hold(name, waitsUntil(), false).catch(this.#troubled);
    if (!held || "address" in held) return;
    this.shared.worlds.lookIfIntact(name, () => undefined);
    this.done(held);
  }

  async #takeDue(): Promise<void> {
    for (const name of this.sendsAway ? [] : await this.#ownership.due()) await this.#take(name);
  }

  /** @param before the worlds that were held before the database was asked which are this node's */
  #loseTaken(before: readonly HeldWorld[], owned: Owned): void {
    for (const held of before) if (owned[held.name] !== held.epoch) void this.#leave(held);
  }

  /** This node was dead for the others, who may have taken any of its worlds. */
  #loseAll(): void {
    this.#deaths += 1;
    for (const held of this.#held.values()) void this.#leave(held);
  }

  /** A node that had better have no worlds has them go elsewhere. */
  async #lookAtItself(): Promise<void> {
    if (this.sendsAway === "stops") return;
    const { clock, drains } = this.#ownership;
    const isFull = !hasFreeSpace(path.dirname(this.shared.worlds.getFilePath("default")), ROOM_BYTES);
    const why = isFull ? "is full" : clock.isOff ? "has a wrong clock" : drains ? "is drained" : null;
    if (why === this.sendsAway) return;
    this.sendsAway = why;
    this.#refusal = null;
    if (why === null) return;
    if (why === "is drained") this.shared.said(saidOf(why), {});
    else this.#troubled(new Error(saidOf(why)));
    await this.leave(why);
    if (this.sendsAway !== why) return;
    this.#refusal = `${saidOf(why)} Try again in a moment.`;
    this.#giveAll();
  }

  /** Has a balancer that looks after this node send its calls elsewhere, and worlds go there at once. */
  async leave(why: NonNullable<Cluster["sendsAway"]> = "stops"): Promise<void> {
    this.sendsAway = why;
    if (Date.now() - this.checkedAt > CHECKED_LATELY_MS) return;
    await this.#ownership.letAllMove().catch(this.#troubled);
    await pause(SENT_AWAY_MS);
    // A balancer that finds nobody here any more cuts off what is still under way.
    const isCalled = (): boolean => this.#waiting > 0 || [...this.#held.values()].some(({ users }) => users > 0);
    for (const until = Date.now() + ENDING_MS; isCalled() && Date.now() < until; ) await pause(LEAVING_POLL_MS);
  }

  #giveAll(): void {
    for (const held of this.#held.values()) if (held.phase === "here") void this.#give(held);
  }

  /** Gives up all worlds. What still changes in them is not stored any more. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#shared?.forwarding.stop();
    for (; this.#held.size > 0; await pause(LEAVING_POLL_MS)) this.#giveAll();
    // Without the database its worlds are free by themselves, a few seconds later.
    await this.#ownership.stop().catch(this.#troubled);
  }
}
