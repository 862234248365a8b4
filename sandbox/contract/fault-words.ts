import type { FaultEffect, FaultError, FaultTiming } from "./control/fault-operations.ts";
import { FAULT_STATUS, MAX_HANG_MS } from "./values.ts";

/** The parts of a fault that its sentences name. */
export interface FaultDescription {
  readonly operation?: string | undefined;
  readonly integration_id?: string | null | undefined;
  readonly calls?: { readonly nth: number } | null | undefined;
  readonly effect: FaultEffect;
  readonly uses?: number | null | undefined;
}

const ordinal = (n: number): string => {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${ending}`;
};

/** `200 ms`, `8 s`, `10 min`: in the largest unit that gives a whole number. */
const formatSpan = (ms: number): string => {
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`;
};

const faultSubject = ({ calls, operation = "*", uses = null, integration_id = null }: FaultDescription): string => {
  const target = operation === "*" ? "" : ` of ${operation}`;
  const rest = `${target}${integration_id === null ? "" : ` by the integration ${integration_id}`}`;
  if (calls) return `The ${ordinal(calls.nth)} call${rest}`;
  if (uses === null) return `Every call${rest}`;
  return uses === 1 ? `The next call${rest}` : `Each of the next ${uses} calls${rest}`;
};

const faultAnswer = ({ code, status }: FaultError): string =>
  [status ?? (code === undefined ? FAULT_STATUS : []), code ?? []].flat().join(" ");

const instead = (when: FaultTiming | undefined): string => (when === "after" ? "after it has run" : "without running");

const words = ({ error, delay, drop, rate_limit, hang }: FaultEffect): readonly [does: string, did: string] => {
  if (error) {
    const returned = `${faultAnswer(error)} ${instead(error.when)}`;
    return [`returns ${returned}`, `returned ${returned}`];
  }
  if (delay) {
    const span = formatSpan(delay.ms);
    return delay.when === "after"
      ? [`runs, and responds ${span} later`, `delayed by ${span}, after running`]
      : [`waits ${span} before it runs`, `delayed by ${span}, before running`];
  }
  if (drop) {
    const how = instead(drop.when);
    return [
      `gets no response: the connection is closed ${how}`,
      `the connection was closed without a response, ${how}`,
    ];
  }
  if (hang) {
    const how = instead(hang.when);
    return [
      `gets no response, ${how}: the connection stays open until the caller gives up, at most ${formatSpan(MAX_HANG_MS)}`,
      `left without a response, ${how}`,
    ];
  }
  const { limit, window_seconds } = rate_limit ?? { limit: 0, window_seconds: 0 };
  return [
    `above ${limit} in ${window_seconds} s by one integration returns 429 rate_limited`,
    `returned 429 rate_limited ${instead("before")}`,
  ];
};

export const faultSentence = (fault: FaultDescription): string => `${faultSubject(fault)} ${words(fault.effect)[0]}.`;

export const firingSentence = (effect: FaultEffect): string => {
  const [, did] = words(effect);
  return `${did.charAt(0).toUpperCase()}${did.slice(1)}.`;
};
