import type { ExplainedRefusal } from "../../../sandbox/contract/control/explain-operations.ts";
import type { RequestDetail, RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { NO_MESSAGE } from "../../../sandbox/contract/errors.ts";
import { fieldIn } from "../../lib/field-in.ts";
import { parsedJson } from "../../lib/parsed-json.ts";

/** Reason for a refusal or failure, in whole sentences except the decision. */
export interface Verdict {
  readonly cause: string;
  readonly whose: string;
  /** The decision where the contract is silent, for example "D50". */
  readonly assumption: string | null;
  readonly remedy: string;
}

const sides: Readonly<Record<ExplainedRefusal["whose_side"], string>> = {
  partner: "The cause is on the caller’s side.",
  sandbox: "The cause is on the sandbox’s side.",
  fault: "An active fault caused this response. The call itself is not at fault.",
};

/** A call's result in one line; for a refusal, its reason or code. */
export const callOutcome = ({ reason, outcome, error_code }: RequestRow): string =>
  reason ?? (outcome === NO_MESSAGE && error_code !== null ? error_code : outcome);

/** The service's explanation of a refusal as a verdict. */
export const refusalVerdict = ({ sentence, whose_side, decisions, what_to_do }: ExplainedRefusal): Verdict => ({
  cause: sentence,
  whose: sides[whose_side],
  assumption: decisions[0]?.id ?? null,
  remedy: what_to_do,
});

/** A call, optionally with its response. */
type CallWithResponse = RequestRow & Partial<Pick<RequestDetail, "response_body">>;

/** Returns a response's message; null when it is missing or repeats the cause. */
export const refusalMessage = (
  { response_body = "" }: Pick<CallWithResponse, "response_body">,
  cause: string,
): string | null => {
  const message = fieldIn(parsedJson(response_body), "message");
  return typeof message === "string" && message !== "" && !cause.toLowerCase().includes(message.toLowerCase())
    ? message
    : null;
};

/** The contract's statement as shown on screen; empty when neither it nor an assumption applies. */
const contractLines = ({ section, decisions }: ExplainedRefusal): string[] => {
  if (section === null)
    return decisions.length === 0 ? [] : ["The contract doesn’t define this, so it is an assumption."];
  const open = decisions.length === 0 ? "" : " It leaves details open, so an assumption applies.";
  return [`Contract: section “${section}”.${open}`];
};

/** A verdict as text for readers without an explorer and without the decisions. Contains no secrets. */
export const verdictText = (row: CallWithResponse, refusal: ExplainedRefusal): string => {
  const { cause, whose, remedy } = refusalVerdict(refusal);
  const message = refusalMessage(row, cause);
  return [
    `${row.operation ?? `${row.method} ${row.path}`} returned ${row.status || "nothing"}${row.error_code ? ` ${row.error_code}` : ""}${message === null ? "" : ` “${message}”`} at ${row.at}.`,
    `Cause: ${cause} ${whose}`,
    ...contractLines(refusal),
    `What to do: ${remedy}`,
    `Request ID: ${row.id}`,
  ].join("\n");
};
