import type { KeyOutcome, WrittenFields, WrittenKey } from "../../../../sandbox/contract/job-change.ts";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import { plural } from "../../../lib/formatting.ts";

/** Names of sites and insurers, by their identifiers. */
export type Names = ReadonlyMap<string, string>;

/** A key's value in a few words: names for identifiers, the plate for a vehicle, how many pictures. */
export const valueWords = (value: Job[WrittenKey] | WrittenFields[WrittenKey], names: Names): string => {
  if (value === null) return "null";
  if (typeof value === "string") return value === "" ? "empty text" : (names.get(value) ?? value);
  if ("length" in value) return value.length === 0 ? "none" : plural(value.length, "picture");
  return (
    [value.plate_state, value.plate_number, value.chassis_number].filter((text) => text !== null).join(", ") ||
    "all null"
  );
};

const isSame = ({ before, after }: KeyOutcome): boolean => JSON.stringify(before) === JSON.stringify(after);

export interface OutcomeWords {
  /** What becomes of the key: "kept", "written", "written, the same", "cleared", "emptied". */
  readonly word: string;
  readonly changes: boolean;
  /** Whether something is lost that the body does not name. */
  readonly loses: boolean;
  /** Why, in the decisions' words. */
  readonly why: string;
}

const whys = {
  written: "The body has the key: its value is written",
  cleared: "The body has the key, and nothing in it: it is cleared",
  kept: "The body leaves the key out: an update keeps what is there",
  emptied: "The body leaves the key out: a replace empties it",
} as const;

/** What happens to a key, in a word. */
export const outcomeWords = (outcome: KeyOutcome): OutcomeWords => {
  const { effect } = outcome;
  const same = isSame(outcome);
  const asWritten = effect === "written" || effect === "cleared";
  return {
    word: same && asWritten ? `${effect === "cleared" ? "cleared" : "written"}, the same` : same ? "kept" : effect,
    changes: !same,
    loses: !same && effect === "emptied",
    why: same && effect === "emptied" ? "The body leaves the key out, and there was nothing in it" : whys[effect],
  };
};
