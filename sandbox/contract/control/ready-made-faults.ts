import type { RequestOf } from "../operation.ts";
import type { faultsSet } from "./fault-operations.ts";

/** A fault or several under a name, to be armed as they are. */
export interface ReadyMadeFault {
  readonly id: string;
  readonly name: string;
  /** What a program meets, and what a correct one does. */
  readonly sentence: string;
  /** The bodies of `faults.set`, without the name and the world. */
  readonly faults: readonly Omit<RequestOf<typeof faultsSet>, "world" | "id" | "name">[];
}

/** What programs meet most in production. */
export const readyMadeFaults: readonly ReadyMadeFault[] = [
  {
    id: "supplier-down",
    name: "The supplier's ERP is down for an hour",
    sentence: "No notification reaches a supplier; all of them wait, and arrive by the retry schedule when it is over.",
    faults: [{ about: "attempts", event_type: "supplier.procurements", effect: { drop: {} }, for_seconds: 3_600 }],
  },
  {
    id: "slow-answers",
    name: "Every answer takes 8 s",
    sentence: "Calls are carried out and answered late: a program that waits for less must not take it for a failure.",
    faults: [{ effect: { delay: { ms: 8_000, when: "after" } } }],
  },
  {
    id: "rate-limit",
    name: "Ten calls a minute",
    sentence: "Beyond them an integration is answered 429 with Retry-After, and should wait for so long.",
    faults: [{ effect: { rate_limit: { limit: 10, window_seconds: 60 } } }],
  },
  {
    id: "every-tenth",
    name: "Every tenth call fails",
    sentence: "It is answered 500 without being carried out, and can be sent again.",
    faults: [{ calls: { every: 10 }, effect: { error: { code: "internal_error" } } }],
  },
  {
    id: "one-in-five",
    name: "One call in five fails, by lot",
    sentence: "With the same seed the same calls fail each time, so that a test can be repeated.",
    faults: [
      { calls: { probability: 0.2, seed: 7 }, effect: { error: { status: 503, body: { type: "unavailable" } } } },
    ],
  },
  {
    id: "order-without-answer",
    name: "The order is placed, its answer is lost",
    sentence: "The connection drops after the work was done, once: is it safe to send the call again?",
    faults: [{ operation: "repairer.procurements.place", uses: 1, effect: { drop: { when: "after" } } }],
  },
  {
    id: "cut-off",
    name: "Answers are cut off",
    sentence: "Half of the body arrives, three times; what is no whole answer must not be read as one.",
    faults: [{ uses: 3, effect: { truncate: {} } }],
  },
  {
    id: "hang",
    name: "No answer ever comes",
    sentence: "The next three calls hang until the caller gives up: does it have a time limit?",
    faults: [{ uses: 3, effect: { hang: {} } }],
  },
  {
    id: "install-fails",
    name: "The install fails once",
    sentence: "The first integrations.insert is answered 503; its code is not used up, and can be sent again.",
    faults: [
      {
        operation: "integrations.insert",
        uses: 1,
        effect: { error: { status: 503, body: { type: "unavailable" } } },
      },
    ],
  },
  {
    id: "receiver-busy",
    name: "The receiver answers 503 for ten minutes",
    sentence: "Notifications are not sent and count as answered 503; none is lost, they are sent again.",
    faults: [{ about: "attempts", effect: { error: { status: 503 } }, for_seconds: 600 }],
  },
  {
    id: "receiver-answer-lost",
    name: "The receiver's answer is lost",
    sentence: "The next three notifications arrive and are sent again: a receiver must know what it has seen.",
    faults: [{ about: "attempts", uses: 3, effect: { drop: { when: "after" } } }],
  },
  {
    id: "late-notifications",
    name: "Notifications come 30 s late",
    sentence: "By then the state has moved on: read what is current, and not what the notification says.",
    faults: [{ about: "attempts", effect: { delay: { ms: 30_000 } } }],
  },
];
