import { type DrillName, drillNames } from "../contract/drill-names.ts";
import { drills } from "../contract/drills.ts";
import type { DrillVerdict } from "./drills.ts";

type Results = ReadonlyMap<DrillName, DrillVerdict["verdict"]>;

interface Advice {
  readonly when: (failed: (drill: DrillName) => boolean, passed: (drill: DrillName) => boolean) => boolean;
  readonly sentence: string;
}

const signature: readonly Advice[] = [
  {
    when: (failed) => failed("missing_signature") && failed("flipped_byte") && failed("wrong_secret"),
    sentence:
      "It does not check the signature. Compute base64(HMAC-SHA256(secret, raw body)) over the received bytes and compare it with the header in constant time.",
  },
  {
    when: (failed, passed) => failed("missing_signature") && (passed("flipped_byte") || passed("wrong_secret")),
    sentence: "It lets a notification without a signature pass. Treat a missing header as a wrong one.",
  },
  {
    when: (failed, passed) => passed("missing_signature") && failed("flipped_byte") && failed("wrong_secret"),
    sentence:
      "It sees that there is a signature, not that it is right. Compare it with the HMAC of the received bytes.",
  },
  {
    when: (failed, passed) => passed("wrong_secret") && failed("flipped_byte"),
    sentence: "A changed body passes. Sign the bytes as they arrive, all of them, before anything parses them.",
  },
  {
    when: (failed, passed) => passed("flipped_byte") && failed("wrong_secret"),
    sentence: "Another secret passes. Look the secret up by the body's integration_id, and accept that one alone.",
  },
];

const stamp: readonly Advice[] = [
  {
    when: (failed) => failed("stale") && failed("future"),
    sentence: "It does not check the age. Compare webhook_timestamp with its own clock, 5 minutes either side.",
  },
  {
    when: (failed, passed) => failed("stale") && passed("future"),
    sentence: "Old notifications pass. Refuse what was stamped more than 5 minutes ago.",
  },
  {
    when: (failed, passed) => passed("stale") && failed("future"),
    sentence: "Notifications from the future pass. Take the absolute difference: 5 minutes either side.",
  },
  {
    when: (failed) => failed("missing_timestamp") || failed("malformed_timestamp"),
    sentence:
      "It takes a webhook_timestamp it cannot read, or breaks over it. Refuse what is not a string that parses as a time.",
  },
];

const delivery: readonly Advice[] = [
  {
    when: (failed, passed) => failed("duplicate") && passed("reordered"),
    sentence: "It does not acknowledge a repeat. Answer 200 to a message_id that was seen before, and do nothing else.",
  },
  {
    when: (failed, passed) => failed("reordered") && passed("duplicate"),
    sentence:
      "It does not acknowledge notifications out of order. Take each as a hint that something changed, and read the current state through the API.",
  },
];

/** Two receivers answer alike of which one alone handles a repeat once: a drill sees no more. */
export const ANSWERS_RIGHTLY =
  "It answers as a correct receiver does. Whether it deduplicates can’t be seen: its own log tells.";

/** What to do about an answer to a good notification that acknowledges nothing. */
const mendOf = (status: number | null): string => {
  if (status === null) return "Check that it acknowledges before it works.";
  if (status === 200) return "Check that its 200 arrives to the end.";
  if (status < 400) return "Only 200 acknowledges.";
  if (status === 401 || status === 403)
    return "It can be reached at its address: check the secret it verifies with, and that it verifies the raw bytes.";
  if (status === 404 || status === 405) return "Check the path of its address.";
  return "Look into its own log.";
};

const refusesAll = (answers: readonly (number | null)[]): Advice => {
  const each = [...new Set(answers)];
  const answered = each.map((status) => (status === null ? "no answer" : `answered ${status}`)).join(", ");
  const mend = [...new Set(each.map(mendOf))].join(" ");
  return {
    when: (failed) => failed("duplicate") && failed("reordered"),
    sentence: `It does not acknowledge good notifications (${drills.duplicate.title}, ${drills.reordered.title}: ${answered}), so its refusals prove nothing yet. ${mend}`,
  };
};

/**
 * What a receiver should mend, in sentences; empty when no drill was run. Derived from the latest result of each.
 *
 * @param answers to good notifications that were not acknowledged: the statuses, null for none
 */
export const adviceOf = (results: Results, answers: readonly (number | null)[]): string[] => {
  const failed = (drill: DrillName): boolean => results.get(drill) === "failed";
  const passed = (drill: DrillName): boolean => results.get(drill) === "passed";
  if (drillNames.every(failed))
    return ["It answers none of them as it should. Check first what listens at its address."];
  const said = [refusesAll(answers), ...signature, ...stamp, ...delivery].filter(({ when }) => when(failed, passed));
  if (said.length > 0) return said.map(({ sentence }) => sentence);
  if (drillNames.every(passed)) return [ANSWERS_RIGHTLY];
  return [];
};
