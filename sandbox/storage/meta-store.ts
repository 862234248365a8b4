import { type Policies, type PolicyName, policyChoices, policyNames } from "../contract/control/policies.ts";
import type { ArmedFault } from "../rules/faults.ts";
import type { Database } from "./database.ts";

/** What a world knows of itself: its switches, its clock and its faults. */
export class MetaStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  #read(key: string): string | undefined {
    return this.#db.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", key)?.value;
  }

  #write(key: string, value: string): void {
    this.#db.run(
      "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      key,
      value,
    );
  }

  policies(): Policies {
    const stored = Object.fromEntries(
      policyNames.map((name) => {
        const value = this.#read(`policy.${name}`);
        const choices: readonly string[] = policyChoices[name];
        return [name, value !== undefined && choices.includes(value) ? value : choices[0]];
      }),
    );
    return stored as Policies;
  }

  setPolicy(name: PolicyName, value: string): void {
    this.#write(`policy.${name}`, value);
  }

  /** Milliseconds the world's clock is ahead of real time (D84). */
  clockOffset(): number {
    return Number(this.#read("clock_offset") ?? 0);
  }

  /** Writes something of no meaning, to find out whether writing works. */
  touch(at: number): void {
    this.#write("touched_at", String(at));
  }

  setClockOffset(ms: number): void {
    this.#write("clock_offset", String(ms));
  }

  /** In the order they were armed, with those that are used up. */
  faults(): ArmedFault[] {
    const stored = this.#read("faults");
    return stored === undefined ? [] : (JSON.parse(stored) as ArmedFault[]);
  }

  setFaults(faults: readonly ArmedFault[]): void {
    this.#write("faults", JSON.stringify(faults));
  }
}
