import { ANY_OPERATION, type FaultEffect, type FaultError, type FaultTiming } from "../contract/control/fault-rows.ts";
import type { ArmedFault } from "./faults.ts";

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
