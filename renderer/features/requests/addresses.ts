import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { id, searchParams, useSearchParamsOf } from "../../lib/search-params.ts";

export const detailTabs = ["body", "headers", "answer", "trace", "compare"] as const;
export type DetailTab = (typeof detailTabs)[number];

/** A tab as an address names it; the body where it names none. */
export const parseTab = (tab: string | undefined): DetailTab => detailTabs.find((one) => one === tab) ?? "body";

/** What else an address of the place says: the call another one is compared with. */
const pageParams = searchParams({ with: id });
export const usePageParams = () => useSearchParamsOf(pageParams).values;

/** Two calls side by side; `other` null: it is still to be chosen. */
export const compareHref = (one: string, other: string | null): string =>
  hrefs.request(one, "compare") + pageParams.format("", { with: other });

/** Whether a status belongs to what an address says of it. */
export const statusAsked = (status: string): { readonly status: number } | { readonly status_class: number } =>
  status.endsWith("xx") ? { status_class: Number(status[0]) } : { status: Number(status) };
