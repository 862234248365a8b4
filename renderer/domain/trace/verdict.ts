import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { type ErrorCode, errorCodes } from "../../../sandbox/contract/errors.ts";

/** Why a call was refused or failed. Each is a whole sentence but the decision. */
export interface Verdict {
  readonly cause: string;
  readonly whose: string;
  /** The decision the answer rests on where the contract is silent, for example "D50". */
  readonly assumption: string | null;
  readonly remedy: string;
}

const isKnown = (code: string | null): code is ErrorCode => code !== null && Object.hasOwn(errorCodes, code);

const sentence = (text: string): string => {
  const whole = /[.!?]$/.test(text) ? text : `${text}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
};

/** What the service puts where a refusal has no message of its own. */
export const NO_MESSAGE = "nothing changed";

/** The verdict on a call; null for one that was answered as it should be. */
export const verdictOf = (row: RequestRow): Verdict | null => {
  if (row.status > 0 && row.status < 400) return null;
  if (row.faults?.length)
    return {
      cause: sentence(row.outcome),
      whose: "A fault of this world made the answer; the caller did nothing wrong.",
      assumption: null,
      remedy: "Clear the fault, or send the call again once it is used up.",
    };
  if (row.status === 0)
    return {
      cause: "The connection ended before there was an answer.",
      whose: "Nobody knows whether the call was carried out until the record is read.",
      assumption: null,
      remedy: "Read what the call was about, then send it again if it is not there.",
    };
  const known = isKnown(row.error_code) ? errorCodes[row.error_code] : null;
  return {
    cause: sentence(row.outcome === "" || row.outcome === NO_MESSAGE ? (known?.meaning ?? row.outcome) : row.outcome),
    whose: row.status >= 500 ? "The cause is on the sandbox’s side." : "The cause is on the caller’s side.",
    assumption: known && known.origin !== "contract" ? known.origin : null,
    remedy: known?.remedy ?? "Compare the call with the operation’s declaration.",
  };
};

/** What came of a call, or why nothing did. */
export const outcomeOf = (row: RequestRow): string => verdictOf(row)?.cause ?? row.outcome;

/** A verdict as text for somebody who has no explorer: no secret is in it. */
export const verdictText = (row: RequestRow, { cause, whose, assumption, remedy }: Verdict): string =>
  [
    `${row.operation ?? `${row.method} ${row.path}`} was answered ${row.status || "nothing"}${row.error_code ? ` ${row.error_code}` : ""} at ${row.at}.`,
    `Cause: ${cause} ${whose}`,
    ...(assumption ? [`The contract is silent here; the sandbox assumes ${assumption}.`] : []),
    `What to do: ${remedy}`,
    `Request id: ${row.id}`,
  ].join("\n");
