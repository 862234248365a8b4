import { useMemo } from "react";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import { type ProcurementStatus, procurementStatuses } from "../../../../sandbox/contract/values.ts";
import { type LiveList, type LiveListQuery, useLiveList } from "../../../app/live/live-list.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import type { ListSource } from "../../../components/list.tsx";
import type { Total } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import type { ProcurementFilter } from "../address.ts";

export type Counts = Readonly<Record<ProcurementStatus, Total>>;

export const sumOf = (counts: readonly Total[]): Total => ({
  total: counts.reduce((sum, { total }) => sum + total, 0),
  total_is_minimum: counts.some(({ total_is_minimum }) => total_is_minimum),
});

const asked = ({ search, site, supplier }: ProcurementFilter) => ({
  ...(search.trim() === "" ? {} : { search: search.trim() }),
  ...(site === null ? {} : { site_id: site }),
  ...(supplier === null ? {} : { supplier_business_id: supplier }),
});

const procurementList = (
  world: string,
  filter: ProcurementFilter,
  status: ProcurementStatus,
): LiveListQuery<ProcurementRow> => ({
  queryKey: worldKeys(world).procurements("list", { ...filter, status }),
  read: (from, signal) => callControl("procurements.list", { ...asked(filter), status, ...from, world }, { signal }),
  fits: (row) => row.status === status,
});

type Lists = Readonly<Record<ProcurementStatus, LiveList<ProcurementRow>>>;

/** The procurements a filter leaves, a list for each state whichever of them is looked at, and how many are in each. */
export const useLists = (filter: ProcurementFilter): { readonly lists: Lists; readonly counts: Counts | undefined } => {
  const world = useWorld();
  const lists: Lists = {
    order_requested: useLiveList(procurementList(world, filter, "order_requested")),
    order_confirmed: useLiveList(procurementList(world, filter, "order_confirmed")),
    cancelled: useLiveList(procurementList(world, filter, "cancelled")),
  };
  const [requested, confirmed, cancelled] = procurementStatuses.map((status) => lists[status].counted);
  const areKnown = requested && confirmed && cancelled;
  return { lists, counts: areKnown && { order_requested: requested, order_confirmed: confirmed, cancelled } };
};

/** The list of one state, or those of all as one, in which a state is read to its end before the next is shown. */
export const useJoined = (lists: Lists, only: ProcurementStatus | null): ListSource<ProcurementRow> => {
  const all = procurementStatuses.map((status) => lists[status]);
  const some = only === null ? all : [lists[only]];
  const open = some.findIndex(({ read }) => read.hasNextPage);
  const [first, second, third] = (open < 0 ? some : some.slice(0, open + 1)).map(({ items }) => items);
  const items = useMemo(() => [first, second, third].flatMap((items) => items ?? []), [first, second, third]);
  const counted = some.map((list) => list.counted).filter((count) => count !== undefined);
  // The one that is not there yet or could not be read, else any of them; all are read again together.
  const told = some.find(({ read }) => read.isPending || read.error) ?? lists[only ?? "order_requested"];
  return {
    read: { ...told.read, refetch: () => Promise.all(some.map(({ read }) => read.refetch())) },
    items,
    name: some.map(({ name }) => name).join(" "),
    counted: counted.length === some.length ? sumOf(counted) : undefined,
    more: some[open]?.more,
    gap: some.some(({ gap }) => gap),
    hold: (holding) => {
      for (const list of all) list.hold(holding);
    },
    renew: () => {
      for (const list of all) list.renew();
    },
  };
};
