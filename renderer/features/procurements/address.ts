import { type ProcurementStatus, procurementStatuses } from "../../../sandbox/contract/values.ts";
import { hrefs } from "../../app/places.ts";

/** What leaves procurements in sight; null and the empty text leave all of them. */
export interface ProcurementFilter {
  readonly search: string;
  readonly status: ProcurementStatus | null;
  readonly siteId: string | null;
  readonly supplierId: string | null;
}

export const views = ["list", "board"] as const;
export type View = (typeof views)[number];

export const everything: ProcurementFilter = { search: "", status: null, siteId: null, supplierId: null };

export const isStatus = (text: unknown): text is ProcurementStatus =>
  procurementStatuses.some((status) => status === text);
export const isView = (text: unknown): text is View => views.some((view) => view === text);

const idIn = (text: string | null): string | null =>
  text !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : null;

/** Reads the filter out of an address' query; what is no state and no identifier is not there. */
export const filterIn = (query: string): ProcurementFilter => {
  const parameters = new URLSearchParams(query);
  const status = parameters.get("status");
  return {
    search: parameters.get("search") ?? "",
    status: isStatus(status) ? status : null,
    siteId: idIn(parameters.get("site")),
    supplierId: idIn(parameters.get("supplier")),
  };
};

/** The view an address asks for; null when it leaves that to whoever opens it. */
export const viewIn = (query: string): View | null => {
  const view = new URLSearchParams(query).get("view");
  return isView(view) ? view : null;
};

const names = { search: "search", status: "status", siteId: "site", supplierId: "supplier", view: "view" } as const;
export type AddressChange = Partial<ProcurementFilter & { readonly view: View }>;

/** The query with some of it changed; what other parts of the explorer keep in it stays. Begins with `?`, or is empty. */
export const changedQuery = (query: string, change: AddressChange): string => {
  const parameters = new URLSearchParams(query);
  for (const [key, name] of Object.entries(names)) {
    const value = change[key as keyof typeof names];
    if (value === undefined) continue;
    if (value === null || value === "") parameters.delete(name);
    else parameters.set(name, value);
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
};

/** A query as it goes behind a path. */
export const withMark = (query: string): string => (query === "" || query.startsWith("?") ? query : `?${query}`);

/** Whether anything but the state narrows the list: the counts by state are of what is left. */
export const isNarrowed = ({ search, siteId, supplierId }: ProcurementFilter): boolean =>
  search.trim() !== "" || siteId !== null || supplierId !== null;

export const isFiltered = (filter: ProcurementFilter): boolean => filter.status !== null || isNarrowed(filter);

/** A procurement's address without the list's filter: what a link to it says to somebody else. */
export const sharedAddress = (origin: string, world: string, id: string, tab?: string): string =>
  `${origin}${hrefs.procurement(id, tab)}${world === "default" ? "" : `?world=${encodeURIComponent(world)}`}`;
