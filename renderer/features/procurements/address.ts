import { useLocation } from "wouter";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { procurementStatuses } from "../../../sandbox/contract/values.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useListFilter } from "../../kernel/lists/list-place.tsx";
import { choice, id, searchParams, text, type ValuesOf } from "../../lib/search-params.ts";

/** What leaves orders in sight, and how they are shown; null and the empty text leave all of them. */
export const orderParams = searchParams({
  search: text,
  status: choice(procurementStatuses),
  site: id,
  supplier: id,
  view: choice(["list", "board"], "list"),
});
export type OrderFilter = ValuesOf<typeof orderParams>;

/** What the place shows, read from its address and written into it. */
export const useAddress = () => {
  const [, navigate] = useLocation();
  const state = useListFilter(orderParams, "procurements", { order: ["view"] });
  const { filter, narrow, query } = state;
  /** A view of an order, with the filter and the view of the list beside it. */
  const hrefOfTab = (id: string, tab?: string) => hrefs.procurement(id, tab) + query;
  return {
    state,
    view: filter.view,
    /** Another view of the same orders, with none of them open. */
    show: (view: OrderFilter["view"]) => {
      narrow({ view });
      navigate(`/procurements${orderParams.format("", { ...filter, view })}`);
    },
    /** The list or board itself, as it stands. */
    href: `/procurements${query}`,
    hrefOf: ({ id }: Pick<ProcurementRow, "id">) => hrefOfTab(id),
    hrefOfTab,
  };
};
