import { useLocation } from "wouter";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { procurementStatuses } from "../../../sandbox/contract/values.ts";
import { hrefs } from "../../app/places.ts";
import { choice, id, searchParams, text, useSearchParamsOf, type ValuesOf } from "../../lib/search-params.ts";
import { keptIn } from "../../lib/storage.ts";

/** What leaves procurements in sight; null and the empty text leave all of them. */
export const procurementParams = searchParams({
  search: text,
  status: choice(procurementStatuses),
  site: id,
  supplier: id,
});
export type ProcurementFilter = ValuesOf<typeof procurementParams>;

export const everything: ProcurementFilter = procurementParams.parse("");

const views = ["list", "board"] as const;
type View = (typeof views)[number];

/** How they are shown; null leaves that to whoever opens the address. */
const viewParams = searchParams({ view: choice(views) });

/** The view of an address that names none: the one that was chosen last. */
const usePreferred = create(
  persist((): { view: View } => ({ view: "list" }), {
    name: "explorer.procurements",
    version: 1,
    storage: keptIn("browser"),
  }),
);

/** Whether anything but the state narrows the list: the counts by state are of what is left. */
export const isNarrowed = ({ search, site, supplier }: ProcurementFilter): boolean =>
  search.trim() !== "" || site !== null || supplier !== null;

export const isFiltered = (filter: ProcurementFilter): boolean => filter.status !== null || isNarrowed(filter);

/** What the place shows, read from its address and written into it. */
export const useAddress = () => {
  const [, navigate] = useLocation();
  const { values: filter, change: narrow, query } = useSearchParamsOf(procurementParams);
  const { view } = viewParams.parse(query);
  const preferred = usePreferred();
  const kept = viewParams.format(query, {});
  /** A view of a procurement, with the filter and the view of the list beside it. */
  const hrefOfTab = (id: string, tab?: string) => hrefs.procurement(id, tab) + kept;
  return {
    filter,
    view: view ?? preferred.view,
    narrow,
    clear: () => narrow(everything),
    /** Another view of the same procurements, with none of them open. */
    show: (view: View) => {
      usePreferred.setState({ view });
      navigate(`/procurements${viewParams.format(query, { view })}`);
    },
    /** The list or board itself, as it stands. */
    href: `/procurements${kept}`,
    hrefOf: ({ id }: Pick<ProcurementRow, "id">) => hrefOfTab(id),
    hrefOfTab,
  };
};
