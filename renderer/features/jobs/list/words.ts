import type { JobState } from "../../../../sandbox/contract/values.ts";
import type { StateName } from "../../../components/state.tsx";
import type { Names } from "../../../domain/directory/directory.ts";
import { formatList } from "../../../lib/formatting.ts";
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
  order_requested: { word: "order requested", mark: "order_requested", said: "has a requested order" },
  order_confirmed: { word: "order confirmed", mark: "order_confirmed", said: "has all orders confirmed" },
};

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
