import type { DrillName } from "./drill-names.ts";
import type { RejectReason } from "./signature.ts";

/**
 * What a correct receiver answers. Only 200 acknowledges (contract, "Delivery rules" 3); a refusal is any 4xx, and
 * `status` is the one the reference sink gives (D78).
 */
export type DrillExpectation =
  | { readonly answer: "acknowledge"; readonly status: 200; readonly reason: null }
  | { readonly answer: "refuse"; readonly status: 400 | 401; readonly reason: RejectReason };

export interface DrillDeclaration {
  readonly title: string;
  /** What is sent. */
  readonly sends: string;
  readonly expects: DrillExpectation;
  /** Why it matters: what goes wrong for a receiver that answers otherwise. */
  readonly why: string;
}

const acknowledge: DrillExpectation = { answer: "acknowledge", status: 200, reason: null };
const refuse = (status: 400 | 401, reason: RejectReason): DrillExpectation => ({ answer: "refuse", status, reason });

/** The only description of the drills: the service, the explorer and the documentation's test read it. */
export const drills: Record<DrillName, DrillDeclaration> = {
  duplicate: {
    title: "Duplicate",
    sends: "The notification, and once more with the same message_id.",
    expects: acknowledge,
    why: "Delivery is at least once: a repeat is acknowledged, and nothing else is done.",
  },
  reordered: {
    title: "Out of order",
    sends: "Two notifications of one job, the newer event first.",
    expects: acknowledge,
    why: "A notification says that something changed; the current state is read through the API, whichever came first.",
  },
  missing_signature: {
    title: "No signature",
    sends: "The notification without its signature header.",
    expects: refuse(401, "missing_signature"),
    why: "Anybody can send a body; without a signature nobody can tell who did.",
  },
  flipped_byte: {
    title: "One byte flipped",
    sends: "The notification with one byte of its payload changed after it was signed.",
    expects: refuse(401, "bad_signature"),
    why: "The signature covers the exact bytes; a body that changed on its way is not what was signed.",
  },
  wrong_secret: {
    title: "Wrong secret",
    sends: "The notification, signed with a secret that is not this integration's.",
    expects: refuse(401, "bad_signature"),
    why: "A signature proves something only when it is compared with one's own.",
  },
  missing_timestamp: {
    title: "No stamp",
    sends: "The notification without webhook_timestamp, signed as it is.",
    expects: refuse(400, "missing_timestamp"),
    why: "Without a sent time nobody can tell a fresh notification from a recorded one.",
  },
  malformed_timestamp: {
    title: "Unparseable stamp",
    sends: "The notification with a webhook_timestamp that is no time, signed as it is.",
    expects: refuse(400, "missing_timestamp"),
    why: "A stamp that cannot be read must not count as now.",
  },
  stale: {
    title: "Six minutes old",
    sends: "The notification, stamped six minutes ago and signed.",
    expects: refuse(400, "stale_timestamp"),
    why: "Whoever recorded a notification could send it again; five minutes are all they get.",
  },
  future: {
    title: "Six minutes ahead",
    sends: "The notification, stamped six minutes ahead and signed.",
    expects: refuse(400, "stale_timestamp"),
    why: "A stamp from the future would stay acceptable for longer than five minutes.",
  },
};

/** Of a drill that was passed what nobody outside the receiver can see; null where the answer shows all. */
export const unseenBy = (drill: DrillName): string | null =>
  drill === "duplicate" ? "whether it deduplicates can’t be seen" : null;

/** What a result is called: where not all can be seen, that it acknowledged is all that is known. */
export const verdictWord = (drill: DrillName, verdict: "passed" | "failed"): string =>
  verdict === "passed" && unseenBy(drill) !== null ? "acknowledged" : verdict;

/**
 * Whether a receiver refuses the good with the bad, as the latest results of its drills say: that it refuses one of them
 * proves nothing then.
 */
export const refusesAll = (
  latest: readonly { readonly drill: DrillName; readonly verdict: "passed" | "failed" }[],
): boolean => {
  const good = latest.filter(({ drill }) => drills[drill].expects.answer === "acknowledge");
  return good.length > 0 && good.every(({ verdict }) => verdict === "failed");
};
