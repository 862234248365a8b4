import type { FaultFiring, FaultMark } from "../contract/control/fault-rows.ts";
import type { LiveData } from "../contract/live.ts";
import { sentenceOfFiring } from "../rules/fault-words.ts";
import {
  type ArmedFault,
  countAgainst,
  type FaultyAttempt,
  type FaultyCall,
  firesOn,
  isAbout,
  kindOf,
  leftOf,
  type RateWindow,
  stateOf,
  timingOf,
} from "../rules/faults.ts";
import type { Stores } from "../storage/stores.ts";

/** So many are kept; those that are used up make room for others. */
export const MOST_FAULTS = 100;

type Append = <K extends "fault" | "world">(kind: K, traceId: string | null, data: LiveData[K]) => void;

/** What the faults need of their world. */
export interface FaultyWorld {
  readonly stores: Pick<Stores, "settings">;
  write<T>(run: (append: Append) => T): Promise<T>;
}

/** One fault that fires on a call or an attempt. */
export interface Firing {
  readonly fault: ArmedFault;
  readonly row: FaultFiring;
  /** Of a rate limit: whole seconds. */
  readonly retryAfterSeconds: number | null;
}

/** How a call or an attempt names a fault it met. */
export const markOf = ({ row }: Firing): FaultMark => ({ id: row.fault_id, kind: row.kind, when: row.when });

/** What a call or an attempt meets: delays first, and at the end at most one thing that answers instead of the work. */
export interface Met {
  readonly before: readonly Firing[];
  readonly after: readonly Firing[];
  /** Resolves when it is on record that they fired. */
  readonly recorded: Promise<void>;
}

interface Candidate {
  readonly fault: ArmedFault;
  readonly retryAfterSeconds: number | null;
}

/** There are so many faults already, and all of them are armed. */
export class TooManyFaults extends Error {}

/** The faults of one world, counted in memory and kept in its file with every call that one of them is about. */
export class Faults {
  readonly #world: FaultyWorld;
  #faults: readonly ArmedFault[];
  /** Of rate limits, by fault and integration. A restart begins them anew. */
  readonly #windows = new Map<string, RateWindow>();
  #armed = false;

  constructor(world: FaultyWorld) {
    this.#world = world;
    this.#faults = world.stores.settings.get("faults");
    this.#look(Date.now());
  }

  /** False: nothing meets anything. True: something may. */
  get armed(): boolean {
    return this.#armed;
  }

  /** In the order they were armed, with those that are used up or expired. */
  list(): readonly ArmedFault[] {
    return this.#faults;
  }

  #look(now: number): void {
    this.#armed = this.#faults.some((fault) => stateOf(fault, now) === "armed");
  }

  /** Arms a fault, in the place of an earlier one of its id. @throws TooManyFaults */
  async set(fault: ArmedFault): Promise<void> {
    const now = Date.now();
    const others = this.#faults.filter(({ id }) => id !== fault.id);
    const spare = others.length - (MOST_FAULTS - 1);
    const spent = spare <= 0 ? [] : others.filter((one) => stateOf(one, now) !== "armed").slice(0, spare);
    if (spent.length < spare) throw new TooManyFaults();
    await this.#change([...others.filter((one) => !spent.includes(one)), fault]);
  }

  /** @param id null: all of them. @returns how many there were */
  async clear(id: string | null): Promise<number> {
    const left = id === null ? [] : this.#faults.filter((fault) => fault.id !== id);
    const cleared = this.#faults.length - left.length;
    if (cleared > 0) await this.#change(left);
    return cleared;
  }

  /** In memory first: what a call counts meanwhile must not be written over. */
  async #change(faults: readonly ArmedFault[]): Promise<void> {
    const earlier = this.#faults;
    this.#faults = faults;
    for (const key of this.#windows.keys()) {
      const id = key.split(" ", 1)[0];
      const kept = earlier.find((fault) => fault.id === id);
      if (!kept || !faults.includes(kept)) this.#windows.delete(key);
    }
    this.#look(Date.now());
    try {
      await this.#world.write((append) => {
        this.#world.stores.settings.set("faults", [...this.#faults]);
        append("world", null, { what: "faults", before: earlier, after: this.#faults });
      });
    } catch (error) {
      this.#faults = earlier;
      this.#look(Date.now());
      throw error;
    }
  }

  /** Counts a call or an attempt, and says what becomes of it; null when nothing does. */
  meet(call: FaultyCall | FaultyAttempt, traceId: string): Met | null {
    const now = Date.now();
    const candidates: Candidate[] = [];
    let matched = false;
    this.#faults = this.#faults.map((fault) => {
      if (stateOf(fault, now) !== "armed" || !isAbout(fault, call)) return fault;
      matched = true;
      const counted = { ...fault, matched: fault.matched + 1 };
      const retryAfterSeconds = this.#overLimit(fault, call, now);
      const fires = fault.effect.rate_limit ? retryAfterSeconds !== null : firesOn(fault.calls, counted.matched);
      if (fires) candidates.push({ fault: counted, retryAfterSeconds });
      return counted;
    });
    if (!matched) {
      this.#look(now);
      return null;
    }
    const firings = chosen(candidates).map((candidate) => this.#fire(candidate, call, now));
    this.#look(now);
    const recorded = this.#record(firings, traceId);
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

  #overLimit({ id, effect }: ArmedFault, call: Pick<FaultyCall, "integration_id">, now: number): number | null {
    if (!effect.rate_limit) return null;
    const key = `${id} ${call.integration_id ?? ""}`;
    const { window, retryAfterSeconds } = countAgainst(effect.rate_limit, this.#windows.get(key), now);
    this.#windows.set(key, window);
    return retryAfterSeconds;
  }

  #fire({ fault, retryAfterSeconds }: Candidate, call: FaultyCall | FaultyAttempt, now: number): Firing {
    const fired = { ...fault, fired: fault.fired + 1, last_fired_at: now };
    this.#faults = this.#faults.map((one) => (one === fault ? fired : one));
    return {
      fault: fired,
      retryAfterSeconds,
      row: {
        fault_id: fired.id,
        name: fired.name,
        kind: kindOf(fired.effect),
        when: timingOf(fired.effect),
        ...call,
        number: fired.fired,
        left: leftOf(fired),
        sentence: sentenceOfFiring(fired),
      },
    };
  }

  #record(firings: readonly Firing[], traceId: string): Promise<void> {
    const keep = (): void => this.#world.stores.settings.set("faults", [...this.#faults]);
    if (firings.length === 0) return this.#world.write(keep);
    return this.#world.write((append) => {
      keep();
      for (const { row } of firings) append("fault", traceId, row);
    });
  }
}

/** Delays that come to pass, and the first armed of what answers instead of the work. */
const chosen = (candidates: readonly Candidate[]): Candidate[] => {
  const isDelay = ({ fault }: Candidate): boolean => fault.effect.delay !== undefined;
  const end = candidates.find((candidate) => !isDelay(candidate));
  const worked = end === undefined || timingOf(end.fault.effect) === "after";
  const delays = candidates.filter((one) => isDelay(one) && (worked || timingOf(one.fault.effect) === "before"));
  return end ? [...delays, end] : delays;
};
