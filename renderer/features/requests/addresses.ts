import { useCallback } from "react";
import type { Side } from "../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../app/places.ts";
import {
  choice,
  flag,
  id,
  isId,
  searchParams,
  text,
  textThat,
  useKeptSearchParamsOf,
  useSearchParamsOf,
  type ValuesOf,
} from "../../lib/search-params.ts";

const name = textThat((text) => text !== "");
const moment = textThat((text) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)));

/** Who may have sent a call, beside an integration by its id. */
export const senders = ["repairer", "supplier", "none"] as const satisfies readonly (Side | "none")[];
export type Sender = (typeof senders)[number];

/** Which calls are in sight; null, false and the empty text leave all of them. */
export const requestParams = searchParams({
  search: text,
  refused: flag,
  changes: flag,
  faulted: flag,
  unrouted: flag,
  pinned: flag,
  operation: name,
  /** "422", or "4xx" for all that begin so. */
  status: textThat((text) => /^([1-5]xx|0|[1-5]\d\d)$/.test(text)),
  code: name,
  who: textThat((text) => isId(text) || senders.some((sender) => sender === text)),
  from: moment,
  to: moment,
});
export type RequestFilter = ValuesOf<typeof requestParams>;

export const everything: RequestFilter = requestParams.parse("");

/** Whether it leaves calls out. */
export const isFiltered = (filter: RequestFilter): boolean =>
  requestParams.format("", { ...filter, search: filter.search.trim() }) !== "";

export const detailTabs = ["body", "headers", "answer", "trace", "compare"] as const;
export type DetailTab = (typeof detailTabs)[number];

/** A tab as an address names it; the body where it names none. */
export const tabOf = (tab: string | undefined): DetailTab => detailTabs.find((one) => one === tab) ?? "body";

/** What else an address of the place says: the call another one is compared with. */
const pageParams = searchParams({ with: id });
export const usePageParams = () => useSearchParamsOf(pageParams).values;

/** Two calls side by side; `other` null: it is still to be chosen. */
export const compareHref = (one: string, other: string | null): string =>
  hrefs.request(one, "compare") + pageParams.format("", { with: other });

/** The filter of the list, and ways to change it. Links to a call name none: the list keeps what it had. */
export const useFilter = () => {
  const { values: filter, change: narrow } = useKeptSearchParamsOf(requestParams, "requests");
  const clear = useCallback(() => narrow(everything), [narrow]);
  return { filter, narrow, clear };
};

/** Whether a status belongs to what an address says of it. */
export const statusAsked = (status: string): { readonly status: number } | { readonly status_class: number } =>
  status.endsWith("xx") ? { status_class: Number(status[0]) } : { status: Number(status) };

export const isSender = (who: string): who is Sender => choice(senders).parse(who) !== null;
