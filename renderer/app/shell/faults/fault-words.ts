import type { Fault } from "../../../../sandbox/contract/control/fault-rows.ts";
import { formatSpan, plural } from "../../../lib/formatting.ts";

/** Those that still let calls fail; one that ran out is told by no feed. */
export const armedOf = (faults: readonly Fault[], nowMs: number): readonly Fault[] =>
  faults.filter(
    ({ state, expires_at }) => state === "armed" && (expires_at === null || Date.parse(expires_at) > nowMs),
  );

/** "fired 3 times, 2 calls left, armed for another 4 min": what is left of a fault, beside what it does. */
export const leftOfFault = ({ fired, left, expires_at }: Fault, nowMs: number): string =>
  [
    fired === 0 ? "has not fired yet" : `fired ${fired === 1 ? "once" : `${fired} times`}`,
    ...(left === null ? [] : [`${plural(left, "call")} left`]),
    ...(expires_at === null ? [] : [`armed for another ${formatSpan(Date.parse(expires_at) - nowMs)}`]),
  ].join(", ");
