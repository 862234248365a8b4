import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { id, searchParams, useSearchParamsOf } from "../../lib/search-params.ts";

const detailTabs = ["body", "headers", "answer", "trace", "compare"] as const;
export type DetailTab = (typeof detailTabs)[number];

/** Returns the tab in an address, by default the body. */
export const parseTab = (tab: string | undefined): DetailTab => detailTabs.find((one) => one === tab) ?? "body";

/** Other parameters of the place: the second call of a comparison. */
const pageParams = searchParams({ with: id });
export const useRequestPageParams = () => useSearchParamsOf(pageParams).values;

/** Address of a comparison; `other` null: not chosen yet. */
export const compareHref = (one: string, other: string | null): string =>
  hrefs.request(one, "compare") + pageParams.format("", { with: other });

/** Converts the address's status filter to the service's. */
export const toStatusFilter = (status: string): { readonly status: number } | { readonly status_class: number } =>
  status.endsWith("xx") ? { status_class: Number(status[0]) } : { status: Number(status) };
