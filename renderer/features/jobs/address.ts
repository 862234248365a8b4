import type { jobsList } from "../../../sandbox/contract/control/operations.ts";
import type { RequestOf } from "../../../sandbox/contract/operation.ts";
import { jobStates } from "../../../sandbox/contract/values.ts";
import { formQuery } from "../../kernel/addresses/form-address.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import type { SortWords } from "../../kernel/lists/table-place.tsx";
import {
  choice,
  flag,
  id,
  searchParams,
  text,
  textThat,
  useSearchParamsOf,
  type ValuesOf,
} from "../../lib/search-params.ts";

type JobQuery = RequestOf<typeof jobsList>;
type JobSort = NonNullable<JobQuery["sort"]>;
type Direction = NonNullable<JobQuery["direction"]>;

/** Sort orders with labels of their directions. */
export const sorts: Readonly<Record<JobSort, SortWords>> = {
  updated: { usual: "desc", desc: "newest first", asc: "oldest first" },
  created: { usual: "desc", desc: "newest first", asc: "oldest first" },
  job_number: { usual: "asc", desc: "Z to A", asc: "A to Z" },
};

const jobSorts = ["updated", "created", "job_number"] as const satisfies readonly JobSort[];
const directions = ["desc", "asc"] as const satisfies readonly Direction[];

/** A range of insertion times: from the first, before the second; either may be missing. */
export interface Inserted {
  readonly from?: string;
  readonly to?: string;
}
const isTime = (text: string): boolean => text === "" || new Date(text).toJSON() === text;

/** Parses `2026-03-17T10:00:00.000Z..` and the like; null when invalid. */
export const parseInserted = (text: string): Inserted | null => {
  const [from = "", to, ...more] = text.split("..");
  if (to === undefined || from + to === "" || more.length > 0 || !isTime(from) || !isTime(to)) return null;
  return { ...(from && { from }), ...(to && { to }) };
};
export const insertedText = ({ from = "", to = "" }: Inserted): string => `${from}..${to}`;

/** Filter and order of jobs; null and empty text match all. */
export const jobParams = searchParams({
  search: text,
  state: choice(jobStates),
  /** The buyer's organization. */
  organization: id,
  site: id,
  /** The insurer's organization. */
  insurer: id,
  inserted: textThat((text) => parseInserted(text) !== null),
  sort: choice(jobSorts, "updated"),
  direction: choice(directions, "desc"),
});
export type JobFilter = ValuesOf<typeof jobParams>;

/** Parameters that don't filter. */
export const jobOrder = ["sort", "direction"] as const;
export const everything: JobFilter = jobParams.parse("");

/** Other parameters of the place: whether parts are being added, and a trace's call. */
const pageParams = searchParams({ add: flag, request: id });

export const editHref = (jobId: string): string => hrefs.job(jobId) + formQuery("edit");

/** A job's parts with the form to add some open. */
export const addPartsHref = (jobId: string): string => hrefs.job(jobId, "parts") + pageParams.format("", { add: true });

/** A call about a job, with its consequences. */
export const traceHref = (jobId: string, request: string): string =>
  hrefs.job(jobId, "trace") + pageParams.format("", { request });

export const useJobPageParams = () => useSearchParamsOf(pageParams).values;
