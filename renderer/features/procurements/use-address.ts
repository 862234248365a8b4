import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../app/places.ts";
import {
  type AddressChange,
  changedQuery,
  everything,
  filterIn,
  type ProcurementFilter,
  type View,
  viewIn,
  withMark,
} from "./address.ts";
import { useProcurementsUi } from "./procurements-store.ts";

export interface Address {
  readonly filter: ProcurementFilter;
  readonly view: View;
  /** Changes the filter where it stands: going back does not walk through every letter that was typed. */
  readonly narrow: (change: Partial<ProcurementFilter>) => void;
  readonly clear: () => void;
  /** Another view of the same procurements, with none of them open. */
  readonly show: (view: View) => void;
  /** The list or board itself, as it stands. */
  readonly href: string;
  /** A procurement's address that keeps the filter and the view beside it. */
  readonly hrefOf: (row: Pick<ProcurementRow, "id">) => string;
  readonly hrefOfTab: (id: string, tab?: string) => string;
}

/** What the place shows, read from its address and written into it. */
export const useAddress = (): Address => {
  const [path, navigate] = useLocation();
  const query = useSearch();
  const preferred = useProcurementsUi((state) => state.view);
  const prefer = useProcurementsUi((state) => state.prefer);
  const filter = useMemo(() => filterIn(query), [query]);
  const narrow = useCallback(
    (change: AddressChange) => navigate(path + changedQuery(query, change), { replace: true }),
    [navigate, path, query],
  );
  const clear = useCallback(() => narrow(everything), [narrow]);
  const show = useCallback(
    (view: View) => {
      prefer(view);
      navigate(`/procurements${changedQuery(query, { view })}`);
    },
    [navigate, prefer, query],
  );
  const hrefOfTab = useCallback((id: string, tab?: string) => hrefs.procurement(id, tab) + withMark(query), [query]);
  const hrefOf = useCallback((row: Pick<ProcurementRow, "id">) => hrefOfTab(row.id), [hrefOfTab]);
  return {
    filter,
    view: viewIn(query) ?? preferred,
    narrow,
    clear,
    show,
    href: `/procurements${withMark(query)}`,
    hrefOf,
    hrefOfTab,
  };
};
