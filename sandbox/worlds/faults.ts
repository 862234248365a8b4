import type { FaultFiring, FaultMark } from "../contract/control/fault-operations.ts";
import { firingSentence } from "../contract/fault-words.ts";
import {
  type ArmedFault,
  countAgainstLimit,
  type FaultyCall,
  faultKind,
  faultState,
  faultTiming,
  matchesCall,
  type RateWindow,
  remainingUses,
} from "../rules/worlds/faults.ts";
import type { Append } from "../storage/log-store.ts";
import { realTime } from "../storage/real-time.ts";
import type { Stores } from "../storage/stores.ts";

/** Limit per world. Faults that are over are dropped for new ones. */
export const MAX_FAULTS = 100;

/** The parts of a world that faults use. */
export interface FaultyWorld {
  readonly stores: Pick<Stores, "settings">;
  write<T>(run: (append: Append) => T): Promise<T>;
}

/** A fault that applies to a call. */
export interface Firing {
  readonly fault: ArmedFault;
  readonly row: FaultFiring;
  /** Whole seconds; only for a rate limit. */
  readonly retryAfterSeconds: number | null;
}

/** Fault reference for the record of a call. */
export const faultMark = ({ row }: Firing): FaultMark => ({ id: row.fault_id, kind: row.kind, when: row.when });

/** Faults that apply to a call: delays first, then at most one that responds instead of the service. */
export interface MatchedFaults {
  readonly before: readonly Firing[];
  readonly after: readonly Firing[];
  /** Resolves when the firings are recorded. */
  readonly recorded: Promise<void>;
}

/** Faults of one world. Counted in memory, and written with each call that matches one. */
export class Faults {
  readonly #world: FaultyWorld;
  #faults: readonly ArmedFault[];
  /** Rate-limit windows by fault and integration. A restart clears them. */
  readonly #windows = new Map<string, RateWindow>();

  constructor(world: FaultyWorld) {
    this.#world = world;
    this.#faults = world.stores.settings.get("faults");
  }

  /** True if any fault can still fire. */
  get armed(): boolean {
    return this.#faults.some((fault) => faultState(fault, realTime()) === "armed");
  }

  /** In arming order, including used-up and expired faults. */
  list(): readonly ArmedFault[] {
    return this.#faults;
  }

  /** Arms a fault. @returns false if too many are armed */
  async set(fault: ArmedFault): Promise<boolean> {
    const now = realTime();
    const armed = this.#faults.filter((one) => faultState(one, now) === "armed");
    if (armed.length >= MAX_FAULTS) return false;
    await this.#change((faults) => [...(faults.length < MAX_FAULTS ? faults : armed), fault]);
    return true;
  }

  /** @param id null for all. @returns the number of cleared faults */
  async clear(id: string | null): Promise<number> {
    const isCleared = (fault: ArmedFault): boolean => id === null || fault.id === id;
    const cleared = this.#faults.filter(isCleared).length;
    if (cleared > 0) await this.#change((faults) => faults.filter((fault) => !isCleared(fault)));
    return cleared;
  }

  /** Updates memory before the write, so concurrent calls keep their counts. */
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

  /** Counts a call and returns the faults that apply; null if there are none. */
  match(call: FaultyCall, traceId: string): MatchedFaults | null {
    const now = realTime();
    let matched = false;
    const fires = new Map<ArmedFault, number | null>();
    this.#faults = this.#faults.map((fault) => {
      if (faultState(fault, now) !== "armed" || !matchesCall(fault, call)) return fault;
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
    const firings = chooseFaults([...fires.keys()]).map((fault) =>
      this.#fire(fault, fires.get(fault) ?? null, call, now),
    );
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
    const { window, retryAfterSeconds } = countAgainstLimit(effect.rate_limit, this.#windows.get(key), now);
    this.#windows.set(key, window);
    return retryAfterSeconds;
  }

  #fire(fault: ArmedFault, retryAfterSeconds: number | null, call: FaultyCall, now: number): Firing {
    const updatedFault = { ...fault, fired: fault.fired + 1, last_fired_at: now };
    this.#faults = this.#faults.map((one) => (one === fault ? updatedFault : one));
    const { id: fault_id, name, effect } = updatedFault;
    return {
      fault: updatedFault,
      retryAfterSeconds,
      row: {
        ...{ fault_id, name, kind: faultKind(effect), when: faultTiming(effect), ...call },
        ...{ number: updatedFault.fired, left: remainingUses(updatedFault), sentence: firingSentence(effect) },
      },
    };
  }
}

/** Delays that apply, then the first fault that responds instead of the service. */
const chooseFaults = (faults: readonly ArmedFault[]): ArmedFault[] => {
  const end = faults.find(({ effect }) => !effect.delay);
  const worked = !end || faultTiming(end.effect) === "after";
  const delays = faults.filter(({ effect }) => effect.delay && (worked || faultTiming(effect) === "before"));
  return end ? [...delays, end] : delays;
};
