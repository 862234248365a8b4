import type { FaultFiring, FaultMark } from "../contract/control/fault-operations.ts";
import { sentenceOfFiring } from "../contract/fault-words.ts";
import {
  type ArmedFault,
  countAgainst,
  type FaultyCall,
  faultKind,
  faultState,
  faultTiming,
  isAbout,
  type RateWindow,
  remainingUses,
} from "../rules/worlds/faults.ts";
import type { Append } from "../storage/log-store.ts";
import { realTime } from "../storage/real-time.ts";
import type { Stores } from "../storage/stores.ts";

/** Most faults a world keeps; faults that are over make room for new ones. */
export const MOST_FAULTS = 100;

/** The parts of a world that faults use. */
export interface FaultyWorld {
  readonly stores: Pick<Stores, "settings">;
  write<T>(run: (append: Append) => T): Promise<T>;
}

/** One fault that fires on a call. */
export interface Firing {
  readonly fault: ArmedFault;
  readonly row: FaultFiring;
  /** For a rate limit, in whole seconds. */
  readonly retryAfterSeconds: number | null;
}

/** How a call names a fault it met. */
export const faultMark = ({ row }: Firing): FaultMark => ({ id: row.fault_id, kind: row.kind, when: row.when });

/** The faults that apply to a call: delays first, and at the end at most one that answers instead of the work. */
export interface MatchedFaults {
  readonly before: readonly Firing[];
  readonly after: readonly Firing[];
  /** Resolves when it is on record that they fired. */
  readonly recorded: Promise<void>;
}

/** The faults of one world, counted in memory and kept in its file with every call that one of them is about. */
export class Faults {
  readonly #world: FaultyWorld;
  #faults: readonly ArmedFault[];
  /** Windows of rate limits, by fault and integration. A restart clears them. */
  readonly #windows = new Map<string, RateWindow>();

  constructor(world: FaultyWorld) {
    this.#world = world;
    this.#faults = world.stores.settings.get("faults");
  }

  /** False: nothing meets anything. True: something may. */
  get armed(): boolean {
    return this.#faults.length > 0 && this.#faults.some((fault) => faultState(fault, realTime()) === "armed");
  }

  /** In the order they were armed, with those that are used up or expired. */
  list(): readonly ArmedFault[] {
    return this.#faults;
  }

  /** Arms a fault; those that are over make room for it. @returns false: there are too many that are armed */
  async set(fault: ArmedFault): Promise<boolean> {
    const now = realTime();
    const armed = this.#faults.filter((one) => faultState(one, now) === "armed");
    if (armed.length >= MOST_FAULTS) return false;
    await this.#change((faults) => [...(faults.length < MOST_FAULTS ? faults : armed), fault]);
    return true;
  }

  /** @param id null: all of them. @returns how many there were */
  async clear(id: string | null): Promise<number> {
    const isCleared = (fault: ArmedFault): boolean => id === null || fault.id === id;
    const cleared = this.#faults.filter(isCleared).length;
    if (cleared > 0) await this.#change((faults) => faults.filter((fault) => !isCleared(fault)));
    return cleared;
  }

  /** In memory first: what a call counts meanwhile must not be written over. */
  async #change(changed: (faults: readonly ArmedFault[]) => readonly ArmedFault[]): Promise<void> {
    const before = this.#faults;
    this.#faults = changed(before);
    try {
      await this.#world.write((append) => {
        this.#world.stores.settings.set("faults", [...this.#faults]);
        append("world", null, { what: "faults", before, after: this.#faults });
      });
    } catch (error) {
      this.#faults = before;
      throw error;
    }
  }

  /** Counts a call, and says what becomes of it; null when nothing does. */
  meet(call: FaultyCall, traceId: string): MatchedFaults | null {
    const now = realTime();
    let matched = false;
    const fires = new Map<ArmedFault, number | null>();
    this.#faults = this.#faults.map((fault) => {
      if (faultState(fault, now) !== "armed" || !isAbout(fault, call)) return fault;
      matched = true;
      const counted = { ...fault, matched: fault.matched + 1 };
      const retryAfterSeconds = this.#overLimit(fault, call, now);
      const isMet = fault.effect.rate_limit
        ? retryAfterSeconds !== null
        : (fault.calls?.nth ?? counted.matched) === counted.matched;
      if (isMet) fires.set(counted, retryAfterSeconds);
      return counted;
    });
    if (!matched) return null;
    const firings = chosen([...fires.keys()]).map((fault) => this.#fire(fault, fires.get(fault) ?? null, call, now));
    const recorded = this.#world.write((append) => {
      this.#world.stores.settings.set("faults", [...this.#faults]);
      for (const { row } of firings) append("fault", traceId, row);
    });
    if (firings.length === 0) {
      recorded.catch(() => undefined);
      return null;
    }
    return {
      before: firings.filter(({ row }) => row.when === "before"),
      after: firings.filter(({ row }) => row.when === "after"),
      recorded,
    };
  }

  #overLimit({ id, effect }: ArmedFault, { integration_id }: FaultyCall, now: number): number | null {
    if (!effect.rate_limit) return null;
    const key = `${id} ${integration_id ?? ""}`;
    const { window, retryAfterSeconds } = countAgainst(effect.rate_limit, this.#windows.get(key), now);
    this.#windows.set(key, window);
    return retryAfterSeconds;
  }

  #fire(fault: ArmedFault, retryAfterSeconds: number | null, call: FaultyCall, now: number): Firing {
    const fired = { ...fault, fired: fault.fired + 1, last_fired_at: now };
    this.#faults = this.#faults.map((one) => (one === fault ? fired : one));
    const { id: fault_id, name, effect } = fired;
    return {
      fault: fired,
      retryAfterSeconds,
      row: {
        ...{ fault_id, name, kind: faultKind(effect), when: faultTiming(effect), ...call },
        ...{ number: fired.fired, left: remainingUses(fired), sentence: sentenceOfFiring(effect) },
      },
    };
  }
}

/** Delays that come to pass, and the first armed of what answers instead of the work. */
const chosen = (faults: readonly ArmedFault[]): ArmedFault[] => {
  const end = faults.find(({ effect }) => !effect.delay);
  const worked = !end || faultTiming(end.effect) === "after";
  const delays = faults.filter(({ effect }) => effect.delay && (worked || faultTiming(effect) === "before"));
  return end ? [...delays, end] : delays;
};
