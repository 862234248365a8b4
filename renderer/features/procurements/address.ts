import { useCallback } from "react";
import { useLocation } from "wouter";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { procurementStatuses } from "../../../sandbox/contract/values.ts";
import { hrefs } from "../../app/places.ts";
import { choice, id, searchParams, text, useSearchParamsOf, type ValuesOf } from "../../lib/search-params.ts";
import { useProcurementsUi, type View, views } from "./procurements-store.ts";

/** What leaves procurements in sight; null and the empty text leave all of them. */
export const procurementParams = searchParams({
  search: text,
  status: choice(procurementStatuses),
  site: id,
  supplier: id,
});
export type ProcurementFilter = ValuesOf<typeof procurementParams>;

export const everything: ProcurementFilter = procurementParams.parse("");

/** How they are shown; null leaves that to whoever opens the address. */
const viewParams = searchParams({ view: choice(views) });

/** Whether anything but the state narrows the list: the counts by state are of what is left. */
export const isNarrowed = ({ search, site, supplier }: ProcurementFilter): boolean =>
  search.trim() !== "" || site !== null || supplier !== null;

export const isFiltered = (filter: ProcurementFilter): boolean => filter.status !== null || isNarrowed(filter);

/** What the place shows, read from its address and written into it. */
export const useAddress = () => {
  const [, navigate] = useLocation();
  const { values: filter, change: narrow, query } = useSearchParamsOf(procurementParams);
  const { view } = viewParams.parse(query);
  const preferred = useProcurementsUi((state) => state.view);
  const clear = useCallback(() => narrow(everything), [narrow]);
  /** Another view of the same procurements, with none of them open. */
  const show = useCallback(
    (view: View) => {
      useProcurementsUi.setState({ view });
      navigate(`/procurements${viewParams.format(query, { view })}`);
    },
    [navigate, query],
  );
  const kept = viewParams.format(query, {});
  const hrefOfTab = useCallback((id: string, tab?: string) => hrefs.procurement(id, tab) + kept, [kept]);
  /** A procurement's address that keeps the filter and the view beside it. */
  const hrefOf = useCallback((row: Pick<ProcurementRow, "id">) => hrefOfTab(row.id), [hrefOfTab]);
  return {
    filter,
    view: view ?? preferred,
    narrow,
    clear,
    show,
    /** The list or board itself, as it stands. */
    href: `/procurements${kept}`,
    hrefOf,
    hrefOfTab,
  };
};
