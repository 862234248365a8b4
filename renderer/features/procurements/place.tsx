import { Box, Stack } from "@mantine/core";
import { type QueryClient, usePrefetchQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Side } from "../../../sandbox/contract/control/rows.ts";
import { procurementStatuses } from "../../../sandbox/contract/values.ts";
import { directoryQuery } from "../../domain/directory/directory.ts";
import { procurementRowQuery } from "../../domain/procurement/queries.ts";
import { traceQuery } from "../../domain/trace/queries.ts";
import type { PlaceProps } from "../../kernel/addresses/places.ts";
import { pickCredential } from "../../kernel/credentials/acting.ts";
import { pagesOf } from "../../kernel/lists/live-list.ts";
import { Boundary } from "../../kernel/place/boundary.tsx";
import { ListBesideDetail } from "../../kernel/place/list-beside-detail.tsx";
import { usePageTitle } from "../../kernel/place/titles.ts";
import { credentialsQuery, organizationsQuery, policiesQuery } from "../../kernel/queries/world-queries.ts";
import { chosenCredential, useUi } from "../../kernel/stores/ui-store.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { readInitialFilter } from "../../lib/search-params.ts";
import { orderParams, useAddress } from "./address.ts";
import { OrdersBoard } from "./board/board.tsx";
import { ProcurementDetail } from "./detail/detail.tsx";
import { OrderList, orderList, useCombinedOrderList, useLists } from "./list.tsx";
import { lastMove } from "./moves.ts";
import { previewQuery } from "./preview.ts";
import { movesQuery, viewQuery } from "./queries.ts";

const BoardTitle = () => {
  usePageTitle("Board", "Orders");
  return null;
};

interface ShownProps {
  /** Null: none chosen. */
  readonly open: string | null;
  readonly tab: string | undefined;
}

/** The list beside an order; by default, the list's first. */
const ListAndOrder = ({ open, tab }: ShownProps) => {
  const { debouncedFilter } = useAddress().state;
  const { lists, counts } = useLists(debouncedFilter);
  const joined = useCombinedOrderList(lists, debouncedFilter.status);
  const [first, setFirst] = useState<{ readonly of: typeof debouncedFilter; readonly id: string }>();
  const [top] = joined.items;
  // Ignores placeholder data of another filter.
  const isRead = Object.values(lists).every(({ read }) => !read.isPlaceholderData);
  if (top !== undefined && isRead && first?.of !== debouncedFilter) setFirst({ of: debouncedFilter, id: top.id });
  const shown = open ?? (top && first?.id) ?? null;
  return (
    <ListBesideDetail
      name="procurements"
      label="Orders"
      initial={280}
      list={<OrderList of={joined} counts={counts} selected={open} shown={shown} />}
      detail={shown && <Opened key={shown} id={shown} tab={tab} />}
    />
  );
};

/** Loads everything that the address names first, while the page's code is loading. */
const Opened = ({ id, tab }: { id: string; tab: string | undefined }) => {
  const world = useWorld();
  usePrefetchQuery(procurementRowQuery(world, id));
  usePrefetchQuery(credentialsQuery(world));
  usePrefetchQuery(organizationsQuery(world));
  usePrefetchQuery(movesQuery(world, id));
  return (
    <Boundary title="The order">
      <ProcurementDetail id={id} tab={tab} />
    </Boundary>
  );
};

/** The place Orders: a list or a board, and one order as its buyer and its supplier see it. */
export const Place = ({ id, tab }: PlaceProps) => {
  const { view } = useAddress();
  const open = id?.toLowerCase() ?? null;
  if (view === "list") return <ListAndOrder open={open} tab={tab} />;
  return (
    <Box pos="relative" h="100%" mih={0}>
      <OrdersBoard open={open} />
      {open ? (
        <Stack gap={0} pos="absolute" inset={0} bg="var(--surface)">
          <Opened key={open} id={open} tab={tab} />
        </Stack>
      ) : (
        <BoardTitle />
      )}
    </Box>
  );
};

const sides = { repairer: "buyer", supplier: "supplier" } as const;

/** Reads both sides' views of an order, and the prediction of a confirmation. */
const readViews = async (client: QueryClient, world: string, id: string) => {
  const row = await client.ensureQueryData(procurementRowQuery(world, id));
  if (row === null) return;
  const preview = client.prefetchQuery(previewQuery(world, row));
  const credentials = await client.ensureQueryData(credentialsQuery(world));
  const ui = useUi.getState();
  const views = (Object.keys(sides) as Side[]).map((side) => {
    const key = pickCredential(credentials, side, row[sides[side]].organization_id, chosenCredential(ui, world, side));
    return key && client.prefetchQuery(viewQuery(world, side, row, key));
  });
  await Promise.all([preview, ...views]);
};

/** Reads an order's transitions, which are shown above the impossible calls. */
const readMoves = async (client: QueryClient, world: string, id: string) => {
  const move = lastMove((await client.ensureQueryData(movesQuery(world, id))).items);
  return move && client.prefetchQuery(traceQuery(world, move.trace_id));
};

/** Loads the list and the open order before the page is drawn. */
export const prefetch = (client: QueryClient, world: string, { id }: PlaceProps) => {
  const { view: _view, ...filter } = readInitialFilter(orderParams, "procurements");
  return [
    ...procurementStatuses.map((status) => client.prefetchInfiniteQuery(pagesOf(orderList(world, filter, status)))),
    client.prefetchQuery(directoryQuery(world)),
    client.prefetchQuery(credentialsQuery(world)),
    client.prefetchQuery(organizationsQuery(world)),
    ...(id === undefined
      ? []
      : [
          readViews(client, world, id.toLowerCase()).catch(() => null),
          readMoves(client, world, id.toLowerCase()).catch(() => null),
          client.prefetchQuery(policiesQuery(world)),
        ]),
  ];
};
