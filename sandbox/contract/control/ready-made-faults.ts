import type { RequestOf } from "../operation.ts";
import type { faultsSet } from "./fault-operations.ts";

/** A fault under a name, to be armed as it is. */
export interface ReadyMadeFault {
  readonly id: string;
  readonly name: string;
  /** What a program meets, and what a correct one does. */
  readonly sentence: string;
  /** The body of `faults.set`, without the name and the world. */
  readonly fault: Omit<RequestOf<typeof faultsSet>, "world" | "name">;
}

/** What programs meet most in production. */
export const readyMadeFaults: readonly ReadyMadeFault[] = [
  {
    id: "down",
    name: "The service is down for ten minutes",
    sentence: "Every call is answered 503 without being carried out, and can be sent again later.",
    fault: { effect: { error: { status: 503 } }, for_seconds: 600 },
  },
  {
    id: "slow-answers",
    name: "Every answer takes 8 s",
    sentence: "Calls are carried out and answered late: a program that waits for less must not take it for a failure.",
    fault: { effect: { delay: { ms: 8_000, when: "after" } } },
  },
  {
    id: "rate-limit",
    name: "Ten calls a minute",
    sentence: "Beyond them an integration is answered 429 with Retry-After, and should wait for so long.",
    fault: { effect: { rate_limit: { limit: 10, window_seconds: 60 } } },
  },
  {
    id: "order-without-answer",
    name: "The order is placed, its answer is lost",
    sentence: "The connection drops after the work was done, once: is it safe to send the call again?",
    fault: { operation: "repairer.procurements.place", uses: 1, effect: { drop: { when: "after" } } },
  },
  {
    id: "hang",
    name: "No answer ever comes",
    sentence: "The next three calls hang until the caller gives up: does it have a time limit?",
    fault: { uses: 3, effect: { hang: {} } },
  },
  {
    id: "install-fails",
    name: "The install fails once",
    sentence: "The first integrations.insert is answered 503; its code is not used up, and can be sent again.",
    fault: { operation: "integrations.insert", uses: 1, effect: { error: { status: 503 } } },
  },
];
