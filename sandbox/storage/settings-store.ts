import type { Static } from "typebox";
import * as Type from "typebox";
import { Check } from "typebox/value";
import { eachPolicy, policyChoices, policyNames } from "../contract/control/policies.ts";
import { defaultRetention, policyValues, Retention } from "../contract/control/world-operations.ts";
import { KeptRule } from "../rules/worlds/counterparts.ts";
import { ArmedFault } from "../rules/worlds/faults.ts";

/** D15: the service computes no date after this. */
export const LATEST_MS = Date.UTC(9_990, 0);

/** A hundred years. */
export const FURTHEST_BACK_MS = 3_155_760_000_000;

const Ms = Type.Integer({ minimum: 0, maximum: LATEST_MS });
const Policies = Type.Object(policyValues);
const PoliciesChanged = Type.Object(eachPolicy(() => Type.Optional(Ms)));
const firstChoices = Object.fromEntries(policyNames.map((name) => [name, policyChoices[name][0]])) as Static<
  typeof Policies
>;

const setting = <S extends Type.TSchema>(schema: S, initial: Static<S>) => ({ schema, initial });

/** Everything a world knows of itself, by its key in the table `meta`, where it is kept as JSON. */
export const settings = {
  /** When the world was made, milliseconds since 1970. Every other time in its file is a distance to it. */
  epoch: setting(Ms, 0),
  /** Milliseconds the world's clock is ahead of real time (D84); behind it only where a recorded world goes on from then. */
  clock_offset: setting(Type.Integer({ minimum: -FURTHEST_BACK_MS, maximum: LATEST_MS }), 0),
  policies: setting(Policies, firstChoices),
  /** When each of them was last set to another choice, real time; what was never set is not there. */
  policies_changed: setting(PoliciesChanged, {}),
  /** In the order they were armed, with those that are used up. */
  faults: setting(Type.Array(ArmedFault), []),
  /** By which organizations act by themselves, in their order. */
  counterparts: setting(Type.Array(KeptRule), []),
  retention: setting(Retention, defaultRetention),
  /** Where its subscriptions to the service itself lead: the service's origin and the world's name; empty: there are none. */
  own_addresses: setting(Type.String({ pattern: "^$|^https?://[^ ]+ [A-Za-z0-9._-]{1,64}$" }), ""),
  /** Up to this id the live log is not whole. */
  log_trimmed: setting(Type.Integer({ minimum: 0 }), 0),
  /** What readers of the live log know up to this id is of another world: it was restored then. Its own log is whole. */
  log_restored: setting(Type.Integer({ minimum: 0 }), 0),
} as const;

export type SettingName = keyof typeof settings;
export type Settings = { [N in SettingName]: Static<(typeof settings)[N]["schema"]> };

/** A setting in a world's file is none that this program writes. */
export class BadSettingError extends Error {
  constructor(name: string) {
    super(`its setting ${name} is invalid`);
    this.name = "BadSettingError";
  }
}

/** The value of a setting from its text in the file; undefined: it was never set. @throws BadSettingError */
export const parseSetting = <N extends SettingName>(name: N, text: string | undefined): Settings[N] => {
  const { schema, initial } = settings[name];
  if (text === undefined) return initial as Settings[N];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadSettingError(name);
  }
  // A switch that a file does not have yet is one of a later version: it stands at its first choice.
  if (name === "policies" && value !== null) value = { ...firstChoices, ...(value as object) };
  if (!Check(schema, value)) throw new BadSettingError(name);
  return value as Settings[N];
};

/** A connection to a world's file, as far as settings need it. */
interface Connection {
  get<Row>(text: string, ...parameters: unknown[]): Row | undefined;
  run(text: string, ...parameters: unknown[]): unknown;
}

/** What a world knows of itself: when it was made, its clock, its switches, its faults. */
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

  /** Reads all of them. @throws BadSettingError */
  check(): void {
    for (const name of Object.keys(settings) as SettingName[]) this.get(name);
  }
}
