import type { Static } from "typebox";
import * as Type from "typebox";
import {
  ANY_OPERATION,
  Fault,
  type FaultEffect,
  type FaultFiring,
  type FaultKind,
  type FaultMark,
  type FaultTiming,
  faultKinds,
} from "../../contract/control/fault-operations.ts";
import type { RequestRow } from "../../contract/control/rows.ts";
import { Nullable } from "../../contract/schema.ts";

/** As far as dates reach. */
const RealTime = Type.Integer({ minimum: 0, maximum: 8.64e15 });

/** A fault and how far it has come. Times are real, milliseconds since 1970. */
export const ArmedFault = Type.Object({
  ...Type.Omit(Fault, ["state", "left", "sentence"]).properties,
  armed_at: RealTime,
  expires_at: Nullable(RealTime),
  last_fired_at: Nullable(RealTime),
});
export type ArmedFault = Readonly<Static<typeof ArmedFault>>;

/** A call as a fault looks at it. The caller is null when it is not known. */
export type FaultyCall = Pick<FaultFiring, "operation" | "integration_id">;

/** Which of the variants an effect is; each has one key. */
export const faultKind = (effect: FaultEffect): FaultKind => faultKinds.find((kind) => effect[kind]) ?? "error";

/** A rate limit is always met before the work. */
export const faultTiming = ({ error, delay, drop, hang }: FaultEffect): FaultTiming =>
  (error ?? delay ?? drop ?? hang)?.when ?? "before";

/** How often it can still fire; null: as often as calls come. */
export const remainingUses = ({ calls, uses, matched, fired }: ArmedFault): number | null => {
  const ofUses = uses === null ? null : Math.max(0, uses - fired);
  return calls ? Math.min(matched < calls.nth ? 1 : 0, ofUses ?? 1) : ofUses;
};

/** The fault that answered a call in the place of the service; a delay only made the caller wait. */
export const answeringFault = ({ faults = [], status }: Pick<RequestRow, "faults" | "status">): FaultMark | undefined =>
  faults.findLast(({ kind }) => kind !== "delay" || status === 0);

/** Whether a test value had the call answered (D93). */
export const isTestAnswer = ({ test_values = [], status }: Pick<RequestRow, "test_values" | "status">): boolean =>
  status >= 400 && test_values.some(({ known, value }) => known && value.startsWith("answer="));

export const faultState = (fault: ArmedFault, now: number): Fault["state"] => {
  if (remainingUses(fault) === 0) return "used_up";
  return fault.expires_at !== null && now >= fault.expires_at ? "expired" : "armed";
};

export const isAbout = (fault: ArmedFault, call: FaultyCall): boolean =>
  (fault.integration_id === null || fault.integration_id === call.integration_id) &&
  (fault.operation === ANY_OPERATION || fault.operation === call.operation);

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

/** What to do about a fault that answered in the place of the service; undefined: it is there no more. */
export const remedyOfFault = (fault: ArmedFault | undefined, when: FaultTiming, now: number): string => {
  if (when === "after") return "The call has run. Check what it changed before you send it again.";
  if (!fault || faultState(fault, now) !== "armed") return "Send the call again: the fault is over.";
  return fault.effect.rate_limit
    ? `Wait for the window of ${fault.effect.rate_limit.window_seconds} s to end, or clear the fault.`
    : "Clear the fault, or send the call again when it has ended.";
};
