import type { jobsList } from "../../../../sandbox/contract/control/operations.ts";
import type { RequestOf } from "../../../../sandbox/contract/operation.ts";
import { type JobState, jobStates } from "../../../../sandbox/contract/values.ts";

type Asked = RequestOf<typeof jobsList>;
export type JobSort = NonNullable<Asked["sort"]>;
export type Direction = NonNullable<Asked["direction"]>;

/** What leaves jobs in sight, and their order; null and the empty text leave all of them. */
export interface JobFilter {
  readonly search: string;
  readonly state: JobState | null;
  readonly siteId: string | null;
  /** The insurer's organization. */
  readonly insurerId: string | null;
  readonly sort: JobSort;
  readonly direction: Direction;
}

export const unfiltered = { search: "", state: null, siteId: null, insurerId: null } as const;
export const everything: JobFilter = { ...unfiltered, sort: "updated", direction: "desc" };

interface SortWords extends Readonly<Record<Direction, string>> {
  readonly name: string;
  /** The direction it begins with. */
  readonly usual: Direction;
}
/** Every order there is, with what its two directions are called. */
export const sorts: Readonly<Record<JobSort, SortWords>> = {
  updated: { name: "Last changed", usual: "desc", desc: "newest first", asc: "oldest first" },
  created: { name: "Created", usual: "desc", desc: "newest first", asc: "oldest first" },
  job_number: { name: "Job number", usual: "asc", desc: "Z to A", asc: "A to Z" },
};

export const isState = (text: unknown): text is JobState => jobStates.some((state) => state === text);
export const isSort = (text: unknown): text is JobSort => typeof text === "string" && Object.hasOwn(sorts, text);
export const isDirection = (text: unknown): text is Direction => text === "asc" || text === "desc";
const idIn = (text: string | null): string | null =>
  text !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : null;

const names = {
  search: "search",
  state: "state",
  siteId: "site",
  insurerId: "insurer",
  sort: "sort",
  direction: "direction",
} as const satisfies Record<keyof JobFilter, string>;
const keys = Object.keys(names) as readonly (keyof JobFilter)[];

/** Whether an address' query says anything about which jobs are listed; one that does not leaves that to the window. */
export const namesFilter = (query: string): boolean => {
  const parameters = new URLSearchParams(query);
  return keys.some((key) => parameters.has(names[key]));
};

/** Reads the filter out of an address' query; what is no state, no identifier and no order is not there. */
export const filterIn = (query: string): JobFilter => {
  const parameters = new URLSearchParams(query);
  const [state, sort, direction] = [parameters.get("state"), parameters.get("sort"), parameters.get("direction")];
  return {
    search: parameters.get("search") ?? "",
    state: isState(state) ? state : null,
    siteId: idIn(parameters.get("site")),
    insurerId: idIn(parameters.get("insurer")),
    sort: isSort(sort) ? sort : everything.sort,
    direction: isDirection(direction) ? direction : everything.direction,
  };
};

/** The query with this filter in it; what else is in it stays, and what is as usual is left out. Empty, or begins with `?`. */
export const withFilter = (query: string, filter: JobFilter): string => {
  const parameters = new URLSearchParams(query);
  for (const key of keys) {
    const value = filter[key];
    if (value === null || value === everything[key]) parameters.delete(names[key]);
    else parameters.set(names[key], value);
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
};

/** Whether it leaves jobs out; their order does not. */
export const isFiltered = ({ search, state, siteId, insurerId }: JobFilter): boolean =>
  search.trim() !== "" || state !== null || siteId !== null || insurerId !== null;

export const isSorted = ({ sort, direction }: JobFilter): boolean =>
  sort !== everything.sort || direction !== everything.direction;
