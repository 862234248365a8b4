import { useCallback, useState } from "react";
import { useLocation } from "wouter";
import type { jobsList } from "../../../sandbox/contract/control/operations.ts";
import type { RequestOf } from "../../../sandbox/contract/operation.ts";
import { jobStates } from "../../../sandbox/contract/values.ts";
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

type Asked = RequestOf<typeof jobsList>;
type JobSort = NonNullable<Asked["sort"]>;
type Direction = NonNullable<Asked["direction"]>;

/** Every order there is, with what its two directions are called. */
export const sorts: Readonly<Record<JobSort, SortWords>> = {
  updated: { usual: "desc", desc: "newest first", asc: "oldest first" },
  created: { usual: "desc", desc: "newest first", asc: "oldest first" },
  job_number: { usual: "asc", desc: "Z to A", asc: "A to Z" },
};

const jobSorts = ["updated", "created", "job_number"] as const satisfies readonly JobSort[];
const directions = ["desc", "asc"] as const satisfies readonly Direction[];

/** Between which times a job was inserted, as an address has it: from the first, and before the second; either may be left out. */
export interface Inserted {
  readonly from?: string;
  readonly to?: string;
}
const isTime = (text: string): boolean => text === "" || new Date(text).toJSON() === text;

/** Of `2026-03-17T10:00:00.000Z..` and the like; null where the text is no such range. */
export const insertedIn = (text: string): Inserted | null => {
  const [from = "", to, ...more] = text.split("..");
  if (to === undefined || from + to === "" || more.length > 0 || !isTime(from) || !isTime(to)) return null;
  return { ...(from && { from }), ...(to && { to }) };
};
export const insertedText = ({ from = "", to = "" }: Inserted): string => `${from}..${to}`;

/** Which jobs are in sight, and their order; null and the empty text leave all of them. */
export const jobParams = searchParams({
  search: text,
  state: choice(jobStates),
  /** The repairer's organization. */
  organization: id,
  site: id,
  /** The insurer's organization. */
  insurer: id,
  inserted: textThat((text) => insertedIn(text) !== null),
  sort: choice(jobSorts, "updated"),
  direction: choice(directions, "desc"),
});
export type JobFilter = ValuesOf<typeof jobParams>;

/** What of it leaves nothing out. */
export const jobOrder = ["sort", "direction"] as const;
export const everything: JobFilter = jobParams.parse("");

/** What else an address of the place says: which form is open, whether parts are added, and the exchange of a trace. */
const pageParams = searchParams({ form: choice(["new", "edit"]), add: flag, request: id });
type FormName = NonNullable<ValuesOf<typeof pageParams>["form"]>;

/** A job with the form open that changes it. */
export const editHref = (jobId: string): string => hrefs.job(jobId) + pageParams.format("", { form: "edit" });

/** The parts of a job with the form to add some open. */
export const addPartsHref = (jobId: string): string => hrefs.job(jobId, "parts") + pageParams.format("", { add: true });

/** One exchange about a job, with what it set in motion. */
export const traceHref = (jobId: string, request: string): string =>
  hrefs.job(jobId, "trace") + pageParams.format("", { request });

export const usePageParams = () => useSearchParamsOf(pageParams).values;

/**
 * Whether a form is open, as the address says it: a reload finds it open, and going back closes it. Once it was opened
 * it is needed: a dialog that closes is still in sight.
 */
export const useFormAddress = (form: FormName) => {
  const [path, navigate] = useLocation();
  const { values, change, query } = useSearchParamsOf(pageParams);
  const open = useCallback(() => navigate(path + pageParams.format(query, { form })), [navigate, path, query, form]);
  const close = useCallback(() => change({ form: null }), [change]);
  const opened = values.form === form;
  const [isNeeded, setNeeded] = useState(opened);
  if (opened && !isNeeded) setNeeded(true);
  return { opened, isNeeded, open, close };
};
