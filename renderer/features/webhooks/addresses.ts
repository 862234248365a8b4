import { drillNames } from "../../../sandbox/contract/drill-names.ts";
import { choice, searchParams, useSearchParamsOf } from "../../lib/search-params.ts";

const pages = ["subscriptions", "receivers", "lab"] as const;

/** What the place shows, as its address says: a page with what is open on it, or an attempt of a delivery. */
export type Shown =
  | { readonly page: (typeof pages)[number]; readonly id: string | undefined }
  | { readonly page: "delivery"; readonly id: string; readonly attempt: string | undefined };

/** Reads `/webhooks/:id?/:tab?`: a word is a page, anything else a delivery's id with the number of an attempt. */
export const shownAt = (id: string | undefined, tab: string | undefined): Shown => {
  const page = id === undefined ? "subscriptions" : pages.find((name) => name === id);
  return page ? { page, id: tab } : { page: "delivery", id: id ?? "", attempt: tab };
};

/** What is open on a page of the place: a drill, and what is beside a delivery's bytes. */
export const pageParams = searchParams({
  drill: choice(drillNames),
  show: choice(["answer", "drills"], "answer"),
});

/** Addresses within the place; those that other places lead to are in kernel/addresses/hrefs.ts. */
export const addresses = {
  subscriptions: "/webhooks",
  lab: "/webhooks/lab",
  receiver: (id: string) => `/webhooks/receivers/${id}`,
};

export const usePageParams = () => useSearchParamsOf(pageParams);
