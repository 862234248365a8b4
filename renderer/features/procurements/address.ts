import { useLocation } from "wouter";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { procurementStatuses } from "../../../sandbox/contract/values.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useListFilter } from "../../kernel/lists/list-place.tsx";
import { choice, id, searchParams, text, type ValuesOf } from "../../lib/search-params.ts";

/** Filter and view of orders; null and empty text match all. */
export const orderParams = searchParams({
  search: text,
  status: choice(procurementStatuses),
  site: id,
  supplier: id,
  view: choice(["list", "board"], "list"),
});
export type OrderFilter = ValuesOf<typeof orderParams>;

/** The place's state in its address. */
export const useAddress = () => {
  const [, navigate] = useLocation();
  const state = useListFilter(orderParams, "procurements", { order: ["view"] });
  const { filter, narrow, query } = state;
  /** Address of a view of an order, with the list's filter and view. */
  const hrefOfTab = (id: string, tab?: string) => hrefs.procurement(id, tab) + query;
  return {
    state,
    view: filter.view,
    /** Switches the list's view and closes the open order. */
    show: (view: OrderFilter["view"]) => {
      narrow({ view });
      navigate(`/procurements${orderParams.format("", { ...filter, view })}`);
    },
    /** Address of the current list or board. */
    href: `/procurements${query}`,
    hrefOf: ({ id }: Pick<ProcurementRow, "id">) => hrefOfTab(id),
    hrefOfTab,
  };
};
