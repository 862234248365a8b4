import { FAULT_MET } from "../contract/control/failure-words.ts";
import {
  ANY_OPERATION,
  type FaultEffect,
  type FaultError,
  type FaultTiming,
  LONGEST_HANG_MS,
} from "../contract/control/fault-rows.ts";
import { type ArmedFault, DEFAULT_SEED, leftOf, stateOf } from "./faults.ts";

const ordinal = (n: number): string => {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${ending}`;
};

/** `200 ms`, `8 s`, `10 min`: the largest unit that is whole. */
const spanOf = (ms: number): string => {
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`;
};

const percentOf = (probability: number): string => `${Number((probability * 100).toFixed(2))}%`;

const subjectOf = ({ calls, operation, about, event_type, uses }: ArmedFault): string => {
  const [one, many, rest] =
    about === "attempts"
      ? ["attempt", "attempts", ` to send ${event_type ?? "a notification"}`]
      : ["call", "calls", operation === ANY_OPERATION ? "" : ` of ${operation}`];
  if (calls?.nth) return `The ${ordinal(calls.nth)} ${one}${rest}`;
  if (calls?.every && calls.every > 1) return `Every ${ordinal(calls.every)} ${one}${rest}`;
  if (calls?.probability !== undefined)
    return `With a probability of ${percentOf(calls.probability)} (seed ${calls.seed ?? DEFAULT_SEED}), ${about === "attempts" ? "an" : "a"} ${one}${rest}`;
  if (calls?.first) return `Each of the first ${calls.first} ${many}${rest}`;
  if (uses === null) return `Every ${one}${rest}`;
  return uses === 1 ? `The next ${one}${rest}` : `Each of the next ${uses} ${many}${rest}`;
};

const answerOf = ({ code, status, body }: FaultError): string => {
  if (code !== undefined) return status === undefined ? code : `${status} ${code}`;
  return body === undefined ? String(status) : `${status} with a body of its own`;
};

const instead = (when: FaultTiming | undefined): string =>
  when === "after" ? "after it was carried out" : "without being carried out";

const partOf = (bytes: number | undefined): string =>
  bytes === undefined ? "half of the answer's body" : `${bytes} bytes of the answer's body`;

/** What an effect does to a call, and what it did. */
const toCall = ({ error, delay, drop, rate_limit, hang, truncate }: FaultEffect): readonly [string, string] => {
  if (error) {
    const answered = `answered ${answerOf(error)} ${instead(error.when)}`;
    return [`is ${answered}`, answered];
  }
  if (delay) {
    const span = spanOf(delay.ms);
    return delay.when === "after"
      ? [`is carried out and answered ${span} later`, `answered ${span} after it was carried out`]
      : [`waits ${span} before it is carried out`, `held for ${span} before it was carried out`];
  }
  if (drop) {
    const how = instead(drop.when);
    return [`gets no answer: the connection is closed ${how}`, `the connection was closed without an answer, ${how}`];
  }
  if (hang) {
    const how = instead(hang.when);
    const span = spanOf(hang.ms ?? LONGEST_HANG_MS);
    return [
      `gets no answer, ${how}: the connection stays open until the caller gives up, at most ${span}`,
      `left without an answer, ${how}`,
    ];
  }
  if (truncate) {
    const part = partOf(truncate.bytes);
    return [`is carried out, but after ${part} the connection is closed`, `the connection was closed after ${part}`];
  }
  return rate_limit
    ? [
        `beyond ${rate_limit.limit} of an integration within ${rate_limit.window_seconds} s is answered 429 rate_limited`,
        `answered 429 rate_limited ${instead("before")}`,
      ]
    : ["is let through", "let through"];
};

/** What an effect does to an attempt, and what it did. */
const toAttempt = ({ error, delay, drop }: FaultEffect): readonly [string, string] => {
  if (error) {
    const status = answerOf(error);
    return error.when === "after"
      ? [`is sent, but counts as answered ${status}`, `sent, but counted as answered ${status}`]
      : [`is not sent: it counts as answered ${status}`, `not sent, counted as answered ${status}`];
  }
  if (delay) return [`waits ${spanOf(delay.ms)} before it is sent`, `held for ${spanOf(delay.ms)} before it was sent`];
  return drop?.when === "after"
    ? ["is sent, and the receiver's answer is lost", "sent, and the receiver's answer was lost"]
    : ["is not sent: the connection is closed", "not sent, the connection was closed"];
};

/** What a fault does, as a sentence. */
export const sentenceOfFault = (fault: ArmedFault): string => {
  const { about, effect, integration_id } = fault;
  const of = integration_id === null ? "" : ` ${about === "attempts" ? "to" : "by"} the integration ${integration_id}`;
  const [does] = about === "attempts" ? toAttempt(effect) : toCall(effect);
  return `${subjectOf(fault)}${of} ${does}.`;
};

/** What a fault did to a call or an attempt, as a sentence. */
export const sentenceOfFiring = ({ about, effect }: Pick<ArmedFault, "about" | "effect">): string => {
  const [, did] = about === "attempts" ? toAttempt(effect) : toCall(effect);
  return `${did.charAt(0).toUpperCase()}${did.slice(1)}.`;
};

/** Why an attempt acknowledges nothing that a fault ended, in words. */
export const errorOfAttempt = (effect: FaultEffect): string => FAULT_MET + toAttempt(effect)[1];

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
