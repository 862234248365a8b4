import { ANY_OPERATION, type FaultEffect, type FaultError, type FaultTiming } from "../contract/control/fault-rows.ts";
import { type ArmedFault, leftOf, stateOf } from "./faults.ts";

const ordinal = (n: number): string => {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${ending}`;
};

const callsOf = ({ calls, operation }: ArmedFault): string => {
  const what = operation === ANY_OPERATION ? "call" : `call of ${operation}`;
  if (calls?.nth) return `The ${ordinal(calls.nth)} ${what}`;
  if (calls?.every && calls.every > 1) return `Every ${ordinal(calls.every)} ${what}`;
  return calls?.first ? `Each of the first ${calls.first} ${what.replace("call", "calls")}` : `Every ${what}`;
};

const answerOf = ({ code, status, body }: FaultError): string => {
  if (code !== undefined) return status === undefined ? code : `${status} ${code}`;
  return body === undefined ? String(status) : `${status} with a body of its own`;
};

const instead = (when: FaultTiming | undefined): string =>
  when === "after" ? "after it was carried out" : "without being carried out";

const effectOf = ({ error, delay, drop, rate_limit }: FaultEffect): string => {
  if (error) return `is answered ${answerOf(error)} ${instead(error.when)}`;
  if (delay)
    return delay.when === "after"
      ? `is carried out and answered ${delay.ms} ms later`
      : `waits ${delay.ms} ms before it is carried out`;
  if (drop) return `gets no answer: the connection is closed ${instead(drop.when)}`;
  return rate_limit
    ? `beyond ${rate_limit.limit} of an integration within ${rate_limit.window_seconds} s is answered 429 rate_limited`
    : "is let through";
};

/** What a fault does, as a sentence. */
export const sentenceOfFault = (fault: ArmedFault): string => {
  const of = fault.integration_id === null ? "" : ` by the integration ${fault.integration_id}`;
  return `${callsOf(fault)}${of} ${effectOf(fault.effect)}.`;
};

/** What a fault did to a call, as a sentence. */
export const sentenceOfFiring = (effect: FaultEffect): string => {
  if (effect.error) return `Answered ${answerOf(effect.error)} ${instead(effect.error.when)}.`;
  if (effect.delay)
    return effect.delay.when === "after"
      ? `Answered ${effect.delay.ms} ms after it was carried out.`
      : `Held for ${effect.delay.ms} ms before it was carried out.`;
  if (effect.drop) return `The connection was closed without an answer, ${instead(effect.drop.when)}.`;
  return `Answered 429 rate_limited ${instead("before")}.`;
};

/** What to do about a fault that answered in the place of the service; undefined: it is there no more. */
export const remedyOfFault = (fault: ArmedFault | undefined, now: number): string => {
  if (!fault || stateOf(fault, now) !== "armed") return "Send the call again: the fault is over.";
  const { rate_limit } = fault.effect;
  if (rate_limit) return `Wait until the window of ${rate_limit.window_seconds} s is over, or clear the fault.`;
  if (leftOf(fault) !== null) return "Clear the fault, or send the call again once it is used up.";
  return fault.expires_at === null
    ? "Clear the fault: it stays armed until then."
    : "Clear the fault, or send the call again after its end.";
};
