import { Box, EmptyState, Group, SegmentedControl } from "@mantine/core";
import { IconArrowsExchange, IconKeyOff } from "@tabler/icons-react";
import { useMemo } from "react";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { type ProcurementStatus, procurementStatuses } from "../../../sandbox/contract/values.ts";
import { LinkButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import type { ListSource } from "../../components/list.tsx";
import { ListRow } from "../../components/list-row.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { State, stateIcon, stateTone } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { useHasKey } from "../../domain/credential/keys.ts";
import { useDirectory } from "../../domain/directory/directory.ts";
import { orderFields } from "../../domain/procurement/order-fields.tsx";
import { isStatus, orderName, statusLabels, transitionLabels } from "../../domain/procurement/words.ts";
import { type ListFilter, ListPlace } from "../../kernel/lists/list-place.tsx";
import { type LiveList, type LiveListQuery, useLiveList } from "../../kernel/lists/live-list.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatTotal, type Total } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import { type OrderFilter, useAddress } from "./address.ts";

type Counts = Readonly<Record<ProcurementStatus, Total>>;
type Lists = Readonly<Record<ProcurementStatus, LiveList<ProcurementRow>>>;

export const orderList = (
  world: string,
  filter: Omit<OrderFilter, "view">,
  status: ProcurementStatus,
): LiveListQuery<ProcurementRow> => {
  const { search, site, supplier } = filter;
  const listFilter = {
    ...(search === "" ? {} : { search }),
    ...(site === null ? {} : { site_id: site }),
    ...(supplier === null ? {} : { supplier_business_id: supplier }),
  };
  return {
    queryKey: worldKeys(world).procurements("list", { ...filter, status }),
    read: (from, signal) => callControl("procurements.list", { ...listFilter, status, ...from, world }, { signal }),
    fits: (row) => row.status === status,
  };
};

export const sumTotals = (counts: readonly Total[]): Total => ({
  total: counts.reduce((sum, { total }) => sum + total, 0),
  total_is_minimum: counts.some(({ total_is_minimum }) => total_is_minimum),
});

/** The filtered orders as one list per state, and the number in each. */
export const useLists = ({ view: _view, ...filter }: OrderFilter): { lists: Lists; counts: Counts | undefined } => {
  const world = useWorld();
  const lists: Lists = {
    order_requested: useLiveList(orderList(world, filter, "order_requested")),
    order_confirmed: useLiveList(orderList(world, filter, "order_confirmed")),
    cancelled: useLiveList(orderList(world, filter, "cancelled")),
  };
  const [requested, confirmed, cancelled] = procurementStatuses.map((status) => lists[status].counted);
  const areKnown = requested && confirmed && cancelled;
  return { lists, counts: areKnown && { order_requested: requested, order_confirmed: confirmed, cancelled } };
};

/** The list of one state, or all combined: a state is loaded completely before the next is shown. */
export const useCombinedOrderList = (lists: Lists, only: ProcurementStatus | null): ListSource<ProcurementRow> => {
  const all = procurementStatuses.map((status) => lists[status]);
  const some = only === null ? all : [lists[only]];
  const open = some.findIndex(({ read }) => read.hasNextPage);
  const [first, second, third] = (open < 0 ? some : some.slice(0, open + 1)).map(({ items }) => items);
  const items = useMemo(() => [first, second, third].flatMap((items) => items ?? []), [first, second, third]);
  const counted = some.map((list) => list.counted).filter((count) => count !== undefined);
  // The first one that is loading or failed, else any; a retry reads all.
  const shownList = some.find(({ read }) => read.isPending || read.error) ?? lists[only ?? "order_requested"];
  return {
    read: { ...shownList.read, refetch: () => Promise.all(some.map(({ read }) => read.refetch())) },
    items,
    name: some.map(({ name }) => name).join(" "),
    counted: counted.length === some.length ? sumTotals(counted) : undefined,
    more: some[open]?.more,
    waiting: some.reduce((sum, { waiting }) => sum + waiting, 0),
    gap: some.some(({ gap }) => gap),
    hold: (holding, selected) => {
      for (const list of all) list.hold(holding, selected);
    },
    renew: () => {
      for (const list of all) list.renew();
    },
  };
};

/** Filters of orders. `counts` are undefined while loading; `wide`: the board's columns show them. */
export const useOrderFilters = (counts: Counts | undefined, wide = false): readonly ListFilter<OrderFilter>[] => {
  const { sites, suppliers } = useDirectory();
  return [
    {
      ...{ of: "status", title: "State", all: "states", open: "State" },
      phrase: (_, id) => `is ${id}`,
      options: procurementStatuses.map((status) => ({
        id: status,
        name: status,
        shown: (
          <Group component="span" gap="xs" className={stateTone(status)} title={status}>
            <Icon of={stateIcon(status)} size={14} />
            <span className={wide ? undefined : "sr"}>{statusLabels[status]} </span>
            {!wide && <span className="n">{counts ? formatTotal(counts[status]) : ""}</span>}
          </Group>
        ),
      })),
    },
    {
      ...{ of: "site", title: "Site", all: "sites", options: sites, mark: <SideGlyph side="repairer" /> },
      phrase: (name) => `is for ${name}`,
    },
    {
      ...{ of: "supplier", title: "Supplier", all: "suppliers", options: suppliers },
      mark: <SideGlyph side="supplier" />,
      phrase: (name) => `is from ${name}`,
    },
  ];
};

const ViewSwitch = () => {
  const { view, show } = useAddress();
  const other = view === "list" ? "board" : "list";
  useKeys("Orders", [{ keys: ["v"], label: `Show as a ${other}`, run: () => show(other) }]);
  return (
    <SegmentedControl
      aria-label="Show as"
      value={view}
      onChange={show}
      data={[
        { value: "list", label: "List" },
        { value: "board", label: "Board" },
      ]}
    />
  );
};

/** Common props of list and board. */
export const orders = {
  title: "Orders",
  label: "Orders",
  nouns: ["order", "orders"],
  search: [
    "Search orders",
    "Reference, plate, supplier",
    "Search covers reference, plate, job number, supplier and ID.",
  ],
  actions: <ViewSwitch />,
  empty: (
    <EmptyState
      icon={<IconArrowsExchange />}
      title="No orders yet"
      description="Place an order from a job’s basket, here or from your own program."
    >
      <LinkButton small href="/jobs">
        Open a job
      </LinkButton>
    </EmptyState>
  ),
} as const;

/** A mark for orders of suppliers without a key, which cannot be confirmed here; empty with a key. */
export const NoKeyMark = ({ row }: { row: ProcurementRow }) =>
  useHasKey()(row) ? null : (
    <Box c="dimmed" component="span" ml="xs" title="You have no key for this supplier">
      <Icon of={IconKeyOff} size={12} />
      <span className="sr">, no key for this supplier</span>
    </Box>
  );

/** The time of the last transition with its label; `spoken`: the group's heading already contains the label. */
export const Since = ({ row, spoken = false }: { row: ProcurementRow; spoken?: boolean }) => (
  <>
    <span className={spoken ? "sr" : undefined}>{transitionLabels[row.status]} </span>
    <Time at={row.updated_at} />
  </>
);

// Contains the state, because a row that changes state moves to another group.
const rowKey = (row: ProcurementRow) => `${row.status}:${row.id}`;
const rowGroup = (row: ProcurementRow) => row.status;

/** An order in the list: label, time, supplier and total. */
const render = (row: ProcurementRow) => (
  <ListRow
    title={
      <>
        <span className="cut">{orderName(row)}</span>
        {orderFields.plate.shown(row)}
      </>
    }
    aside={<Since row={row} spoken />}
    detail={
      <>
        {orderFields.supplier.text(row)}
        <NoKeyMark row={row} />
      </>
    }
    state={orderFields.total.shown(row)}
  />
);

interface OrderListProps {
  readonly of: ListSource<ProcurementRow>;
  readonly counts: Counts | undefined;
  readonly selected: string | null;
  /** The order beside the list, chosen or by default. */
  readonly shown: string | null;
}

/** All orders by state, newest first; live. */
export const OrderList = ({ of, counts, selected, shown }: OrderListProps) => {
  const { state, hrefOf } = useAddress();
  const here = of.items.find((row) => row.id === shown);
  const renderGroup = (group: string) =>
    isStatus(group) && (
      <>
        <State of={group} />
        <span className="n">{counts ? formatTotal(counts[group]) : ""}</span>
        <Box component="span" flex={1} />
        <span data-variant="aside">{transitionLabels[group]}</span>
      </>
    );
  return (
    <ListPlace
      {...orders}
      of={of}
      state={state}
      filters={useOrderFilters(counts)}
      keyOf={rowKey}
      hrefOf={hrefOf}
      render={render}
      groupOf={rowGroup}
      renderGroup={renderGroup}
      selected={here && selected !== null ? rowKey(here) : null}
      marked={here ? rowKey(here) : null}
    />
  );
};
