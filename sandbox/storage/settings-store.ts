import type { Static } from "typebox";
import * as Type from "typebox";
import { Check } from "typebox/value";
import { eachPolicy, policyChoices, policyNames } from "../contract/control/policies.ts";
import { defaultRetention, policyValues, Retention } from "../contract/control/world-operations.ts";
import { StoredRule } from "../rules/worlds/counterparts.ts";
import { ArmedFault } from "../rules/worlds/faults.ts";

/** D15: latest date that the service computes. */
export const LATEST_MS = Date.UTC(9_990, 0);

/** 100 years. */
export const MAX_CLOCK_BEHIND_MS = 3_155_760_000_000;

const Ms = Type.Integer({ minimum: 0, maximum: LATEST_MS });
const Policies = Type.Object(policyValues);
const PoliciesChanged = Type.Object(eachPolicy(() => Type.Optional(Ms)));
const firstChoices = Object.fromEntries(policyNames.map((name) => [name, policyChoices[name][0]])) as Static<
  typeof Policies
>;

const setting = <S extends Type.TSchema>(schema: S, initial: Static<S>) => ({ schema, initial });

/** Settings of a world by their key in the table `meta`, stored as JSON. */
export const settings = {
  /** Creation of the world, milliseconds since 1970. Other times in its file are distances to it. */
  epoch: setting(Ms, 0),
  /** True if the world replaced an earlier one of its name by the seed. Copies of its file keep it. */
  was_reset: setting(Type.Boolean(), false),
  /**
   * Milliseconds the world's clock is ahead of real time (D84). Negative only in a world restored to a recorded time.
   */
  clock_offset: setting(Type.Integer({ minimum: -MAX_CLOCK_BEHIND_MS, maximum: LATEST_MS }), 0),
  policies: setting(Policies, firstChoices),
  /** Real time of each policy's last change; absent if it never changed. */
  policies_changed: setting(PoliciesChanged, {}),
  /** In arming order, including used-up faults. */
  faults: setting(Type.Array(ArmedFault), []),
  /** Rules of counterparts, in order. */
  counterparts: setting(Type.Array(StoredRule), []),
  retention: setting(Retention, defaultRetention),
  /** Target of subscriptions to the service itself: its origin and the world's name. Empty if there are none. */
  own_addresses: setting(Type.String({ pattern: "^$|^https?://[^ ]+ [A-Za-z0-9._-]{1,64}$" }), ""),
  /** The live log has gaps up to this ID. */
  log_trimmed: setting(Type.Integer({ minimum: 0 }), 0),
  /** IDs up to this one belong to the world before a restore. The restored log itself has no gaps. */
  log_restored: setting(Type.Integer({ minimum: 0 }), 0),
  /** Real time at which the file was copied from another world's; 0 if it wasn't. */
  copied_at: setting(Ms, 0),
} as const;

export type SettingName = keyof typeof settings;
export type Settings = { [N in SettingName]: Static<(typeof settings)[N]["schema"]> };

/** A world's file has a setting that this program never writes. */
export class BadSettingError extends Error {
  constructor(name: string) {
    super(`its setting ${name} is invalid`);
    this.name = "BadSettingError";
  }
}

/** Parses a stored setting; returns the initial value if it was never set. @throws BadSettingError */
export const parseSetting = <N extends SettingName>(name: N, text: string | undefined): Settings[N] => {
  const { schema, initial } = settings[name];
  if (text === undefined) return initial as Settings[N];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadSettingError(name);
  }
  // A policy missing from the file was added in a later version and takes its first choice.
  if (name === "policies" && value !== null) value = { ...firstChoices, ...(value as object) };
  if (!Check(schema, value)) throw new BadSettingError(name);
  return value as Settings[N];
};

/** The part of a connection that settings need. */
interface Connection {
  get<Row>(text: string, ...parameters: unknown[]): Row | undefined;
  run(text: string, ...parameters: unknown[]): unknown;
}

export class SettingsStore {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** @throws BadSettingError */
  get<N extends SettingName>(name: N): Settings[N] {
    return parseSetting(name, this.#db.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", name)?.value);
  }

  set<N extends SettingName>(name: N, value: Settings[N]): void {
    this.#db.run(
      "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      name,
      JSON.stringify(value),
    );
  }

  /** Validates all settings. @throws BadSettingError */
  check(): void {
    for (const name of Object.keys(settings) as SettingName[]) this.get(name);
  }
}
