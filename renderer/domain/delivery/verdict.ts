import type { Attempt, DeliveryRow } from "../../../sandbox/contract/control/rows.ts";
import { NOT_SENT_AFTER_RESTORE } from "../../../sandbox/contract/control/words.ts";
import type { Verdict } from "../trace/verdict.ts";

type Outcome = "acknowledged" | "broken" | "refused" | "unanswered";

/** Only 200 acknowledges, and only with a complete response or one that the service truncated (D72). */
export const attemptOutcome = ({ response_status, error }: Pick<Attempt, "response_status" | "error">): Outcome => {
  if (response_status === null) return "unanswered";
  if (response_status !== 200) return "refused";
  return error === null ? "acknowledged" : "broken";
};

/** Returns whether a restore ended the delivery: it was pending in the snapshot. */
export const endedByRestore = ({ status, last_error }: Pick<DeliveryRow, "status" | "last_error">): boolean =>
  status === "failed" && last_error === NOT_SENT_AFTER_RESTORE;

/** The service's explanation of an attempt as a verdict; null for an acknowledged one. */
export const attemptVerdict = ({ explanation }: Pick<Attempt, "explanation">): Verdict | null =>
  explanation && {
    cause: explanation.sentence,
    whose: explanation.whose,
    assumption: explanation.decision,
    remedy: explanation.what_to_do,
  };
