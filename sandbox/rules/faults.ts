import type { Static } from "typebox";
import * as Type from "typebox";
import {
  ANY_OPERATION,
  type Fault,
  FaultCalls,
  FaultEffect,
  type FaultKind,
  type FaultTiming,
} from "../contract/control/fault-rows.ts";
import { Nullable } from "../contract/schema.ts";

const Count = Type.Integer({ minimum: 0 });
/** As far as dates reach. */
const RealTime = Type.Integer({ minimum: 0, maximum: 8.64e15 });

/** A fault and how far it has come. Times are real, milliseconds since 1970. */
export const ArmedFault = Type.Object({
  id: Type.String(),
  name: Nullable(Type.String()),
  operation: Type.String(),
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

/** A call as a fault looks at it. */
export interface FaultyCall {
  readonly operation: string;
  /** Null when the caller is not known. */
  readonly integration_id: string | null;
}

export const kindOf = (effect: FaultEffect): FaultKind => {
  if (effect.error) return "error";
  if (effect.delay) return "delay";
  return effect.drop ? "drop" : "rate_limit";
};

/** A rate limit is always met before the work. */
export const timingOf = ({ error, delay, drop }: FaultEffect): FaultTiming =>
  (error ?? delay ?? drop)?.when ?? "before";

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

export const isAbout = (fault: ArmedFault, call: FaultyCall): boolean =>
  (fault.operation === ANY_OPERATION || fault.operation === call.operation) &&
  (fault.integration_id === null || fault.integration_id === call.integration_id);

/** Whether it fires on a call, the `number`th it is about. */
export const firesOn = (calls: FaultCalls | null, number: number): boolean => {
  if (calls?.nth) return number === calls.nth;
  if (calls?.first) return number <= calls.first;
  return calls?.every ? number % calls.every === 0 : true;
};

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
