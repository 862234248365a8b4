import type { JobState } from "../../../../sandbox/contract/values.ts";
import type { StateName } from "../../../components/state.tsx";
import type { Names } from "../../../domain/directory/directory.ts";
import { formatCount, formatList, plural, type Total } from "../../../lib/formatting.ts";
import type { JobFilter } from "../address.ts";

/** A state of a job: its word, the mark it has, and what is said of a job in it. */
interface StateWords {
  readonly word: string;
  readonly mark: StateName;
  readonly said: string;
}
export const stateWords: Readonly<Record<JobState, StateWords>> = {
  no_parts: { word: "no parts", mark: "skipped", said: "is without parts" },
  estimated: { word: "estimated", mark: "estimated", said: "is estimated" },
  order_requested: { word: "order requested", mark: "order_requested", said: "has an order requested" },
  order_confirmed: { word: "order confirmed", mark: "order_confirmed", said: "has its orders confirmed" },
};

/** "12 jobs found"; "at least 500 jobs found" when there are too many to count. */
export const foundWords = ({ total, total_is_minimum }: Total): string =>
  total_is_minimum ? `at least ${formatCount(total)} jobs found` : `${plural(total, "job")} found`;

/** What was looked for when there is none of it: "No job matches “x”, is estimated and is at Tarn & Rowe, Penrose". */
export const noneWords = ({ search, state, site, insurer }: JobFilter, names: Names): string => {
  const parts = [
    search.trim() === "" ? null : `matches “${search.trim()}”`,
    state && stateWords[state].said,
    site && `is at ${names.get(site) ?? "that site"}`,
    insurer && `is for ${names.get(insurer) ?? "that insurer"}`,
  ].filter((part) => part !== null);
  return `No job ${formatList(parts)}`.trimEnd();
};
