import type { FaultRequest } from "./fault-form.ts";

/** A named preset. */
export interface FaultPreset {
  readonly id: string;
  readonly name: string;
  /** The effect on a program, and a correct program's reaction. */
  readonly sentence: string;
  /** The body of `faults.set`, without name and world. */
  readonly fault: Omit<FaultRequest, "name">;
}

/** Frequent failures in production. */
export const faultPresets: readonly FaultPreset[] = [
  {
    id: "down",
    name: "The service is down for ten minutes",
    sentence: "Every call returns 503 without running. Retry it later.",
    fault: { effect: { error: { status: 503 } }, for_seconds: 600 },
  },
  {
    id: "slow-answers",
    name: "Every response takes 8 s",
    sentence: "Calls run, but respond late. A program with a shorter timeout must not treat this as a failure.",
    fault: { effect: { delay: { ms: 8_000, when: "after" } } },
  },
  {
    id: "rate-limit",
    name: "Ten calls a minute",
    sentence: "Above that, an integration gets 429 with Retry-After and should wait that long.",
    fault: { effect: { rate_limit: { limit: 10, window_seconds: 60 } } },
  },
  {
    id: "order-without-answer",
    name: "The order is placed, the response is lost",
    sentence: "The connection drops once, after the order was placed. Shows whether a retry is safe.",
    fault: { operation: "repairer.procurements.place", uses: 1, effect: { drop: { when: "after" } } },
  },
  {
    id: "hang",
    name: "No response",
    sentence: "The next three calls hang until the caller gives up. Shows whether it has a timeout.",
    fault: { uses: 3, effect: { hang: {} } },
  },
  {
    id: "install-fails",
    name: "The install fails once",
    sentence: "The first integrations.insert returns 503. The access code stays valid, so retry the call.",
    fault: { operation: "integrations.insert", uses: 1, effect: { error: { status: 503 } } },
  },
];
