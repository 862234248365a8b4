import type { DrillExpected, DrillRow } from "./control/receiver-operations.ts";
import type { DrillName } from "./drill-names.ts";
import type { RejectReason } from "./signature.ts";

interface DrillDeclaration {
  readonly title: string;
  readonly sends: string;
  readonly expects: DrillExpected;
  /** The consequence for a receiver that responds differently. */
  readonly why: string;
  /**
   * The mistake and its fix, for a drill that differs in one thing only from a valid request. A drill without one is
   * explained by its title.
   */
  readonly mistake?: string;
}

const acknowledge: DrillExpected = { answer: "acknowledge", status: 200, reason: null };
const refuse = (status: 400 | 401, reason: RejectReason): DrillExpected => ({ answer: "refuse", status, reason });

/** The only description of the drills: the service, the explorer and the docs test read it. */
export const drills: Record<DrillName, DrillDeclaration> = {
  duplicate: {
    title: "Duplicate",
    sends: "Sends the notification twice with the same message_id.",
    expects: acknowledge,
    why: "Delivery is at least once. Acknowledge a repeat, but don’t process it again.",
  },
  same_moment: {
    title: "Twice at once",
    sends: "Sends the same notification twice at the same moment.",
    expects: acknowledge,
    why: "Two processes can receive one message_id together. Acknowledge both, but process it once.",
    mistake:
      "The message_id is looked up and stored in two steps, so the other copy fails. Store it in one step that allows a repeat.",
  },
  reordered: {
    title: "Out of order",
    sends: "Sends two notifications for one job, the newer event first.",
    expects: acknowledge,
    why: "A notification only says that something changed. Read the current state through the API.",
  },
  printed_differently: {
    title: "Printed differently",
    sends:
      "Sends the notification as it is usually printed, then with other spacing, key order and escapes, correctly signed.",
    expects: acknowledge,
    why: "The signature covers bytes, not JSON. The same JSON can be printed in many ways.",
    mistake: "The signature is computed over JSON that was parsed and serialised again. Compute it over the raw body.",
  },
  timestamp_forms: {
    title: "Timestamp forms",
    sends:
      "Sends the notification with the usual timestamp, then with an offset and without milliseconds in webhook_timestamp.",
    expects: acknowledge,
    why: "Each is a valid ISO 8601 time. A stricter reader loses notifications.",
    mistake:
      "The webhook_timestamp is read with one fixed format, or its offset is ignored. Use a parser for ISO 8601.",
  },
  twenty_at_once: {
    title: "Twenty at once",
    sends: "Sends 20 notifications at the same time. Each must be acknowledged within 10 s.",
    expects: acknowledge,
    why: "Changes come in bursts. A receiver that works before it responds gets each notification again.",
    mistake: "The work is done before the response, or one notification at a time. Acknowledge first, then work.",
  },
  missing_signature: {
    title: "No signature",
    sends: "Sends the notification without its signature header.",
    expects: refuse(401, "missing_signature"),
    why: "Anyone can send a body. Only the signature proves the sender.",
  },
  flipped_byte: {
    title: "One byte flipped",
    sends: "Sends the notification with one byte of its payload changed after signing.",
    expects: refuse(401, "bad_signature"),
    why: "The signature covers the exact bytes, so a changed body is not what was signed.",
  },
  wrong_secret: {
    title: "Wrong secret",
    sends: "Sends the notification signed with another secret.",
    expects: refuse(401, "bad_signature"),
    why: "A signature is only proof if you compare it with your own.",
  },
  other_integration: {
    title: "Another integration’s secret",
    sends: "Sends the notification signed with an unknown secret, then with the secret of another integration.",
    expects: refuse(401, "bad_signature"),
    why: "Whoever knows one secret could send in the name of every integration.",
    mistake: "Every known secret is tried. Choose the secret by the integration_id of the body.",
  },
  missing_timestamp: {
    title: "No timestamp",
    sends: "Sends the notification without webhook_timestamp, correctly signed.",
    expects: refuse(400, "missing_timestamp"),
    why: "Without a timestamp you can’t tell a new notification from a recorded one.",
  },
  malformed_timestamp: {
    title: "Unparseable timestamp",
    sends: "Sends the notification with an invalid webhook_timestamp, correctly signed.",
    expects: refuse(400, "missing_timestamp"),
    why: "An unreadable timestamp must not count as the current time.",
  },
  stale: {
    title: "Six minutes old",
    sends: "Sends the notification with a timestamp six minutes old, correctly signed.",
    expects: refuse(400, "stale_timestamp"),
    why: "A recorded notification can be replayed. The window is five minutes.",
  },
  future: {
    title: "Six minutes ahead",
    sends: "Sends the notification with a timestamp six minutes ahead, correctly signed.",
    expects: refuse(400, "stale_timestamp"),
    why: "A timestamp in the future would stay valid for more than five minutes.",
  },
};

/** The fields of a result that show whether the receiver deduplicates. */
type Result = Pick<DrillRow, "drill" | "verdict" | "deduplicates">;

/** Returns whether the drill sends one message twice. */
export const sendsRepeat = (drill: DrillName): boolean => drill === "duplicate" || drill === "same_moment";

/**
 * Returns the part of a passed drill that nobody outside the receiver can see; null when the responses show everything.
 */
export const unverifiablePart = ({ drill, verdict, deduplicates }: Result): string | null =>
  verdict === "passed" && sendsRepeat(drill) && deduplicates === undefined
    ? "whether it deduplicates can’t be seen"
    : null;

/** The label of a result: "acknowledged" when nothing more is known. */
export const verdictLabel = (result: Result): string =>
  unverifiablePart(result) === null ? result.verdict : "acknowledged";

/**
 * Returns whether a receiver refuses valid requests, too, by its latest results. Its refusals of invalid ones prove nothing
 * then.
 */
export const rejectsValidToo = (
  latest: readonly { readonly drill: DrillName; readonly verdict: "passed" | "failed" }[],
): boolean => {
  const good = latest.filter(({ drill }) => drills[drill].expects.answer === "acknowledge");
  return good.length > 0 && good.every(({ verdict }) => verdict === "failed");
};

/** Counts the passed drills in the latest results; inconclusive ones don't count. */
export const countPassed = (latest: Parameters<typeof rejectsValidToo>[0]): number =>
  rejectsValidToo(latest) ? 0 : latest.filter(({ verdict }) => verdict === "passed").length;
