import type { Static } from "typebox";
import * as Type from "typebox";
import {
  ANY_OPERATION,
  type Fault,
  FaultCalls,
  FaultEffect,
  type FaultFiring,
  type FaultKind,
  type FaultTiming,
  faultTargets,
} from "../contract/control/fault-rows.ts";
import { eventTypes } from "../contract/event-types.ts";
import { Nullable, OneOf } from "../contract/schema.ts";

const Count = Type.Integer({ minimum: 0 });
/** As far as dates reach. */
const RealTime = Type.Integer({ minimum: 0, maximum: 8.64e15 });

/** A fault and how far it has come. Times are real, milliseconds since 1970. */
export const ArmedFault = Type.Object({
  id: Type.String(),
  name: Nullable(Type.String()),
  /** Left out: calls. */
  about: Type.Optional(OneOf(faultTargets)),
  operation: Type.String(),
  /** Of attempts; left out: any. */
  event_type: Type.Optional(OneOf(eventTypes)),
  integration_id: Nullable(Type.String()),
  calls: Nullable(FaultCalls),
  effect: FaultEffect,
  uses: Nullable(Type.Integer({ minimum: 1 })),
  armed_at: RealTime,
  expires_at: Nullable(RealTime),
  matched: Count,
  fired: Count,
  last_fired_at: Nullable(RealTime),
});
export type ArmedFault = Readonly<Static<typeof ArmedFault>>;

/** A call as a fault looks at it. The caller is null when it is not known. */
export type FaultyCall = Required<Pick<FaultFiring, "operation" | "integration_id">>;
/** An attempt as a fault looks at it. */
export type FaultyAttempt = Required<Pick<FaultFiring, "attempt" | "integration_id">>;

/** Which of the variants an effect is; each has one key. */
export const kindOf = (effect: FaultEffect): FaultKind => {
  if (effect.error) return "error";
  if (effect.delay) return "delay";
  if (effect.drop) return "drop";
  if (effect.hang) return "hang";
  return effect.truncate ? "truncate" : "rate_limit";
};

/** A rate limit is always met before the work; an answer is cut once there is one. */
export const timingOf = ({ error, delay, drop, hang, truncate }: FaultEffect): FaultTiming =>
  truncate ? "after" : ((error ?? delay ?? drop ?? hang)?.when ?? "before");

/** How often it can still fire; null: as often as calls come. */
export const leftOf = ({ calls, uses, matched, fired }: ArmedFault): number | null => {
  const ofCalls = calls?.nth
    ? Number(matched < calls.nth)
    : calls?.first
      ? Math.max(0, calls.first - matched)
      : Number.POSITIVE_INFINITY;
  const left = Math.min(ofCalls, uses === null ? Number.POSITIVE_INFINITY : uses - fired);
  return left === Number.POSITIVE_INFINITY ? null : left;
};

export const stateOf = (fault: ArmedFault, now: number): Fault["state"] => {
  if (leftOf(fault) === 0) return "used_up";
  return fault.expires_at !== null && now >= fault.expires_at ? "expired" : "armed";
};

export const isAbout = (fault: ArmedFault, met: FaultyCall | FaultyAttempt): boolean => {
  if (fault.integration_id !== null && fault.integration_id !== met.integration_id) return false;
  if ("operation" in met)
    return fault.about !== "attempts" && (fault.operation === ANY_OPERATION || fault.operation === met.operation);
  const { about, event_type } = fault;
  return about === "attempts" && (event_type === undefined || event_type === met.attempt.event_type);
};

/** A number from 0 up to 1 that looks drawn by lot, and is the same for the same seed and number. */
export const lot = (seed: number, number: number): number => {
  // SplitMix32: each number of a seed is its own draw, so that nothing but the count has to be remembered.
  let mixed = (seed + Math.imul(number, 0x9e3779b9)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
};

export const DEFAULT_SEED = 1;

/** Whether it fires on a call or an attempt, the `number`th it is about. */
export const firesOn = (calls: FaultCalls | null, number: number): boolean => {
  if (calls?.nth) return number === calls.nth;
  if (calls?.first) return number <= calls.first;
  if (calls?.probability !== undefined) return lot(calls.seed ?? DEFAULT_SEED, number) < calls.probability;
  return calls?.every ? number % calls.every === 0 : true;
};

/** How much of an answer is sent that is cut: never all of it. */
export const cutAt = ({ bytes }: NonNullable<FaultEffect["truncate"]>, length: number): number =>
  Math.max(0, Math.min(bytes ?? Math.floor(length / 2), length - 1));

/** A window of a rate limit: when it began, and how many calls came in it. */
export interface RateWindow {
  readonly began: number;
  readonly calls: number;
}

/**
 * Counts a call against a limit. A window begins with its first call; the next one with the first call after it.
 *
 * @returns the window with the call in it, and after how many whole seconds to try again, or null when the call passes
 */
export const countAgainst = (
  { limit, window_seconds }: { readonly limit: number; readonly window_seconds: number },
  window: RateWindow | undefined,
  now: number,
): { readonly window: RateWindow; readonly retryAfterSeconds: number | null } => {
  const lengthMs = window_seconds * 1_000;
  const current = window && now - window.began < lengthMs ? window : { began: now, calls: 0 };
  const counted = { began: current.began, calls: current.calls + 1 };
  const left = Math.max(1, Math.ceil((counted.began + lengthMs - now) / 1_000));
  return { window: counted, retryAfterSeconds: counted.calls > limit ? left : null };
};
