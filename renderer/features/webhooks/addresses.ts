import { drillNames } from "../../../sandbox/contract/drill-names.ts";
import { choice, searchParams, useSearchParamsOf } from "../../lib/search-params.ts";

const pages = ["subscriptions", "receivers", "lab"] as const;

/** Content of the place by its address: a page with an open item, or an attempt of a delivery. */
export type Shown =
  | { readonly page: (typeof pages)[number]; readonly id: string | undefined }
  | { readonly page: "delivery"; readonly id: string; readonly attempt: string | undefined };

/** Parses `/webhooks/:id?/:tab?`: a word is a page, anything else a delivery's ID with an attempt's number. */
export const parseShown = (id: string | undefined, tab: string | undefined): Shown => {
  const page = id === undefined ? "subscriptions" : pages.find((name) => name === id);
  return page ? { page, id: tab } : { page: "delivery", id: id ?? "", attempt: tab };
};

/** Open parts of a page: a drill, and the panel beside a delivery's bytes. */
export const pageParams = searchParams({
  drill: choice(drillNames),
  show: choice(["answer", "drills"], "answer"),
});

/** Addresses within the place; those for other places are in kernel/addresses/hrefs.ts. */
export const addresses = {
  subscriptions: "/webhooks",
  lab: "/webhooks/lab",
  receiver: (id: string) => `/webhooks/receivers/${id}`,
};

/** Link from a missing item to the list. */
export const toSubscriptions = { href: addresses.subscriptions, all: "All subscriptions" } as const;

export const useWebhookPageParams = () => useSearchParamsOf(pageParams);
