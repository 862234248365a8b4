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

/** Range of valid dates. */
const RealTime = Type.Integer({ minimum: 0, maximum: 8.64e15 });

/** A fault with its state. Times are real, milliseconds since 1970. */
export const ArmedFault = Type.Object({
  ...Type.Omit(Fault, ["state", "left", "sentence"]).properties,
  armed_at: RealTime,
  expires_at: Nullable(RealTime),
  last_fired_at: Nullable(RealTime),
});
export type ArmedFault = Readonly<Static<typeof ArmedFault>>;

/** Fields of a call that faults match on. An unknown caller is null. */
export type FaultyCall = Pick<FaultFiring, "operation" | "integration_id">;

/** Kind of an effect, which is its only key. */
export const faultKind = (effect: FaultEffect): FaultKind => faultKinds.find((kind) => effect[kind]) ?? "error";

/** A rate limit always applies before the call runs. */
export const faultTiming = ({ error, delay, drop, hang }: FaultEffect): FaultTiming =>
  (error ?? delay ?? drop ?? hang)?.when ?? "before";

/** Number of times the fault can still fire; null if unlimited. */
export const remainingUses = ({ calls, uses, matched, fired }: ArmedFault): number | null => {
  const ofUses = uses === null ? null : Math.max(0, uses - fired);
  return calls ? Math.min(matched < calls.nth ? 1 : 0, ofUses ?? 1) : ofUses;
};

/** Fault that responded instead of the service. A delay counts only if the caller hung up. */
export const findRespondingFault = ({
  faults = [],
  status,
}: Pick<RequestRow, "faults" | "status">): FaultMark | undefined =>
  faults.findLast(({ kind }) => kind !== "delay" || status === 0);

/** Test value that caused a failure: its response, or a delay that the caller did not wait for (D93). */
export const findTestValue = ({
  test_values = [],
  status,
  operation,
}: Pick<RequestRow, "test_values" | "status" | "operation">): string | undefined => {
  // No test value applies to the insert that sets it.
  if (operation === "repairer.jobs.insert") return undefined;
  const name = status === 0 ? "delay=" : status >= 400 ? "answer=" : null;
  return name === null ? undefined : test_values.find(({ known, value }) => known && value.startsWith(name))?.value;
};

export const faultState = (fault: ArmedFault, now: number): Fault["state"] => {
  if (remainingUses(fault) === 0) return "used_up";
  return fault.expires_at !== null && now >= fault.expires_at ? "expired" : "armed";
};

export const matchesCall = (fault: ArmedFault, call: FaultyCall): boolean =>
  (fault.integration_id === null || fault.integration_id === call.integration_id) &&
  (fault.operation === ANY_OPERATION || fault.operation === call.operation);

/** Start of a rate-limit window, and the calls in it. */
export interface RateWindow {
  readonly began: number;
  readonly calls: number;
}

/**
 * Counts a call against a rate limit. A window starts with its first call.
 *
 * @returns the updated window, and whole seconds until a retry or null if the call passes
 */
export const countAgainstLimit = (
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

/** Remedy for a fault that responded instead of the service. @param fault undefined if it was deleted */
export const describeFaultRemedy = (fault: ArmedFault | undefined, when: FaultTiming, now: number): string => {
  const named = fault?.name ? `the fault “${fault.name}”` : "the fault";
  const isArmed = fault !== undefined && faultState(fault, now) === "armed";
  if (when === "after") {
    const more = isArmed ? ` Clear ${named} first: it is still armed, and may respond to the next call as well.` : "";
    return `The call has run. Check what it changed before you send it again.${more}`;
  }
  if (!isArmed) return "Send the call again: the fault is over.";
  const { rate_limit } = fault.effect;
  return rate_limit && rate_limit.limit > 0
    ? `Wait for the window of ${rate_limit.window_seconds} s to end, or clear ${named}.`
    : `Clear ${named}, or send the call again when it has ended.`;
};
